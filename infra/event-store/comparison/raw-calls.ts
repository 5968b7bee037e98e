import shared from "@eventstore/db-client/generated/shared_pb.js";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { type ClientReadableStream, credentials, type ServiceError } from "@grpc/grpc-js";
import type { Operation, Outcome, SymbolicFilter } from "./recording.ts";
import type { Symbols } from "./symbols.ts";

/** Calls that the official client cannot make: filtered reads, and messages of any shape. */

type Named = { s?: string; x?: string | number };
type RawEvent = { i?: number; md?: Record<string, string>; data?: string; meta?: string };
interface RawMessage {
  corr?: number | null;
  structured?: boolean;
  opts?: Named;
  ev?: RawEvent[];
  final?: boolean;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const jsonMetadata = { type: "T", "content-type": "application/json" };
const firstCorrelation = 800_000;
const readWithinMs = 4_000;
const batchWithinMs = 2_500;
const halfCloseAfterMs = 300;
const transportHeaders = new Set(["date", "server", "content-type", "content-length"]);
const appendHeaders = new Set([
  "exception",
  "stream-name",
  "expected-version",
  "actual-version",
  "maximum-append-size",
  "required-metadata-properties",
]);
const answerKinds = [
  "Event",
  "Confirmation",
  "Checkpoint",
  "StreamNotFound",
  "FirstStreamPosition",
  "LastStreamPosition",
  "LastAllStreamPosition",
  "CaughtUp",
  "FellBehind",
];

export function rawCalls(host: string, symbols: Symbols) {
  const open = (): StreamsClient => new StreamsClient(host, credentials.createInsecure(), { "grpc.max_send_message_length": 64 << 20 });
  const failure = (error: ServiceError, wanted: (header: string) => boolean): Outcome => ({
    code: error.code,
    notes: symbols.shorten(error.details),
    md: Object.fromEntries(
      Object.entries(error.metadata?.getMap() ?? {})
        .filter(([key]) => wanted(key))
        .map(([key, value]) => [key, symbols.shorten(String(value))]),
    ),
  });

  function identifier(stream: string): shared.StreamIdentifier {
    const name = new shared.StreamIdentifier();
    name.setStreamName(base64(symbols.stream(stream)));
    return name;
  }

  function uuid(symbol: number, structured = false): shared.UUID {
    const id = new shared.UUID();
    const text = symbols.id(symbol);
    if (!structured) {
      id.setString(text);
      return id;
    }
    const hex = text.replaceAll("-", "");
    const halves = new shared.UUID.Structured();
    halves.setMostSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`))));
    halves.setLeastSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${hex.slice(16)}`))));
    id.setStructured(halves);
    return id;
  }

  function fill(proposal: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage, event: RawEvent, structured = false) {
    if (event.i !== undefined) proposal.setId(uuid(event.i, structured));
    for (const [key, value] of Object.entries(event.md ?? jsonMetadata)) proposal.getMetadataMap().set(key, value);
    proposal.setData(base64(event.data ?? "{}"));
    if (event.meta !== undefined) proposal.setCustomMetadata(base64(event.meta));
  }

  function read(request: streams.ReadReq): Promise<Outcome> {
    return new Promise((resolve) => {
      const client = open();
      const ev: string[] = [];
      const call: ClientReadableStream<streams.ReadResp> = client.read(request);
      const finish = (outcome: Outcome): void => {
        clearTimeout(timer);
        resolve(outcome);
        client.close();
      };
      const timer = setTimeout(() => {
        finish({ timeout: true, ev });
        call.cancel();
      }, readWithinMs);
      call.on("data", (answer: streams.ReadResp) => {
        const says = answer as unknown as Record<string, () => boolean>;
        const kind = answerKinds.find((each) => says[`has${each}`]?.());
        if (kind !== "Event") return void ev.push(kind ?? "?");
        const event = answer.getEvent()?.getEvent() ?? answer.getEvent()?.getLink();
        const name = Buffer.from(event?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
        if (name.includes(symbols.prefix))
          ev.push(`${symbols.shorten(name)}/${event?.getStreamRevision()}/${event?.getMetadataMap().get("type")}`);
      });
      call.on("error", (error: ServiceError) => finish({ ...failure(error, (key) => !transportHeaders.has(key)), ev }));
      call.on("end", () => finish({ ev }));
    });
  }

  function filterOf({ on, prefixes, regex, win, cp, count }: SymbolicFilter): streams.ReadReq.Options.FilterOptions {
    const filter = new streams.ReadReq.Options.FilterOptions();
    const expression = new streams.ReadReq.Options.FilterOptions.Expression();
    if (prefixes) expression.setPrefixList(prefixes.map(symbols.expand));
    if (regex !== undefined) expression.setRegex(symbols.expand(regex));
    if (on === "type") filter.setEventType(expression);
    else if (on === "stream") filter.setStreamIdentifier(expression);
    if (win !== undefined) filter.setMax(win);
    else if (count !== false) filter.setCount(new shared.Empty());
    filter.setCheckpointintervalmultiplier(cp ?? 1);
    return filter;
  }

  function allOptions(from: Operation["from"]): streams.ReadReq.Options.AllOptions {
    const options = new streams.ReadReq.Options.AllOptions();
    const at = symbols.position(from ?? "mark");
    if (at === "start") options.setStart(new shared.Empty());
    else if (at === "end") options.setEnd(new shared.Empty());
    else {
      const position = new streams.ReadReq.Options.Position();
      position.setCommitPosition(String(at.commit));
      position.setPreparePosition(String(at.prepare));
      options.setPosition(position);
    }
    return options;
  }

  function setExpected(
    options: {
      setAny(empty: shared.Empty): unknown;
      setNoStream(empty: shared.Empty): unknown;
      setStreamExists(empty: shared.Empty): unknown;
    },
    expected: string | number,
    setRevision: (revision: string) => unknown,
  ): void {
    if (expected === "any") options.setAny(new shared.Empty());
    else if (expected === "no_stream") options.setNoStream(new shared.Empty());
    else if (expected === "stream_exists") options.setStreamExists(new shared.Empty());
    else if (expected !== "none") setRevision(String(expected));
  }

  return {
    readFiltered({ from, dir, max = 1_000, filter = {}, window, interval = 1 }: Operation): Promise<Outcome> {
      const request = new streams.ReadReq();
      const options = new streams.ReadReq.Options();
      const format = new streams.ReadReq.Options.UUIDOption();
      format.setString(new shared.Empty());
      options.setUuidOption(format);
      options.setAll(allOptions(from));
      options.setCount(String(max));
      options.setReadDirection(dir === "b" ? 1 : 0);
      const { on, prefixes, regex } = filter;
      options.setFilter(
        filterOf({
          ...(on && { on }),
          ...(prefixes && { prefixes }),
          ...(regex !== undefined && { regex }),
          ...(window && { win: window }),
          cp: interval,
        }),
      );
      request.setOptions(options);
      return read(request);
    },

    // biome-ignore lint/suspicious/noExplicitAny: any shape of a request
    read(build: any): Promise<Outcome> {
      const request = new streams.ReadReq();
      const options = new streams.ReadReq.Options();
      if (build.uuid !== false) {
        const format = new streams.ReadReq.Options.UUIDOption();
        if (build.uuid === "structured") format.setStructured(new shared.Empty());
        else format.setString(new shared.Empty());
        options.setUuidOption(format);
      }
      if (build.s !== undefined) {
        const stream = new streams.ReadReq.Options.StreamOptions();
        stream.setStreamIdentifier(identifier(build.s));
        if (build.from === "start") stream.setStart(new shared.Empty());
        else if (build.from === "end") stream.setEnd(new shared.Empty());
        else if (build.from !== undefined) stream.setRevision(String(build.from));
        options.setStream(stream);
      }
      if (build.all) options.setAll(allOptions(build.all));
      if (build.count !== undefined) options.setCount(String(build.count));
      if (build.sub) options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
      options.setReadDirection(build.dir === "b" ? 1 : 0);
      if (build.links) options.setResolveLinks(true);
      if (build.filter) options.setFilter(filterOf(build.filter));
      else if (build.noFilter !== false) options.setNoFilter(new shared.Empty());
      if (build.control) {
        const control = new streams.ReadReq.Options.ControlOption();
        control.setCompatibility(build.control);
        options.setControlOption(control);
      }
      request.setOptions(options);
      return read(request);
    },

    append({ s, x = "any", ev = [], noOptions }: Named & { ev?: RawEvent[]; noOptions?: boolean }): Promise<Outcome> {
      return new Promise((resolve) => {
        const client = open();
        const call = client.append((error, answer) => {
          client.close();
          if (error) return resolve(failure(error, (key) => appendHeaders.has(key)));
          const outcome: Outcome = {};
          const success = answer?.getSuccess();
          if (success) {
            outcome.ok = success.hasNoStream() ? "noStream" : success.getCurrentRevision();
            outcome.p = success.hasPosition() ? "pos" : success.hasNoPosition() ? "noPos" : "none";
          }
          const wrong = answer?.getWrongExpectedVersion();
          if (wrong)
            outcome.wrong = Object.fromEntries(
              Object.entries(wrong.toObject()).map(([key, value]) => [key, typeof value === "object" ? "set" : String(value)]),
            );
          resolve(outcome);
        });
        if (!noOptions) {
          const request = new streams.AppendReq();
          const options = new streams.AppendReq.Options();
          if (s !== undefined) options.setStreamIdentifier(identifier(s));
          setExpected(options, x, (revision) => options.setRevision(revision));
          request.setOptions(options);
          call.write(request);
        }
        for (const event of ev) {
          const request = new streams.AppendReq();
          const proposal = new streams.AppendReq.ProposedMessage();
          fill(proposal, event);
          request.setProposedMessage(proposal);
          call.write(request);
        }
        call.end();
      });
    },

    batch({ msgs }: { msgs: RawMessage[] }): Promise<Outcome> {
      return new Promise((resolve) => {
        const client = open();
        const out: Outcome[] = [];
        const call = client.batchAppend();
        const finish = (outcome: Outcome): void => {
          clearTimeout(timer);
          resolve(outcome);
          client.close();
        };
        const timer = setTimeout(() => {
          finish({ timeout: true, out });
          call.cancel();
        }, batchWithinMs);
        call.on("data", (answer: streams.BatchAppendResp) => out.push(batchAnswer(answer)));
        call.on("error", (error: ServiceError) => finish({ code: error.code, notes: symbols.shorten(error.details), out }));
        call.on("end", () => finish({ out, end: true }));
        for (const message of msgs) {
          const request = new streams.BatchAppendReq();
          if (message.corr !== null) request.setCorrelationId(uuid(message.corr ?? firstCorrelation, message.structured));
          if (message.opts) {
            const options = new streams.BatchAppendReq.Options();
            if (message.opts.s !== undefined) options.setStreamIdentifier(identifier(message.opts.s));
            // Its alternatives are google.protobuf.Empty, which has the same bytes.
            setExpected(options as unknown as Parameters<typeof setExpected>[0], message.opts.x ?? "any", (revision) =>
              options.setStreamPosition(revision),
            );
            request.setOptions(options);
          }
          for (const event of message.ev ?? []) {
            const proposal = new streams.BatchAppendReq.ProposedMessage();
            fill(proposal, event, message.structured);
            request.addProposedMessages(proposal);
          }
          request.setIsFinal(message.final ?? true);
          call.write(request);
        }
        setTimeout(() => call.end(), halfCloseAfterMs);
      });
    },
  };

  function batchAnswer(answer: streams.BatchAppendResp): Outcome {
    const outcome: Outcome = {};
    const success = answer.getSuccess();
    if (success) {
      outcome.ok = success.hasCurrentRevision() ? success.getCurrentRevision() : "noStream";
      outcome.p = success.hasPosition() ? "pos" : success.hasNoPosition() ? "noPos" : "none";
    }
    const error = answer.getError();
    if (error) {
      outcome.err = error.getCode();
      outcome.msg = symbols.shorten(error.getMessage());
      const details = error.getDetails() as { getTypeUrl?(): string; getTypeName?(): string } | undefined;
      outcome.any = details?.getTypeUrl?.() ?? details?.getTypeName?.();
    }
    outcome.exp = answer.getExpectedStreamPositionCase();
    outcome.sid = symbols.shorten(Buffer.from(answer.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString());
    const correlation = answer.getCorrelationId();
    outcome.corr = correlation?.hasString() ? "string" : correlation?.hasStructured() ? "structured" : "none";
    return outcome;
  }
}
