import { bounds } from "@colloquy/schemas/bounds.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { ClientProblem } from "../../api/problems.ts";
import type { Base } from "../session.ts";
import type { UnsetFormula } from "./unset-formulas.ts";

/**
 * How publishing goes on, as a function of what happened: nothing here asks, waits or writes. The draft is no part of it; whatever this
 * comes to, the draft stays in the browser until a page shows what was published.
 */
export type PublishState =
  /** Nothing goes out; what is written is a draft, or there is none. */
  | { kind: "idle" }
  /** A request is on its way, the `tries`-th for this content. */
  | { kind: "publishing"; tries: number }
  /** Tried again by itself at `until` (milliseconds since 1970), or, where that is null, as soon as there is a connection. */
  | { kind: "waiting"; tries: number; until: number | null; why: "trouble" | "rate-limited" | "offline" }
  /** Only the author can go on. `exhausted`: trouble that did not pass; `refused`: it would be refused again. */
  | { kind: "failed"; why: "exhausted" | "refused"; problem: ClientProblem }
  | { kind: "invalid"; errors: readonly FieldError[] }
  /** Another revision was published since; `live` is what is live then, where the service said so. */
  | { kind: "conflict"; live: Base | null; by: PublishedBy }
  /** `unset`: formulas among what went out that readers see as their source. */
  | { kind: "published"; base: Base; at: number; unset: readonly UnsetFormula[] }
  /** The author ended it. Whether it went out is not known; the same request tells. */
  | { kind: "stopped" };

/** Whose another revision is: the author's own, of another window or device, or another owner's; null where that is not known. */
export type PublishedBy = "you" | "another" | null;

export type PublishEvent =
  /** Edit was left, or the author asked for it. */
  | { type: "wanted"; changed: boolean; online: boolean }
  | { type: "invalid"; errors: readonly FieldError[] }
  | { type: "answered"; base: Base; at: number; unset: readonly UnsetFormula[] }
  /** @property chance from 0 to 1, for the pause; `by` whose the live revision is, where that is in the way */
  | { type: "failed"; problem: ClientProblem; now: number; chance: number; online: boolean; by?: PublishedBy }
  | { type: "time-came" }
  | { type: "online" }
  | { type: "stop" }
  /** The course was changed, or something else made the last outcome old. */
  | { type: "edited" }
  /** The conflict has become a course over the live revision. */
  | { type: "resolved"; changed: boolean; online: boolean };

/** What is to be done about it. */
export type PublishEffect = { do: "send" } | { do: "wait"; ms: number } | { do: "cancel" };

export interface Next {
  state: PublishState;
  effects: PublishEffect[];
}

export const atRest: PublishState = { kind: "idle" };

/** Whether something is under way that ends by itself. */
export const isUnderWay = ({ kind }: PublishState): boolean => kind === "publishing" || kind === "waiting";

export function next(state: PublishState, event: PublishEvent): Next {
  const stay: Next = { state, effects: [] };
  switch (event.type) {
    case "wanted":
    case "resolved":
      if (state.kind === "publishing") return stay;
      // A conflict is not published over: its sheet has to be gone through first.
      if (state.kind === "conflict" && event.type === "wanted") return stay;
      if (!event.changed) return { state: atRest, effects: cancelled(state) };
      return event.online
        ? { state: { kind: "publishing", tries: 1 }, effects: [...cancelled(state), { do: "send" }] }
        : { state: { kind: "waiting", tries: 0, until: null, why: "offline" }, effects: cancelled(state) };
    case "invalid":
      return state.kind === "publishing" ? { state: { kind: "invalid", errors: event.errors }, effects: [] } : stay;
    case "answered":
      return state.kind === "publishing"
        ? { state: { kind: "published", base: event.base, at: event.at, unset: event.unset }, effects: [] }
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
      return isUnderWay(state) || state.kind === "idle" || state.kind === "conflict" ? stay : { state: atRest, effects: [] };
  }
}

const cancelled = (state: PublishState): PublishEffect[] => (isUnderWay(state) ? [{ do: "cancel" }] : []);

function failed(tries: number, { problem, now, chance, online, by = null }: Extract<PublishEvent, { type: "failed" }>): Next {
  const { code, fields, live, retryAfterSeconds } = problem;
  if (code === "stale_base") return { state: { kind: "conflict", live: live ?? null, by }, effects: [] };
  if ((code === "course_invalid" || code === "unknown_field") && fields?.length)
    return { state: { kind: "invalid", errors: fields }, effects: [] };
  if (!passes(problem)) return { state: { kind: "failed", why: "refused", problem }, effects: [] };
  // Without a connection no try is lost.
  if (!online) return { state: { kind: "waiting", tries: tries - 1, until: null, why: "offline" }, effects: [] };
  const { retries } = bounds.publication;
  if (tries >= retries.tries) return { state: { kind: "failed", why: "exhausted", problem }, effects: [] };
  const asked = retryAfterSeconds === undefined ? 0 : Math.min(retryAfterSeconds * 1_000, retries.retryAfterMostMs);
  const ms = Math.max(asked, pauseAfter(tries, chance));
  const why = code === "rate_limited" ? "rate-limited" : "trouble";
  return { state: { kind: "waiting", tries, until: now + ms, why }, effects: [{ do: "wait", ms }] };
}

/** The pause after so many tries: doubled by each, and never the same for two who failed together. */
export function pauseAfter(tries: number, chance: number): number {
  const { firstMs, mostMs } = bounds.publication.retries;
  return Math.round(Math.min(firstMs * 2 ** (tries - 1), mostMs) * (1 - chance / 2));
}

/** Whether the same request may be answered otherwise in a moment. */
const passes = ({ status, code, retryable }: ClientProblem): boolean =>
  code === "rate_limited" || code === "unavailable" || retryable || status === 0 || status === 408 || status >= 500;
