import { Agent, type ClientRequest, type IncomingMessage, request as requestTo, type ServerResponse } from "node:http";
import { doorStreamsOpen } from "./front-door-metrics.ts";

/** Headers that belong to one connection and are never passed on (RFC 9110 §7.6.1), and those this server writes itself. */
const ofOneConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);
const writtenHere = new Set(["expect", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "forwarded"]);
const writtenWithTraces = new Set([...writtenHere, "traceparent", "tracestate"]);

const defaultLingerMs = 30_000;
/** A body of more bytes, or of unknown length, is passed on once the service asks for it (RFC 9110 §10.1.1). */
const heldFrom = 65_536;
/** Between two chunks of a body that nobody wants (ms); Node reads at most 64 KiB at once. */
const discardPauseMs = 10;

/** Where a service answers. */
interface Inner {
  host: string;
  port: number;
}

/** Tells the count of waiting requests what becomes of one of them. */
interface Waiting {
  /** The service asks for the body. */
  asked(): void;
  answered(): void;
}

export interface Forwarder {
  /**
   * Passes a request on to a service and its answer back, both as they come. `onDown` is called when nobody answers there.
   * @param traceparent takes the place of what the request says of its trace; null leaves that as it is
   */
  forward(request: IncomingMessage, response: ServerResponse, to: Inner, onDown: () => void, traceparent?: string | null): void;
  /** Whole requests to a service whose answer has not begun, without those that ask to wait for a change (`after`). */
  waiting(to: Inner): number;
  /** Ends the answers that would never end by themselves (server-sent events), and from now on as soon as they begin; their clients come back. */
  endStreams(): void;
  /** Lets go of kept connections. */
  close(): void;
}

/**
 * Plain piping between two connections, nothing held back: headers go out at once when a body is a stream, each part as it arrives,
 * and whoever hangs up makes the other side hang up. Connections to the inner services are kept and used again.
 * @param proto what people use to reach us, `http` or `https`
 * @param lingerMs how long the rest of a body may still arrive after its request was answered
 */
export function createForwarder(proto: string, lingerMs = defaultLingerMs): Forwarder {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  const streams = new Set<() => void>();
  const waiting = new Map<string, number>();
  let ending = false;

  /**
   * Counts a request until its answer begins or `response` closes: from the end of its body, which may trickle, and while the service has
   * not asked for one that is held.
   */
  function countWaiting(request: IncomingMessage, response: ServerResponse, to: Inner): Waiting {
    if (/[?&]after=/.test(request.url ?? "")) return { asked: () => undefined, answered: () => undefined };
    const key = keyOf(to);
    const count = (by: number): unknown => waiting.set(key, (waiting.get(key) ?? 0) + by);
    let state: "before" | "waiting" | "over" = "before";
    const begin = (): void => {
      if (state !== "before") return;
      state = "waiting";
      count(1);
    };
    const end = (next: "before" | "over"): void => {
      if (state === "waiting") count(-1);
      if (state !== "over") state = next;
    };
    const onBody = (): unknown => request.once("end", begin);
    if (hasBody(request) && !isHeld(request)) onBody();
    else begin();
    response.once("close", () => end("over"));
    return {
      asked() {
        end("before");
        onBody();
      },
      answered: () => end("over"),
    };
  }

  function forward(
    request: IncomingMessage,
    response: ServerResponse,
    to: Inner,
    onDown: () => void,
    traceparent: string | null,
    counted: Waiting,
    again = true,
  ): void {
    const held = isHeld(request);
    const inner: ClientRequest = requestTo({
      // The second time along a connection of its own: those that were kept may all have been closed at once.
      agent: again && agent,
      ...to,
      method: request.method,
      path: request.url,
      setHost: false,
      headers: [...requestHeaders(request, proto, traceparent), ...(held ? ["expect", "100-continue"] : [])],
    });
    let answer: IncomingMessage | null = null;
    let isPassedOn = false;
    const hangUp = (): void => {
      inner.destroy();
    };
    response.once("close", () => {
      if (!response.writableFinished || !answer?.complete) return hangUp();
      if (request.complete) return;
      // Answered before all was sent, as a refused upload is: nobody reads on at the service, and what still comes must not stand in the
      // way of the next request along this connection.
      hangUp();
      if (isPassedOn) {
        request.unpipe(inner);
        discardSlowly(request);
      }
      const impatience = setTimeout(() => request.socket.destroy(), lingerMs);
      for (const event of ["end", "close"]) request.once(event, () => clearTimeout(impatience));
    });
    request.once("error", hangUp);

    inner.once("response", (received) => {
      answer = received;
      counted.answered();
      if (response.destroyed) return hangUp();
      if (held && !isPassedOn) discardSlowly(request);
      const headers = answerHeaders(received);
      response.writeHead(received.statusCode ?? 502, received.statusMessage, headers);
      // A body of unknown length may begin much later than its headers.
      if (received.headers["content-length"] === undefined) response.flushHeaders();
      // An answer that broke off must not look finished.
      received.once("error", () => response.destroy());
      received.once("aborted", () => response.destroy());
      if (received.headers["content-type"]?.startsWith("text/event-stream")) {
        const end = (): void => {
          received.unpipe(response);
          response.end();
        };
        // It was asked for before, or along a connection that was still open.
        if (ending) return end();
        streams.add(end);
        doorStreamsOpen.inc();
        response.once("close", () => {
          streams.delete(end);
          doorStreamsOpen.dec();
        });
      }
      received.pipe(response);
    });
    inner.on("error", () => {
      if (response.destroyed || response.writableEnded) return;
      if (answer) return void response.destroy();
      // A kept connection may close just as it is used again; a request of which no body was sent can simply be sent once more.
      if (again && inner.reusedSocket && !isPassedOn) return forward(request, response, to, onDown, traceparent, counted, false);
      request.unpipe(inner);
      onDown();
    });
    const passOn = (): void => {
      isPassedOn = true;
      request.pipe(inner);
    };
    if (held) {
      inner.once("continue", () => {
        counted.asked();
        passOn();
      });
      inner.flushHeaders();
    } else if (hasBody(request)) passOn();
    else inner.end();
  }

  return {
    forward: (request, response, to, onDown, traceparent = null) =>
      forward(request, response, to, onDown, traceparent, countWaiting(request, response, to)),
    waiting: (to) => waiting.get(keyOf(to)) ?? 0,
    endStreams() {
      ending = true;
      for (const end of streams) end();
    },
    close: () => agent.destroy(),
  };
}

/** Reads on at some 6 MB/s at most, so that whoever sends much for nothing waits and does not keep this process busy. */
function discardSlowly(request: IncomingMessage): void {
  // Empties the buffer at once: a body that nobody began to read before its answer ended is discarded by Node at any speed.
  request.read();
  request.on("data", () => {
    request.pause();
    setTimeout(() => request.resume(), discardPauseMs);
  });
  request.resume();
}

const keyOf = ({ host, port }: Inner): string => `${host}:${port}`;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

const isHeld = (request: IncomingMessage): boolean => hasBody(request) && !(Number(request.headers["content-length"]) <= heldFrom);

/** The request's headers as they came, and who asked, how and for which name. */
function requestHeaders(request: IncomingMessage, proto: string, traceparent: string | null): string[] {
  const from = request.socket.remoteAddress ?? "";
  const before = request.headers["x-forwarded-for"];
  return [
    ...passedOn(request, traceparent === null ? writtenHere : writtenWithTraces),
    ...(traceparent === null ? [] : ["traceparent", traceparent]),
    "x-forwarded-for",
    before ? `${before}, ${from}` : from,
    "x-forwarded-host",
    request.headers.host ?? "",
    "x-forwarded-proto",
    proto,
  ];
}

function answerHeaders(answer: IncomingMessage): string[] {
  // This server frames the body itself.
  return passedOn(answer, new Set(["transfer-encoding"]));
}

/** A message's raw headers without those of one connection, repeated ones and their spelling kept. */
function passedOn(message: IncomingMessage, without: Set<string>): string[] {
  const named = new Set((message.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const name = message.rawHeaders[index] ?? "";
    const lower = name.toLowerCase();
    if (ofOneConnection.has(lower) || without.has(lower) || named.has(lower)) continue;
    kept.push(name, message.rawHeaders[index + 1] ?? "");
  }
  return kept;
}
