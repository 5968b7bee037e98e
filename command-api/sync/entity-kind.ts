import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { ChangeLog } from "./change-log.ts";

/** A device's change, checked against its schema, as the event it would become. */
export interface ChangeCommand<Event> {
  accountId: string;
  /** Derived from the account and the change's id, so that a change sent twice is one event. */
  eventId: string;
  event: Event;
}

export type Decision = { outcome: "accepted" } | { outcome: "duplicate" } | { outcome: "refused"; code: ErrorCode };

export const accepted: Decision = { outcome: "accepted" };
export const duplicate: Decision = { outcome: "duplicate" };
export const refused = (code: ErrorCode): Decision => ({ outcome: "refused", code });

export interface RecordedEvent<Event> {
  id: string;
  accountId: string;
  event: Event;
}

/** What every state knows of its stream. */
export interface EntityState {
  /** The account of the first event; null before it. */
  readonly owner: string | null;
  readonly changes: ChangeLog;
}

/** A kind of stream that devices' changes go into: how it is read and how its changes are decided. All of it is pure. */
export interface EntityKind<State extends EntityState, Event extends { type: string; data: object }> {
  name: string;
  readEvent(stored: Pick<StoredEvent, "stream" | "type" | "data">): Event | null;
  initial: State;
  evolve(state: State, events: readonly RecordedEvent<Event>[]): State;
  decide(command: ChangeCommand<Event>, state: State): Decision;
  /** The event that deletes the entity: the stream is cut before it, and it is the last to be decided. */
  deletion: string;
}
