import type { StreamIdentifier, UUID } from "@eventstore/db-client/generated/shared_pb.js";
import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import { checkpointWindow, endOfStream, noStreamRevision } from "./limits.ts";
import { netPattern } from "./net-pattern.ts";
import type { Expected, Filter, ProposedEvent } from "./records.ts";
import { uuidBytes, uuidText } from "./uuid.ts";

/** Reads requests from the generated messages. An invalid one is a `BadRequest`. */

/** `isFault`: EventStoreDB has no answer of its own for it, and says only that its handler threw. */
export class BadRequest extends Error {
  override name = "BadRequest";
  readonly isFault: boolean;
  readonly details: Record<string, string>;
  constructor(message: string, { isFault = false, details = {} }: { isFault?: boolean; details?: Record<string, string> } = {}) {
    super(message);
    this.isFault = isFault;
    this.details = details;
  }
}

const fault = (message: string): BadRequest => new BadRequest(message, { isFault: true });

/** @throws {BadRequest} when there is no name. */
export function streamName(identifier: StreamIdentifier | undefined): string {
  const name = identifier ? Buffer.from(identifier.getStreamName_asU8()).toString("utf8") : "";
  if (!name) throw fault("A stream name is needed.");
  return name;
}

/** A revision or a part of a position; "end" for the largest number. @throws {BadRequest} for one that no revision can be */
function revisionOf(text: string): bigint | "end" {
  const number = BigInt(text);
  if (number === noStreamRevision) return "end";
  if (number > endOfStream) throw fault("A revision may be 9223372036854775807 at most.");
  return number;
}

/** A whole number from a 64-bit field; beyond what a JavaScript number holds, the largest it does hold. */
const whole = (number: bigint): number => (number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number));

interface SaysExpected {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

/** `revision` is read only when the message names none of the three words, and null when it names no revision either. @throws {BadRequest} */
export function expectedRevision(options: SaysExpected, revision: () => string | null): Expected {
  if (options.hasAny()) return "any";
  if (options.hasNoStream()) return "no_stream";
  if (options.hasStreamExists()) return "stream_exists";
  const text = revision();
  if (text === null) throw new BadRequest("An expected revision is needed.");
  const expected = revisionOf(text);
  return expected === "end" ? noStreamRevision : expected;
}

export interface Proposal {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
}

/** @throws {BadRequest} when its id is not a UUID, or its type or content type is missing */
export function proposedEvent(proposal: Proposal): ProposedEvent {
  const metadata = proposal.getMetadataMap();
  const required = (key: string): string => {
    const value = metadata.get(key);
    if (value === undefined)
      throw new BadRequest(`Required Metadata Property '${key}' is missing`, {
        details: { exception: "missing-required-metadata-property", "required-metadata-properties": "type,content-type" },
      });
    return value;
  };
  const type = required("type");
  const contentType = required("content-type");
  const id = idBytes(proposal.getId());
  if (!id || id.every((byte) => byte === 0)) throw fault("An event id must be a UUID.");
  if (!type) throw fault("An event needs a type.");
  return {
    id,
    type,
    json: contentType === "application/json",
    data: proposal.getData_asU8(),
    metadata: proposal.getCustomMetadata_asU8(),
  };
}

/** Whether the call holds text that is no valid UTF-8, which EventStoreDB's decoder refuses with the whole call. */
export const isMalformed = (proposal: Proposal): boolean => !(proposal.getMetadataMap().get("type") ?? "").isWellFormed();

/** What an event counts towards the largest append: EventStoreDB counts its data alone. */
export const eventSize = (event: ProposedEvent): number => event.data.length;

function idBytes(id: UUID | undefined): Uint8Array | null {
  const structured = id?.getStructured();
  if (!structured) return uuidBytes(id?.getString() ?? "");
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(structured.getMostSignificantBits()), 0);
  bytes.writeBigInt64BE(BigInt(structured.getLeastSignificantBits()), 8);
  return bytes;
}

/** An id as text, whichever way it was sent; empty for none. */
export function idText(id: UUID | undefined): string {
  const bytes = idBytes(id);
  return bytes ? uuidText(bytes) : "";
}

/** A position of `$all` as a caller sends it. */
export interface Place {
  commit: number;
  prepare: number;
}

interface ReadOptions {
  backwards: boolean;
  /** How many events at most; null subscribes. */
  count: number | null;
  /** Links are followed, and events come with the link they were found by. */
  resolveLinks: boolean;
  /** From version 1 on, a read of a stream tells its first or last revision. */
  compatibility: number;
}

export interface StreamRead extends ReadOptions {
  stream: string;
  /** Numbers above what JavaScript holds are the largest it does hold. */
  from: number | "start" | "end";
}

export interface AllRead extends ReadOptions {
  stream: null;
  from: Place | "start" | "end";
  filter: Filter | null;
  /** Events that a page of a filtered read looks at, at most. */
  window: number;
  /** Events between two checkpoints of a filtered subscription, at least. */
  checkpointInterval: number;
}

export type ReadRequest = StreamRead | AllRead;

/** @throws {BadRequest} for an invalid or unsupported request */
export function readRequest(request: ReadReq): ReadRequest {
  const options = request.getOptions();
  const stream = options?.getStream();
  const all = options?.getAll();
  if (!options || (!stream && !all)) throw new BadRequest("Either a stream or $all must be read.");
  const backwards = options.getReadDirection() === 1;
  const filter = options.getFilter();
  if (!options.hasCount() && !options.hasSubscription()) throw new BadRequest("A read needs a count, or to be a subscription.");
  if (options.hasSubscription() && backwards) throw new BadRequest("A subscription reads forwards.");
  if (!filter && !options.hasNoFilter()) throw new BadRequest("A read must say whether it is filtered.");
  if (filter && stream) throw new BadRequest("Only $all can be filtered.");
  const read: ReadOptions = {
    backwards,
    count: options.hasSubscription() ? null : whole(BigInt(options.getCount())),
    resolveLinks: options.getResolveLinks(),
    compatibility: options.getControlOption()?.getCompatibility() ?? 0,
  };
  if (stream) {
    const name = streamName(stream.getStreamIdentifier());
    if (stream.hasStart()) return { ...read, stream: name, from: "start" };
    if (stream.hasEnd()) return { ...read, stream: name, from: "end" };
    if (!stream.hasRevision()) throw fault("A read needs a place to begin.");
    const revision = revisionOf(stream.getRevision());
    // A subscription begins behind the revision, and there is none behind the last.
    if (revision === endOfStream && read.count === null) throw fault("There is no revision behind the last.");
    return { ...read, stream: name, from: revision === "end" ? "end" : whole(revision) };
  }
  const multiplier = filter?.getCheckpointintervalmultiplier() ?? 1;
  if (filter && read.count === null && multiplier === 0) throw fault("The checkpoint interval must be 1 at least.");
  if (filter && !filter.hasMax() && !filter.hasCount()) throw new BadRequest("A filter needs a window.");
  const window = filter?.hasMax() ? filter.getMax() : checkpointWindow;
  return {
    ...read,
    stream: null,
    from: placeOf(all),
    filter: filter ? filterOf(filter) : null,
    window,
    checkpointInterval: Math.max(1, multiplier * window),
  };
}

type AllOptions = NonNullable<ReturnType<NonNullable<ReturnType<ReadReq["getOptions"]>>["getAll"]>>;

/** @throws {BadRequest} */
function placeOf(all: AllOptions | undefined): AllRead["from"] {
  if (all?.hasStart()) return "start";
  if (all?.hasEnd()) return "end";
  const position = all?.getPosition();
  if (!position) throw fault("A read needs a place to begin.");
  if (BigInt(position.getCommitPosition()) < BigInt(position.getPreparePosition()))
    throw fault("The commit position cannot be less than the prepare position.");
  const commit = revisionOf(position.getCommitPosition());
  const prepare = revisionOf(position.getPreparePosition());
  if (commit === "end" || prepare === "end") {
    if (commit !== prepare) throw fault("A position may be 9223372036854775807 at most.");
    return "end";
  }
  return commit === 0n ? "start" : { commit: whole(commit), prepare: whole(prepare) };
}

interface SaysFilter {
  hasEventType(): boolean;
  getEventType(): Expression | undefined;
  getStreamIdentifier(): Expression | undefined;
}
interface Expression {
  getPrefixList(): string[];
  getRegex(): string;
}

/** @throws {BadRequest} */
function filterOf(filter: SaysFilter): Filter {
  const on = filter.hasEventType() ? "type" : "stream";
  const expression = filter.getEventType() ?? filter.getStreamIdentifier();
  if (!expression) throw new BadRequest("A filter needs prefixes or a regular expression.");
  const regex = expression.getRegex();
  const prefixes = expression.getPrefixList();
  if (!regex.isWellFormed() || !prefixes.every((prefix) => prefix.isWellFormed())) throw fault("A filter must be valid UTF-8.");
  // Without prefixes nothing matches.
  if (!regex) return { on, matches: (text) => prefixes.some((prefix) => text.startsWith(prefix)) };
  try {
    const pattern = netPattern(regex);
    return { on, matches: (text) => pattern.test(text) };
  } catch (error) {
    throw fault(`The filter's regular expression cannot be read: ${error instanceof Error ? error.message : regex}`);
  }
}
