/** Kinds of requests, by their name in the report. */
export const requestKinds = [
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
export type RequestKind = (typeof requestKinds)[number];

/** One request and its outcome. Times are `performance.now()` in milliseconds. */
export interface RecordedRequest {
  name: RequestKind;
  who: string;
  startedAt: number;
  endedAt: number;
  /**
   * `done`; `waits`: refused in words, to be tried again; `unreachable`: nobody took the connection; `broken`: it ended before the answer did;
   * `hung`: no answer, or no more of it, in time; `wrong`: an answer that must not be, which `why` tells.
   */
  outcome: "done" | "waits" | "unreachable" | "broken" | "hung" | "wrong";
  status: number;
  why: string;
}

/** All requests of a run. */
export interface RequestLog {
  requests: RecordedRequest[];
  /** The streams that are open now. */
  streams: Set<object>;
}

export const emptyRequestLog = (): RequestLog => ({ requests: [], streams: new Set() });

/** Kinds whose answer is a stream. */
export const streamedKinds: readonly RequestKind[] = ["ask", "quiz", "tutor", "film", "live stream"];
