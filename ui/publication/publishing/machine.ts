import { bounds } from "@colloquy/schemas/bounds.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { ClientProblem } from "../../api/problems.ts";
import type { Base } from "../session.ts";
import type { InvalidFormula } from "./invalid-formulas.ts";

/**
 * State machine of a publication: pure, with effects as values. It never touches the draft, which stays in the browser until a page shows the
 * published revision.
 */
export type PublishState =
  /** No request is running. */
  | { kind: "idle" }
  /** A request is running, the `tries`-th for this content. */
  | { kind: "publishing"; tries: number }
  /** Retried automatically at `until` (milliseconds since 1970), or if null as soon as there is a connection. */
  | { kind: "waiting"; tries: number; until: number | null; why: "trouble" | "rate-limited" | "offline" }
  /** The author has to act. `exhausted`: all retries failed; `refused`: a retry would be refused again. */
  | { kind: "failed"; why: "exhausted" | "refused"; problem: ClientProblem }
  | { kind: "invalid"; errors: readonly FieldError[] }
  /** Another revision was published since the base; `live` if the service named it. */
  | { kind: "conflict"; live: Base | null; by: PublishedBy }
  /** `invalidFormulas`: published formulas that readers see as source. */
  | { kind: "published"; base: Base; at: number; invalidFormulas: readonly InvalidFormula[] }
  /** The author stopped it. Whether it was published is unknown until the same request is repeated. */
  | { kind: "stopped" };

/** Who published the other revision: the author elsewhere, or another owner; null if unknown. */
export type PublishedBy = "you" | "another" | null;

export type PublishEvent =
  /** The author left Edit or pressed Publish. */
  | { type: "wanted"; changed: boolean; online: boolean }
  | { type: "invalid"; errors: readonly FieldError[] }
  /** A listed problem was repaired: `errors` are left. */
  | { type: "repaired"; errors: readonly FieldError[] }
  | { type: "answered"; base: Base; at: number; invalidFormulas: readonly InvalidFormula[] }
  /** @property chance jitter from 0 to 1; `by` who published the conflicting revision */
  | { type: "failed"; problem: ClientProblem; now: number; chance: number; online: boolean; by?: PublishedBy }
  | { type: "time-came" }
  | { type: "online" }
  | { type: "stop" }
  /** The course changed, so the last outcome is outdated. */
  | { type: "edited" }
  /** The conflict was resolved into a course based on the live revision. */
  | { type: "resolved"; changed: boolean; online: boolean };

/** What the publisher has to do. */
export type PublishEffect = { do: "send" } | { do: "wait"; ms: number } | { do: "cancel" };

export interface Next {
  state: PublishState;
  effects: PublishEffect[];
}

export const idle: PublishState = { kind: "idle" };

/** Whether publishing is running or waiting to retry. */
export const isUnderWay = ({ kind }: PublishState): boolean => kind === "publishing" || kind === "waiting";

export function next(state: PublishState, event: PublishEvent): Next {
  const stay: Next = { state, effects: [] };
  switch (event.type) {
    case "wanted":
    case "resolved":
      if (state.kind === "publishing") return stay;
      // A conflict has to be resolved in its sheet first.
      if (state.kind === "conflict" && event.type === "wanted") return stay;
      if (!event.changed) return { state: idle, effects: cancelled(state) };
      return event.online
        ? { state: { kind: "publishing", tries: 1 }, effects: [...cancelled(state), { do: "send" }] }
        : { state: { kind: "waiting", tries: 0, until: null, why: "offline" }, effects: cancelled(state) };
    case "invalid":
      return state.kind === "publishing" ? { state: { kind: "invalid", errors: event.errors }, effects: [] } : stay;
    case "repaired":
      return state.kind === "idle" && event.errors.length ? { state: { kind: "invalid", errors: event.errors }, effects: [] } : stay;
    case "answered":
      return state.kind === "publishing"
        ? { state: { kind: "published", base: event.base, at: event.at, invalidFormulas: event.invalidFormulas }, effects: [] }
        : stay;
    case "failed":
      return state.kind === "publishing" ? failed(state.tries, event) : stay;
    case "time-came":
      if (state.kind !== "waiting" || state.why === "offline") return stay;
      return { state: { kind: "publishing", tries: state.tries + 1 }, effects: [{ do: "send" }] };
    case "online":
      if (state.kind !== "waiting" || state.why === "rate-limited") return stay;
      return { state: { kind: "publishing", tries: state.tries + 1 }, effects: [{ do: "cancel" }, { do: "send" }] };
    case "stop":
      return isUnderWay(state) ? { state: { kind: "stopped" }, effects: [{ do: "cancel" }] } : stay;
    case "edited":
      return isUnderWay(state) || state.kind === "idle" || state.kind === "conflict" ? stay : { state: idle, effects: [] };
  }
}

const cancelled = (state: PublishState): PublishEffect[] => (isUnderWay(state) ? [{ do: "cancel" }] : []);

function failed(tries: number, { problem, now, chance, online, by = null }: Extract<PublishEvent, { type: "failed" }>): Next {
  const { code, live, retryAfterSeconds } = problem;
  if (code === "stale_base") return { state: { kind: "conflict", live: live ?? null, by }, effects: [] };
  if (!isTransient(problem)) return { state: { kind: "failed", why: "refused", problem }, effects: [] };
  // Being offline does not count as a try.
  if (!online) return { state: { kind: "waiting", tries: tries - 1, until: null, why: "offline" }, effects: [] };
  const { retries } = bounds.publication;
  if (tries >= retries.tries) return { state: { kind: "failed", why: "exhausted", problem }, effects: [] };
  const asked = retryAfterSeconds === undefined ? 0 : Math.min(retryAfterSeconds * 1_000, retries.retryAfterMostMs);
  const ms = Math.max(asked, backoffMs(tries, chance));
  const why = code === "rate_limited" ? "rate-limited" : "trouble";
  return { state: { kind: "waiting", tries, until: now + ms, why }, effects: [{ do: "wait", ms }] };
}

/** Exponential backoff with jitter. */
export function backoffMs(tries: number, chance: number): number {
  const { firstMs, mostMs } = bounds.publication.retries;
  return Math.round(Math.min(firstMs * 2 ** (tries - 1), mostMs) * (1 - chance / 2));
}

/** Whether a retry of the same request may succeed. */
const isTransient = ({ status, code, retryable }: ClientProblem): boolean =>
  code === "rate_limited" || code === "unavailable" || retryable || status === 0 || status === 408 || status >= 500;
