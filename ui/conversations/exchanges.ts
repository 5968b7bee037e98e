import { isFromEarlier } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { AttachedReference, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { AnswerView, TraceView } from "../answers/answer-view.ts";
import type { TraceRow } from "../store/rows.ts";

/** A question with all its answers; regenerating adds one. */
export interface Exchange {
  /** The id of the first turn, stable from the moment of sending. */
  key: string;
  question: string;
  /** Shown with the question; empty if they are the same as before. */
  references: AttachedReference[];
  answers: AnswerView[];
}

/** A running turn of this page, or a failed one that can be retried. */
export interface LiveTurn {
  turnId: string;
  question: string;
  /** When it was asked, RFC 3339. */
  at: string;
  references: AttachedReference[];
  replaces: string | null;
  answer: AnswerView;
}

/** The exchanges of a record, computed once per record, so that unchanged ones stay the same objects. */
export interface RecordedExchanges {
  exchanges: Exchange[];
  /** The references of the last question. */
  references: AttachedReference[];
}

/** The exchanges of a record. Pure. */
export function recordedExchanges(record: Conversation | null, traces: ReadonlyMap<string, TraceRow>): RecordedExchanges {
  const exchanges: Exchange[] = [];
  const rootOf = new Map<string, Exchange>();
  let references: AttachedReference[] = [];
  for (const turn of record?.turns ?? []) {
    const trace = traces.get(turn.turnId);
    const answer: AnswerView = {
      turnId: turn.turnId,
      state: turn.outcome,
      text: turn.answer,
      citations: turn.citations,
      artifact: turn.artifact ?? null,
      ...(isFromEarlier(turn) ? { provider: null, model: "" } : { provider: turn.provider, model: turn.model }),
      fallbackDepth: turn.fallbackDepth,
      trace: traceView(turn, trace),
      // An answer that broke off here may have been finished by the service.
      problem: (turn.outcome === "stopped" && trace?.problem) || null,
    };
    const root = turn.replaces === undefined ? undefined : rootOf.get(turn.replaces);
    if (root) root.answers.push(answer);
    else {
      const asked = trace?.references ?? (exchanges.length ? references : (record?.references ?? []));
      exchanges.push({ key: turn.turnId, question: turn.question, references: ifChanged(references, asked), answers: [answer] });
      references = asked;
    }
    rootOf.set(turn.turnId, root ?? (exchanges.at(-1) as Exchange));
  }
  return { exchanges, references };
}

/** Adds the live turn; only its exchange becomes a new object. Pure. */
export function withLive({ exchanges, references }: RecordedExchanges, live: LiveTurn | null): Exchange[] {
  if (!live) return exchanges;
  const has = (turnId: string | null) => (exchange: Exchange) => exchange.answers.some((answer) => answer.turnId === turnId);
  const replaceIn = (found: number, answers: (exchange: Exchange) => AnswerView[]) =>
    exchanges.map((exchange, index) => (index === found ? { ...exchange, answers: answers(exchange) } : exchange));
  const recorded = exchanges.findIndex(has(live.turnId));
  // The partial answer is recorded, but only this page knows that it failed.
  if (recorded !== -1)
    return replaceIn(recorded, ({ answers }) =>
      answers.map((answer) =>
        answer.turnId === live.turnId ? { ...answer, problem: answer.state === "stopped" ? live.answer.problem : null } : answer,
      ),
    );
  const replaced = live.replaces === null ? -1 : exchanges.findIndex(has(live.replaces));
  if (replaced !== -1) return replaceIn(replaced, ({ answers }) => [...answers, live.answer]);
  return [
    ...exchanges,
    { key: live.turnId, question: live.question, references: ifChanged(references, live.references), answers: [live.answer] },
  ];
}

/** References are shown only where they differ from those of the question before. */
function ifChanged(before: AttachedReference[], now: AttachedReference[]): AttachedReference[] {
  const hrefs = (references: AttachedReference[]) => references.map((reference) => reference.href).join("\n");
  return hrefs(before) === hrefs(now) ? [] : now;
}

/** Turns of older versions have their trace in this browser, if anywhere. */
function traceView({ trace, followUps }: RecordedTurn, row: TraceRow | undefined): TraceView {
  if (trace) return { ...trace, startedAt: null, followUps: followUps ?? [] };
  const { phases = [], sources, elapsedMs = null, followUps: kept = [] } = row ?? {};
  return { phases, elapsedMs, startedAt: null, followUps: kept, ...(typeof sources === "number" && { sources }) };
}
