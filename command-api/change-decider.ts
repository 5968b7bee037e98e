import { createHash } from "node:crypto";
import type { PersonalEvent } from "@colloquy/schemas/events/personal.ts";
import canonicalize from "canonicalize";
import { type Recorded, Rejection } from "./decider.ts";

/** A device's change, checked against its schema, as the event it would become. */
export interface ChangeCommand {
  accountId: string;
  /** Derived from the account and the change's id, so that a change sent twice is one event. */
  eventId: string;
  event: PersonalEvent;
}

/** What every state knows of its stream. */
export interface EntityState {
  /** The account of the first event; null before it. */
  readonly owner: string | null;
  /** Digests of the changes by event id. */
  readonly changes: DigestLog;
}

type AnyEvent = { type: string; data: object };

/** Equal for equal content, whatever the order of its fields. */
export function digestOf({ type, data }: AnyEvent): string {
  return createHash("sha256")
    .update(canonicalize({ type, data }) ?? "")
    .digest("base64");
}

/** The answer to a change of another account, or one that was made before; null for a new one. Existence is revealed to the owner alone. */
export function decideKnown({ accountId, eventId, event }: ChangeCommand, { owner, changes }: EntityState): [] | Rejection | null {
  if (owner !== null && owner !== accountId) return new Rejection("not_found");
  const known = changes.get(eventId);
  if (known === undefined) return null;
  return known === digestOf(event) ? [] : new Rejection("request_id_reused");
}

/** Owner and log of changes after one more event. */
export function evolveEntity({ owner, changes }: EntityState, event: Recorded<AnyEvent>, digest = digestOf(event)): EntityState {
  return { owner: owner ?? event.metadata.accountId ?? null, changes: changes.with(event.metadata.id, digest) };
}

/** Digests in the order in which they were added, shared by all logs that grew out of one another. */
interface Shared {
  readonly places: Map<string, number>;
  readonly ids: string[];
  readonly digests: string[];
}

/**
 * An append-only map from ids to digests. Adding makes a new log and leaves the old one as it was: a log sees the first `size` entries of
 * a shared list, so that a hundred thousand changes are added one by one without copying.
 */
export class DigestLog {
  static readonly empty = new DigestLog({ places: new Map(), ids: [], digests: [] }, 0);
  readonly #shared: Shared;
  readonly size: number;

  private constructor(shared: Shared, size: number) {
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

  /** A digest that is there already stays. */
  with(id: string, digest = ""): DigestLog {
    const { ids, digests } = this.#shared;
    if (this.has(id)) return this;
    const isNext = ids[this.size] === id && digests[this.size] === digest;
    if (isNext) return new DigestLog(this.#shared, this.size + 1);
    // The shared empty list stays empty, and a list that grew in another direction since is left to that.
    const isNewest = this.size > 0 && ids.length === this.size;
    const shared = isNewest ? this.#shared : this.#copy();
    shared.places.set(id, this.size);
    shared.ids.push(id);
    shared.digests.push(digest);
    return new DigestLog(shared, this.size + 1);
  }

  #copy(): Shared {
    const ids = this.#shared.ids.slice(0, this.size);
    return { ids, digests: this.#shared.digests.slice(0, this.size), places: new Map(ids.map((id, place) => [id, place])) };
  }
}
