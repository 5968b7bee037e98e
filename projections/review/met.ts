import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import type { SessionObjective, TutorEvent, TutorItem } from "@colloquy/schemas/events/tutor.ts";

/** A place of the course, as it was cited. */
export type MetSource = Pick<Citation, "sourceId" | "href" | "quote">;

/** A question of a session; its key is here from the beginning, so only those answered may leave the read model. */
export interface MetQuestion {
  objectiveId: string;
  prompt: string;
  choices: { text: string; right: boolean }[];
  sources: MetSource[];
  /** Digest of the text of each source, by source id. */
  digests: Readonly<Record<string, string>>;
  answered: boolean;
  disputed: boolean;
}

export interface MetObjective extends SessionObjective {
  /** When its step was taught to its end or mastered, or a check on it answered; null: not yet. RFC 3339. */
  metAt: string | null;
  /** When it was last taught. */
  taughtAt: string | null;
  /** The revision it was last taught on, where the session had gone on with another than it was opened on. */
  taughtOn?: string;
  /** What the last lesson on it cited. */
  sources: MetSource[];
}

/** What a session has brought before its learner: a fold of its committed events, never of what a model says of them. */
export interface MetSession {
  courseId: string;
  courseTitle: string;
  /** The revision it was opened on; left out of what was projected before this was kept, until the read model is built anew. */
  courseRevisionId?: string;
  language: string;
  objectives: MetObjective[];
  /** By item id. */
  questions: Record<string, MetQuestion>;
  /** Objectives of each step, by step id. */
  steps: Record<string, readonly string[]>;
}

/** The session after one more event; null before its first. `at`: when it happened. Pure. */
export function evolveMet(state: MetSession | null, event: TutorEvent, at: string): MetSession | null {
  if (event.type === "TutorSessionOpened") {
    const { courseId, courseTitle, courseRevisionId, language, objectives } = event.data;
    const unmet = objectives.map((objective) => ({ ...objective, metAt: null, taughtAt: null, sources: [] }));
    return state ?? { courseId, courseTitle, courseRevisionId, language, objectives: unmet, questions: {}, steps: {} };
  }
  if (!state) return null;
  switch (event.type) {
    case "ProbesPrepared":
      return event.data.items.reduce(withQuestion, state);
    case "CheckAsked":
    case "FilmQuestionAsked":
      return withQuestion(state, event.data.item);
    case "ProbeAnswered":
      return withChanged(state, event.data.itemId, { answered: true });
    case "CheckAnswered":
    case "FilmQuestionAnswered": {
      const { itemId } = event.data;
      const objectiveId = state.questions[itemId]?.objectiveId;
      return met(withChanged(state, itemId, { answered: true }), objectiveId === undefined ? [] : [objectiveId], at);
    }
    case "GradeDisputed":
      return withChanged(state, event.data.itemId, { disputed: true });
    case "EvidenceRecorded": {
      const { kind, verified, steps, decision, phase, objectiveIds, courseRevisionId } = event.data.entry;
      // Stands behind each lesson that was taught to its end, which names no revision itself.
      if (decision === "teach" && phase === "checking") return taughtOn(state, objectiveIds, courseRevisionId);
      if (kind !== "plan" || !verified || !steps) return state;
      return {
        ...state,
        steps: { ...state.steps, ...Object.fromEntries(steps.map(({ stepId, objectiveIds }) => [stepId, objectiveIds])) },
      };
    }
    case "StepTaught": {
      const { stepId, outcome, citations } = event.data;
      if (outcome !== "finished") return state;
      const sources = citations.map(({ sourceId, href, quote }) => ({ sourceId, href, quote }));
      return met(state, state.steps[stepId] ?? [], at, (objective) => ({ ...objective, taughtAt: at, sources }));
    }
    case "AdaptDecided": {
      const { decision, reason, stepId } = event.data;
      return decision === "advance" && reason === "mastered" && stepId !== null ? met(state, state.steps[stepId] ?? [], at) : state;
    }
    default:
      return state;
  }
}

function withQuestion(state: MetSession, { itemId, objectiveId, prompt, choices, right, citations, sourceDigests }: TutorItem): MetSession {
  const question: MetQuestion = {
    objectiveId,
    prompt,
    digests: sourceDigests,
    answered: false,
    disputed: false,
    choices: choices.map(({ choiceId, text }) => ({ text, right: right.includes(choiceId) })),
    sources: citations.map(({ sourceId, href, quote }) => ({ sourceId, href, quote })),
  };
  return { ...state, questions: { ...state.questions, [itemId]: question } };
}

function withChanged(state: MetSession, itemId: string, change: Partial<MetQuestion>): MetSession {
  const question = state.questions[itemId];
  return question ? { ...state, questions: { ...state.questions, [itemId]: { ...question, ...change } } } : state;
}

function taughtOn(state: MetSession, objectiveIds: readonly string[], revisionId: string): MetSession {
  if (state.courseRevisionId === undefined || state.courseRevisionId === revisionId) return state;
  const objectives = state.objectives.map((objective) =>
    objectiveIds.includes(objective.objectiveId) ? { ...objective, taughtOn: revisionId } : objective,
  );
  return { ...state, objectives };
}

/** With these objectives met, and whatever else came with it. */
function met(
  state: MetSession,
  objectiveIds: readonly string[],
  at: string,
  also: (objective: MetObjective) => MetObjective = (objective) => objective,
): MetSession {
  const objectives = state.objectives.map((objective) =>
    objectiveIds.includes(objective.objectiveId) ? also({ ...objective, metAt: objective.metAt ?? at }) : objective,
  );
  return { ...state, objectives };
}
