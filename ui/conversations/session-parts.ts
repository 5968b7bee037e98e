import type { Drafts } from "../store/drafts.ts";
import type { RunningRow } from "../store/rows.ts";
import type { LiveTurn } from "./exchanges.ts";
import type { TurnParts } from "./run-turn.ts";

/** What a session stands on. */
export interface SessionParts extends TurnParts {
  drafts: Drafts;
}

/** What a session tells whoever shows it. */
export type SessionEvents = {
  /** Something to be shown changed. */
  change: undefined;
  /** What others show of it changed: its title, whether it is busy, whether it is there. Not told for every word that arrives. */
  outline: undefined;
  /** The first turn was sent: the conversation now has its address. */
  claimed: undefined;
  /** Nothing came of the first turn: the address is given up again. */
  unclaimed: undefined;
  /** A question goes back to the composer. */
  returned: { question: string };
  announce: { text: string };
};

/** "missing": there is no such conversation for this account; "deleted": there was one until now. */
export type Presence = "new" | "loading" | "present" | "missing" | "deleted" | "unreachable";

/** The conversation whose turn ended. */
export interface TurnHost {
  presence: Presence;
  /** What is being written, as it is shown. */
  live: LiveTurn | null;
  readonly draftText: string;
  /** Nothing is being written any more. */
  end(): void;
  changed(): void;
  /** It is not there any more. */
  markMissing(): void;
  /** Nothing came of its first turn. */
  unclaim(): Promise<void>;
  /** Puts a text into the composer. */
  write(text: string): void;
  /** A question waits until it is sent again. Gives back how it is kept. */
  holdUnsent(row: RunningRow): RunningRow;
  announce(text: string): void;
}
