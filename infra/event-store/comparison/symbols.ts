import { createHash } from "node:crypto";
import {
  type AllStreamResolvedEvent,
  binaryEvent,
  END,
  type EventData,
  type EventStoreDBClient,
  jsonEvent,
  type Position,
  type ResolvedEvent,
  START,
} from "@eventstore/db-client";
import type { Outcome, Place, ProposedSymbol } from "./recording.ts";

type RecordedEvent = NonNullable<ResolvedEvent["event"]> & { position?: Position };
export type AnyResolved = Partial<Pick<AllStreamResolvedEvent, "event" | "link" | "commitPosition">> | ResolvedEvent;

const longText = 300;
const sha1 = (content: string | Uint8Array): string => createHash("sha1").update(content).digest("hex");

/** Translates the symbols of one sequence to the names, ids and positions of this run, and what was answered back to symbols. */
export class Symbols {
  readonly prefix: string;
  /** Position of the event with which the sequence began. */
  mark: Position = { commit: 0n, prepare: 0n };
  readonly #ids = new Map<string, string>();
  readonly #positions = new Map<string, bigint>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  stream(symbol: string): string {
    if (symbol.startsWith("=")) return symbol.slice(1);
    const [, system = "", rest = ""] = /^(\$\$?)?(.*)$/s.exec(symbol) ?? [];
    return `${system}${this.prefix}${rest}`;
  }

  /** `~` stands for the prefix. */
  expand = (text: string): string => text.split("~").join(this.prefix);
  shorten = (text: string): string => text.split(this.prefix).join("~");

  id(symbol: number | string): string {
    if (typeof symbol === "string") return symbol;
    const hex = sha1(`${this.prefix}/${symbol}`);
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    this.#ids.set(id, `#${symbol}`);
    return id;
  }

  event({ i, t = "T", d = {}, m, b = false, size, msize }: ProposedSymbol): EventData {
    const content = size === undefined ? bytesOf(d) : b ? new Uint8Array(size).fill(120) : "x".repeat(size);
    const metadata = msize === undefined ? bytesOf(typeof m === "string" ? this.expand(m) : m) : new Uint8Array(msize).fill(109);
    const data = typeof content === "string" ? this.expand(content) : content;
    const head = { id: this.id(i), type: this.expand(t), ...(metadata !== undefined && { metadata: metadata as Uint8Array }) };
    if (data instanceof Uint8Array) return binaryEvent({ ...head, data });
    if (b) return binaryEvent({ ...head, data: Uint8Array.from(Buffer.from(typeof data === "string" ? data : JSON.stringify(data))) });
    return jsonEvent({ ...head, data: data as Record<string, unknown> });
  }

  revision(place: Place): bigint | typeof START | typeof END {
    if (place === "start") return START;
    if (place === "end") return END;
    return BigInt(place as string | number);
  }

  position(place: Place): Position | typeof START | typeof END {
    if (place === "start") return START;
    if (place === "end") return END;
    if (place === "mark" || typeof place !== "object") return this.mark;
    const base = place.ev
      ? this.#positions.get(`${this.stream(place.ev[0])}/${place.ev[1]}`)
      : place.abs === undefined
        ? undefined
        : BigInt(place.abs);
    const moved = (base ?? this.mark.commit) + BigInt(place.d ?? 0);
    const commit = moved < 0n ? 0n : moved;
    return { commit, prepare: place.p === undefined ? commit + BigInt(place.pd ?? 0) : BigInt(place.p) };
  }

  /** How an append's position looks; remembers it for later operations. */
  appended(stream: string, revision: bigint, position: Position | undefined, wrote: boolean): string {
    const shape = positionShape(position);
    if (!position || !wrote) return shape;
    const key = `${stream}/${revision}`;
    const known = this.#positions.get(key);
    if (known === undefined) this.#positions.set(key, position.commit);
    return known === undefined || known === position.commit ? shape : `${shape}+other`;
  }

  isOwn = (resolved: AnyResolved): boolean => ((resolved.link ?? resolved.event)?.streamId ?? "").includes(this.prefix);

  resolved(resolved: AnyResolved): Outcome {
    const commit = "commitPosition" in resolved ? resolved.commitPosition : undefined;
    const { event, link } = resolved as { event?: RecordedEvent; link?: RecordedEvent };
    if (!event && !link) return { none: true };
    const e = event && this.#recorded(event, link ? undefined : commit, Boolean(link));
    const l = link && this.#recorded(link, commit, false);
    if (e && l) e.p = String(e.p).replace("+nocp", "");
    return { ...(e && { e }), ...(l && { l }) };
  }

  error(error: unknown): Outcome {
    const given = error as Record<string, unknown> & { constructor?: { name: string } };
    const outcome: Outcome = { err: given?.constructor?.name ?? typeof error };
    const fields = [
      "type",
      "streamName",
      "expectedVersion",
      "actualVersion",
      "expectedRevision",
      "actualRevision",
      "maxAppendSize",
      "groupName",
      "count",
      "expected",
    ];
    for (const field of fields) {
      const value = given?.[field];
      if (value !== undefined) outcome[field] = typeof value === "bigint" ? `${value}n` : this.shorten(String(value));
    }
    if (typeof given?.code === "number") outcome.code = given.code;
    outcome.notes = this.shorten(String(given?.message ?? error)).slice(0, longText);
    return outcome;
  }

  #recorded(event: RecordedEvent, commitPosition: bigint | undefined, isLinked: boolean): Outcome {
    const key = `${event.streamId}/${event.revision}`;
    const { position } = event;
    let shape = positionShape(position);
    if (position) {
      const known = this.#positions.get(key);
      if (known === undefined) this.#positions.set(key, position.commit);
      else if (known !== position.commit) shape += "+moved";
      if (commitPosition !== undefined && commitPosition !== position.commit) shape += "+cp!=";
    }
    if (commitPosition === undefined && !isLinked) shape += "+nocp";
    return {
      s: this.shorten(event.streamId),
      r: String(event.revision),
      t: this.shorten(event.type),
      id: this.#ids.get(event.id) ?? "gen",
      j: event.isJson,
      d: this.content(event.data),
      m: this.content(event.metadata),
      p: shape,
      ...(Math.abs(Date.now() - event.created.getTime()) >= 600_000 && { age: "far" }),
    };
  }

  /** Data or metadata; long ones by their hash. */
  content(value: unknown): unknown {
    if (value instanceof Uint8Array) {
      const bytes = Buffer.from(value);
      if (bytes.length > longText) return { sha: sha1(bytes), len: bytes.length };
      const text = bytes.toString("utf8");
      return text.includes(this.prefix) ? { text: this.shorten(text) } : { hex: bytes.toString("hex") };
    }
    if (value === undefined) return "undef";
    const text = JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}n` : each));
    return text.length > longText ? { sha: sha1(text), len: text.length } : JSON.parse(this.shorten(text));
  }
}

export const positionShape = (position: Position | undefined): string =>
  position === undefined ? "none" : position.commit === position.prepare ? "c=p" : "c!=p";

const bytesOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "hex" in value && typeof value.hex === "string"
    ? Uint8Array.from(Buffer.from(value.hex, "hex"))
    : value;

/** Position of the last event; 0 when there is none. */
export async function headOf(client: EventStoreDBClient): Promise<bigint> {
  for await (const { event } of client.readAll({ direction: "backwards", fromPosition: END, maxCount: 1 }))
    return event?.position.commit ?? 0n;
  return 0n;
}
