import type { Drafts } from "../store/drafts.ts";
import type { RunningRow } from "../store/rows.ts";
import type { LiveTurn } from "./exchanges.ts";
import type { TurnParts } from "./run-turn.ts";

/** What a session depends on. */
export interface SessionParts extends TurnParts {
  drafts: Drafts;
}

/** Events of a session. */
export type SessionEvents = {
  /** Something that is shown changed. */
  change: undefined;
  /** The title, busy state or presence changed. Not emitted for every word. */
  outline: undefined;
  /** The first turn was sent: the conversation now has an address. */
  claimed: undefined;
  /** The first turn failed: the conversation has no address again. */
  unclaimed: undefined;
  /** A question is returned to the composer. */
  returned: { question: string };
  announce: { text: string };
};

/** "missing": this account has no such conversation; "deleted": it was deleted while open. */
export type Presence = "new" | "loading" | "present" | "missing" | "deleted" | "unreachable";

/** The conversation whose turn ended. */
export interface TurnHost {
  presence: Presence;
  /** The turn that is shown as running or failed. */
  live: LiveTurn | null;
  readonly draftText: string;
  /** No answer is being written any more. */
  end(): void;
  changed(): void;
  /** The conversation does not exist any more. */
  markMissing(): void;
  /** The first turn failed. */
  unclaim(): Promise<void>;
  /** Sets the composer's text. */
  write(text: string): void;
  /** A question waits to be sent again. Returns the row to store. */
  holdUnsent(row: RunningRow): RunningRow;
  announce(text: string): void;
}
