import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as it arrived, with its service and its attributes as plain values. */
export interface ReceivedSpan {
  service: string;
  part: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  kind: number;
  failed: boolean;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  milliseconds: number;
}

/** A small receiver of traces (OTLP/HTTP as JSON), for tests. */
export interface OtlpReceiver {
  endpoint: string;
  spans(): ReceivedSpan[];
  /** Every byte that came, and every header. */
  heard(): string;
  /** Answers 503 from now on, or no more. */
  refuse(refuses: boolean): void;
  close(): Promise<void>;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}
interface Told {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: KeyValue[];
        links?: { traceId: string; spanId: string }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}
const errorStatus = 2;

/** Listens at a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let heard = "";
  let refuses = false;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    heard += `${request.url} ${JSON.stringify(request.headers)} ${body}\n`;
    if (refuses || request.url !== "/v1/traces") return void response.writeHead(refuses ? 503 : 404).end();
    spans.push(...readSpans(JSON.parse(body) as Told));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    heard: () => heard,
    refuse: (now) => {
      refuses = now;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readSpans({ resourceSpans }: Told): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const about = plain(resource.attributes);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, links = [], status, startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        ...span,
        parentSpanId: span.parentSpanId || undefined,
        service: String(about["service.name"]),
        part: String(about["colloquy.part"]),
        attributes: plain(attributes),
        links,
        failed: status?.code === errorStatus,
        milliseconds: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
      }));
  });
}

const plain = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );
