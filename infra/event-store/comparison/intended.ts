import { status } from "@grpc/grpc-js";
import { canonical } from "./canonical.ts";
import type { Operation, Outcome } from "./recording.ts";

/** What the embedded store means to answer otherwise than EventStoreDB, each with its reason. The comparison counts these apart. */
export interface IntendedDifference {
  name: string;
  reason: string;
  /** "usual": only outside strict mode. */
  mode: "always" | "usual";
  matches(difference: Difference): boolean;
}

export interface Difference {
  operation: Operation;
  recorded: Outcome;
  answered: Outcome;
  before: readonly Operation[];
}

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    name: "error about a stream whose name cannot stand in a header",
    reason:
      "EventStoreDB ends the call with HTTP status 500, or with nothing; the embedded store says what happened, with ? for such characters.",
    mode: "always",
    matches: ({ operation, recorded, answered }) =>
      /[^\x20-\x7e]/.test(operation.s ?? "") &&
      ["StreamDeletedError", "WrongExpectedVersionError"].includes(String(answered.err)) &&
      (recorded.code === status.UNKNOWN || isEmpty(recorded.ev)),
  },
  {
    name: "hidden text leaves at once",
    reason:
      "What a deletion or a truncation hides is removed from $all and from the files before the write is answered, not by a scavenge.",
    mode: "usual",
    matches: ({ operation, recorded, answered, before }) => {
      const cut = streamsCut([...before, operation]);
      const isCut = (event: unknown): boolean => cut.has(streamOf(event));
      const there = new Set(list(answered.ev).map(canonical));
      const left = list(recorded.ev).filter((event) => there.has(canonical(event)) || !isCut(event));
      const rest = ({ ev: _events, resume: _resume, ...others }: Outcome): string => canonical(others);
      if (answered.err === "StreamNotFoundError" || recorded.err !== answered.err) return false;
      return canonical(left) === canonical(answered.ev ?? []) && rest(recorded) === rest(answered);
    },
  },
];

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Streams that operations deleted or gave metadata, and their metastreams, by their symbols. */
const streamsCut = (operations: readonly Operation[]): Set<string> =>
  new Set(
    operations
      .flatMap((operation) => [operation, ...(operation.during ?? [])])
      .filter(({ k, s }) => ["del", "tomb", "setMeta"].includes(k) || s?.startsWith("$$"))
      .flatMap(({ s = "" }) => [s.replace(/^\$\$/, ""), `$$${s.replace(/^\$\$/, "")}`]),
  );

/** The stream of an event in an outcome, as the operations name it. The event is an object, or `stream/revision/type` of a raw read. */
function streamOf(event: unknown): string {
  if (typeof event === "string") return event.split("/").slice(0, -2).join("/").replace("~", "");
  const { e, l } = event as { e?: { s: string }; l?: { s: string } };
  return ((l ?? e)?.s ?? "").replace("~", "");
}
