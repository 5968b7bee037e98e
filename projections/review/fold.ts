import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { SessionObjective, TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { Selection } from "@colloquy/schemas/tutor/session.ts";

/** A cited passage of the course. */
export type StudiedSource = Pick<Citation, "sourceId" | "href" | "quote">;

/** A question of a session. It includes the answer key, so only answered questions may leave the read model. */
export interface StudiedQuestion {
  objectiveId: string;
  prompt: string;
  choices: { text: string; right: boolean }[];
  sources: StudiedSource[];
  /** Digest of each source's text, by source id. */
  digests: Readonly<Record<string, string>>;
  answered: boolean;
  disputed: boolean;
  /** Of a question of the course's own: how it is answered, and its block. */
  selection?: Selection;
  blockId?: string;
}

export interface StudiedObjective extends SessionObjective {
  /** When its step was taught to the end or mastered, or a check on it was answered (RFC 3339); null: not yet. */
  metAt: string | null;
  /** When it was last taught. */
  taughtAt: string | null;
  /** The revision on which it was last taught, if not the one on which the session was opened. */
  taughtOn?: string;
  /** The citations of the last lesson on it. */
  sources: StudiedSource[];
}

/** What a learner has studied in a session: a fold of its events, never of what a model says about them. */
export interface StudiedSession {
  courseId: string;
  courseTitle: string;
  /** The revision on which it was opened; missing in rows that were projected before this field existed. */
  courseRevisionId?: string;
  language: string;
  objectives: StudiedObjective[];
  /** By item id. */
  questions: Record<string, StudiedQuestion>;
  /** Objectives by step id. */
  steps: Record<string, readonly string[]>;
}

/** The session after one more event; null before the first. `at`: time of the event. Pure. */
export function evolve(state: StudiedSession | null, event: TutorEvent, at: string): StudiedSession | null {
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
    case "ReviewQuestionAsked":
      return withQuestion(state, event.data.item);
    case "ProbeAnswered":
      return withChanged(state, event.data.itemId, { answered: true });
    case "CheckAnswered":
    case "FilmQuestionAnswered":
    case "ReviewQuestionAnswered": {
      const { itemId } = event.data;
      const objectiveId = state.questions[itemId]?.objectiveId;
      return withObjectivesMet(withChanged(state, itemId, { answered: true }), objectiveId === undefined ? [] : [objectiveId], at);
    }
    case "GradeDisputed":
      return withChanged(state, event.data.itemId, { disputed: true });
    case "EvidenceRecorded": {
      const { kind, verified, steps, decision, phase, objectiveIds, courseRevisionId } = event.data.entry;
      // This entry follows each finished lesson, whose own event names no revision.
      if (decision === "teach" && phase === "checking") return taughtOn(state, objectiveIds, courseRevisionId);
      if (kind !== "plan" || !verified || !steps) return state;
      return {
        ...state,
        steps: { ...state.steps, ...Object.fromEntries(steps.map(({ stepId, objectiveIds }) => [stepId, objectiveIds])) },
      };
    }
    case "StepTaught": {
      const { stepId, outcome, citations, nothingElse } = event.data;
      if (outcome !== "finished" || nothingElse) return state;
      const sources = citations.map(({ sourceId, href, quote }) => ({ sourceId, href, quote }));
      return withObjectivesMet(state, state.steps[stepId] ?? [], at, (objective) => ({ ...objective, taughtAt: at, sources }));
    }
    case "AdaptDecided": {
      const { decision, reason, stepId } = event.data;
      return decision === "advance" && reason === "mastered" && stepId !== null
        ? withObjectivesMet(state, state.steps[stepId] ?? [], at)
        : state;
    }
    default:
      return state;
  }
}

function withQuestion(
  state: StudiedSession,
  { itemId, objectiveId, prompt, choices, right, citations, sourceDigests, selection, authored }: TutorItem,
): StudiedSession {
  const question: StudiedQuestion = {
    objectiveId,
    prompt,
    digests: sourceDigests,
    answered: false,
    disputed: false,
    ...(authored && { selection, blockId: authored.blockId }),
    choices: choices.map(({ choiceId, text }) => ({ text, right: right.includes(choiceId) })),
    sources: citations.map(({ sourceId, href, quote }) => ({ sourceId, href, quote })),
  };
  return { ...state, questions: { ...state.questions, [itemId]: question } };
}

function withChanged(state: StudiedSession, itemId: string, change: Partial<StudiedQuestion>): StudiedSession {
  const question = state.questions[itemId];
  return question ? { ...state, questions: { ...state.questions, [itemId]: { ...question, ...change } } } : state;
}

function taughtOn(state: StudiedSession, objectiveIds: readonly string[], revisionId: string): StudiedSession {
  if (state.courseRevisionId === undefined || state.courseRevisionId === revisionId) return state;
  const objectives = state.objectives.map((objective) =>
    objectiveIds.includes(objective.objectiveId) ? { ...objective, taughtOn: revisionId } : objective,
  );
  return { ...state, objectives };
}

/** Sets `metAt` of these objectives, unless it is set, and applies `also` to them. */
function withObjectivesMet(
  state: StudiedSession,
  objectiveIds: readonly string[],
  at: string,
  also: (objective: StudiedObjective) => StudiedObjective = (objective) => objective,
): StudiedSession {
  const objectives = state.objectives.map((objective) =>
    objectiveIds.includes(objective.objectiveId) ? also({ ...objective, metAt: objective.metAt ?? at }) : objective,
  );
  return { ...state, objectives };
}
