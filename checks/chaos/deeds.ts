/** What learners do, each by the name it has in the report. */
export const deedNames = [
  "sign in",
  "read a page",
  "poll a revision",
  "read a conversation",
  "read what was just written",
  "pull",
  "live stream",
  "push",
  "ask",
  "quiz",
  "tutor",
  "publish",
  "film",
  "look into another's",
] as const;
export type DeedName = (typeof deedNames)[number];

/** How one request went. */
export interface Deed {
  name: DeedName;
  who: string;
  /** By `performance.now()`. */
  began: number;
  ended: number;
  /**
   * `done`; `waits`: refused in words, to be tried again; `unreachable`: nobody took the connection; `broken`: it ended before the answer did;
   * `hung`: no answer, or no more of it, in time; `wrong`: an answer that must not be, which `why` tells.
   */
  outcome: "done" | "waits" | "unreachable" | "broken" | "hung" | "wrong";
  status: number;
  why: string;
}

/** Every request of a run. */
export interface Record {
  deeds: Deed[];
  /** Streams under way: how many there are now. */
  streams: Set<object>;
}

export const emptyRecord = (): Record => ({ deeds: [], streams: new Set() });

/** Those that are answered in pieces, as they come. */
export const streaming: readonly DeedName[] = ["ask", "quiz", "tutor", "film", "live stream"];
