import type { ErrorCode, FieldError, Problem } from "@colloquy/schemas/errors.ts";

/** Where a stored event stands in its stream, and who caused it. */
export interface RecordedMetadata {
  id: string;
  revision: number;
  /** Commit position; empty while the event is decided on and not appended yet. */
  position: string;
  accountId?: string | undefined;
  requestId?: string | undefined;
  /** Of the span that appended the event, where its trace is kept. */
  traceparent?: string | undefined;
}

/** An event with its metadata. */
export type Recorded<Event> = Event & { metadata: RecordedMetadata };

/** Rules of one kind of stream. All functions are pure: time, ids and what models answered come with the command. */
export interface Decider<Command, Event, State> {
  readonly initialState: State;
  /** The events that a command leads to, none when it changes nothing (a repeated request, say), or why it is rejected. */
  decide(command: Command, state: State): readonly Event[] | Rejection;
  /** The state after one more event. The given state stays as it was. */
  evolve(state: State, event: Recorded<Event>): State;
}

/** What a client is told of a rejection beside its code. */
export interface RejectionOptions {
  detail?: string;
  fields?: FieldError[];
  retryAfterSeconds?: number;
  live?: NonNullable<Problem["live"]>;
}

/** Why a command is not carried out. The command handler answers it as a problem with this code. */
export class Rejection {
  readonly code: ErrorCode;
  readonly options: RejectionOptions;
  constructor(code: ErrorCode, options: RejectionOptions = {}) {
    this.code = code;
    this.options = options;
  }
}
