import { isFromEarlier } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { AnswerView, TraceView } from "../answers/answer-view.ts";
import type { TraceRow } from "../store/rows.ts";

/** A question with every answer it was given; regenerating adds an answer and never takes one away. */
export interface Exchange {
  /** The id of the first turn: the same from the question's sending on. */
  key: string;
  question: string;
  /** Shown with the question; empty when they are those of the question before. */
  references: AttachedReference[];
  answers: AnswerView[];
}

/** A turn this page is running, or one that failed and can be tried again. */
export interface LiveTurn {
  turnId: string;
  question: string;
  /** When it was asked, RFC 3339. */
  at: string;
  references: AttachedReference[];
  replaces: string | null;
  answer: AnswerView;
}

/** What the record tells; computed once for each record, so that what did not change stays the same object. */
export interface RecordedExchanges {
  exchanges: Exchange[];
  /** The references the last question stood with. */
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
      trace: traceView(trace),
      // Broken off here, it may have been finished by the service.
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

/** The same with what is going on. Only the exchange it belongs to is a new object. Pure. */
export function withLive({ exchanges, references }: RecordedExchanges, live: LiveTurn | null): Exchange[] {
  if (!live) return exchanges;
  const has = (turnId: string | null) => (exchange: Exchange) => exchange.answers.some((answer) => answer.turnId === turnId);
  const replaceIn = (found: number, answers: (exchange: Exchange) => AnswerView[]) =>
    exchanges.map((exchange, index) => (index === found ? { ...exchange, answers: answers(exchange) } : exchange));
  const recorded = exchanges.findIndex(has(live.turnId));
  // What had come before a failure is recorded; that it failed is this page's knowledge.
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

/** References are shown with a question when they are not those of the question before. */
function ifChanged(before: AttachedReference[], now: AttachedReference[]): AttachedReference[] {
  const hrefs = (references: AttachedReference[]) => references.map((reference) => reference.href).join("\n");
  return hrefs(before) === hrefs(now) ? [] : now;
}

const traceView = (trace: TraceRow | undefined): TraceView => ({
  phases: trace?.phases ?? [],
  sources: trace?.sources ?? null,
  elapsedMs: trace?.elapsedMs ?? null,
  startedAt: null,
  followUps: trace?.followUps ?? [],
  finishReason: trace?.finishReason ?? null,
  asked: trace?.asked,
  reportedModel: trace?.reportedModel,
});
