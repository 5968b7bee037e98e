import { createHash } from "node:crypto";
import type { PersonalEvent } from "@colloquy/schemas/events/personal.ts";
import canonicalize from "canonicalize";
import { type Recorded, Rejection } from "./decider.ts";

/** A valid change of a device, with the event that it leads to. */
export interface ChangeCommand {
  accountId: string;
  /** Idempotency key: a command with the id of an earlier one is a repetition of it. */
  changeId: string;
  event: PersonalEvent;
}

/** The part of the state that all streams of changes have. */
export interface EntityState {
  /** The account of the first event; null before it. */
  readonly owner: string | null;
  /** Digests of the changes by change id. */
  readonly changes: DigestLog;
}

type AnyEvent = { type: string; data: object };

/** Independent of the order of fields. */
export function digestOf({ type, data }: AnyEvent): string {
  return createHash("sha256")
    .update(canonicalize({ type, data }) ?? "")
    .digest("base64");
}

/** The decision on a repeated change, or on one of another account, which does not learn that the stream exists; null for a new change. */
export function decideRepeated({ accountId, changeId, event }: ChangeCommand, { owner, changes }: EntityState): [] | Rejection | null {
  if (owner !== null && owner !== accountId) return new Rejection("not_found");
  const known = changes.get(changeId);
  if (known === undefined) return null;
  return known === digestOf(event) ? [] : new Rejection("request_id_reused");
}

/** Owner and changes after one more event. */
export function evolveEntity({ owner, changes }: EntityState, event: Recorded<AnyEvent>, digest = digestOf(event)): EntityState {
  const { id, requestId = id, accountId = null } = event.metadata;
  return { owner: owner ?? accountId, changes: changes.with(requestId, digest) };
}

/** Entries in order, shared by all logs that were derived from one another. */
interface SharedEntries {
  readonly places: Map<string, number>;
  readonly ids: string[];
  readonly digests: string[];
}

/**
 * An append-only persistent map from ids to digests. A log is the first `size` entries of a shared list, so that adding a hundred thousand
 * changes one by one copies nothing.
 */
export class DigestLog {
  static readonly empty = new DigestLog({ places: new Map(), ids: [], digests: [] }, 0);
  readonly #shared: SharedEntries;
  readonly size: number;

  private constructor(shared: SharedEntries, size: number) {
    this.#shared = shared;
    this.size = size;
  }

  get(id: string): string | undefined {
    const place = this.#shared.places.get(id);
    return place !== undefined && place < this.size ? this.#shared.digests[place] : undefined;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** An existing digest stays. */
  with(id: string, digest = ""): DigestLog {
    const { ids, digests } = this.#shared;
    if (this.has(id)) return this;
    const isNext = ids[this.size] === id && digests[this.size] === digest;
    if (isNext) return new DigestLog(this.#shared, this.size + 1);
    // The shared empty list stays empty. A list that another log has extended is copied.
    const isNewest = this.size > 0 && ids.length === this.size;
    const shared = isNewest ? this.#shared : this.#copy();
    shared.places.set(id, this.size);
    shared.ids.push(id);
    shared.digests.push(digest);
    return new DigestLog(shared, this.size + 1);
  }

  #copy(): SharedEntries {
    const ids = this.#shared.ids.slice(0, this.size);
    return { ids, digests: this.#shared.digests.slice(0, this.size), places: new Map(ids.map((id, place) => [id, place])) };
  }
}
