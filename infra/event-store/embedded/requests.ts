import type { StreamIdentifier, UUID } from "@eventstore/db-client/generated/shared_pb.js";
import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import { checkpointWindow } from "./limits.ts";
import type { Expected, Filter, ProposedEvent } from "./records.ts";
import { uuidBytes, uuidText } from "./uuid.ts";

/** Reads requests from the generated messages. An invalid one is a `BadRequest`. */

export class BadRequest extends Error {
  override name = "BadRequest";
}

/** @throws {BadRequest} when there is no name. */
export function streamName(identifier: StreamIdentifier | undefined): string {
  const name = identifier ? Buffer.from(identifier.getStreamName_asU8()).toString("utf8") : "";
  if (!name) throw new BadRequest("A stream name is needed.");
  return name;
}

/** A whole number from a 64-bit field; beyond what a JavaScript number holds, the largest it does hold. */
const whole = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER);

interface SaysExpected {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

/** `revision` is read only when the message names none of the three words. */
export function expectedRevision(options: SaysExpected, revision: () => string): Expected {
  if (options.hasAny()) return "any";
  if (options.hasNoStream()) return "no_stream";
  if (options.hasStreamExists()) return "stream_exists";
  return whole(revision());
}

export interface Proposal {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
}

/** @throws {BadRequest} when its id is not a UUID or it has no type. */
export function proposedEvent(proposal: Proposal): ProposedEvent {
  const metadata = proposal.getMetadataMap();
  const id = idBytes(proposal.getId());
  const type = metadata.get("type");
  if (!id) throw new BadRequest("An event id must be a UUID.");
  if (!type) throw new BadRequest("An event needs a type.");
  return {
    id,
    type,
    json: metadata.get("content-type") === "application/json",
    data: proposal.getData_asU8(),
    metadata: proposal.getCustomMetadata_asU8(),
  };
}

/** What an event counts towards the largest append. */
export const eventSize = (event: ProposedEvent): number => event.data.length + event.metadata.length + event.type.length * 2;

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

export interface ReadRequest {
  /** Null reads `$all`. */
  stream: string | null;
  /** A revision of the stream, or a commit position of `$all`. */
  from: number | "start" | "end";
  backwards: boolean;
  /** How many events at most; null subscribes. */
  count: number | null;
  /** Links are followed, and events come with the link they were found by. */
  resolveLinks: boolean;
  filter: Filter | null;
  /** Events between two checkpoints of a filtered subscription, at least. */
  checkpointInterval: number;
}

/** @throws {BadRequest} for an invalid or unsupported request */
export function readRequest(request: ReadReq): ReadRequest {
  const options = request.getOptions();
  const stream = options?.getStream();
  const all = options?.getAll();
  if (!options || (!stream && !all)) throw new BadRequest("Either a stream or $all must be read.");
  const position = stream?.hasRevision() ? stream.getRevision() : all?.getPosition()?.getCommitPosition();
  const end = stream?.hasEnd() || all?.hasEnd();
  const filter = options.getFilter();
  if (filter && stream) throw new BadRequest("Only $all can be filtered.");
  return {
    stream: stream ? streamName(stream.getStreamIdentifier()) : null,
    from: position === undefined ? (end ? "end" : "start") : whole(position),
    backwards: options.getReadDirection() === 1,
    count: options.hasSubscription() ? null : whole(options.getCount()),
    resolveLinks: options.getResolveLinks(),
    filter: filter ? filterOf(filter) : null,
    checkpointInterval: Math.max(1, filter?.getCheckpointintervalmultiplier() ?? 1) * (filter?.getMax() || checkpointWindow),
  };
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
  const prefixes = expression?.getPrefixList() ?? [];
  if (prefixes.length) return { on, prefixes };
  const regex = expression?.getRegex();
  if (!regex) throw new BadRequest("A filter needs prefixes or a regular expression.");
  try {
    return { on, pattern: new RegExp(regex, "u") };
  } catch (error) {
    throw new BadRequest(`The filter's regular expression cannot be read: ${error instanceof Error ? error.message : regex}`);
  }
}
