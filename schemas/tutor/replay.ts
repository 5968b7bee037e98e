import type { EvidenceEntry, PlannedStep, UnchainedEntry } from "./ledger.ts";
import { type GradedAnswer, type Mastery, type MasteryParameters, masteryOf, masteryParameters } from "./mastery.ts";
import type { Standing } from "./mastery-standing.ts";
import { reaches } from "./probabilities.ts";
import type { Reason, Step, TutorPhase } from "./session.ts";

/** An answer that counts, with its place in the ledger. */
export interface LedgerAnswer extends GradedAnswer {
  entryId: string;
  receipt: number;
  /** When it was given, in whichever session. */
  at: string;
  kind: "probe" | "check";
  objectiveId: string;
  gradedBy: "application" | "model";
  disputed: boolean;
  carried: boolean;
  statements?: string[];
  /** Through whom it came, where that was an assistant. */
  via?: NonNullable<EvidenceEntry["via"]>;
  /** P(L) of the objective right after it. */
  probability: number;
}

/** All that a ledger's entries say of a session: mastery, path and phase are this and nothing else, live as in a replay. */
export interface LedgerState {
  readonly count: number;
  readonly lastHash: string;
  readonly parameters: MasteryParameters;
  readonly objectives: readonly { objectiveId: string; title: string }[];
  readonly answers: readonly LedgerAnswer[];
  readonly path: readonly Step[];
  readonly phase: TutorPhase;
  readonly paused: boolean;
}

/** The time `at`, or `earlier` where the clock went back since: times in a ledger never run backwards. */
export const notBefore = (at: string, earlier: string | undefined): string =>
  earlier && Date.parse(at) < Date.parse(earlier) ? earlier : at;

export const noHash = "0".repeat(64);
export const emptyLedger: LedgerState = {
  count: 0,
  lastHash: noHash,
  parameters: masteryParameters,
  objectives: [],
  answers: [],
  path: [],
  phase: "probing",
  paused: false,
};

const answersTo = (state: LedgerState, objectiveId: string): LedgerAnswer[] =>
  state.answers.filter((answer) => answer.objectiveId === objectiveId && !answer.disputed);

export const masteryIn = (state: LedgerState, objectiveId: string): Mastery => masteryOf(answersTo(state, objectiveId), state.parameters);
export const probabilityIn = (state: LedgerState, objectiveId: string): number => masteryIn(state, objectiveId).probability;
/** Whether an objective is mastered, provisionally or confirmed. */
export const masteredIn = (state: LedgerState, objectiveId: string): boolean => masteryIn(state, objectiveId).standing !== "none";

/** P(L) of some objectives, as entries state it. */
export const probabilitiesIn = (state: LedgerState, objectiveIds: readonly string[]): Record<string, number> =>
  Object.fromEntries(objectiveIds.map((objectiveId) => [objectiveId, probabilityIn(state, objectiveId)]));

/** Standings of some objectives, as entries state them. */
export const standingsIn = (state: LedgerState, objectiveIds: readonly string[]): Record<string, Standing> =>
  Object.fromEntries(objectiveIds.map((objectiveId) => [objectiveId, masteryIn(state, objectiveId).standing]));

/** After a right answer without help: what its objective still needs, or that another objective of the step needs more. */
export function stillNeeded(state: LedgerState, { objectiveIds }: Pick<Step, "objectiveIds">): Reason {
  const { objectiveId = "" } = state.answers.at(-1) ?? {};
  const { version, threshold } = state.parameters;
  if (!objectiveIds.includes(objectiveId) || masteredIn(state, objectiveId)) return "other_objective";
  return version > 1 && reaches(probabilityIn(state, objectiveId), threshold) ? "other_kind" : "more_evidence";
}

/** The state after one more entry. Pure; what an entry claims of mastery (`masteryAfter`) is not believed but reckoned. */
export function evolveLedger(state: LedgerState, entry: EvidenceEntry): LedgerState {
  return { ...withEntry(state, entry), count: state.count + 1, lastHash: entry.hash };
}

/** What an entry does, before it has its place in the chain. */
export function withEntry(state: LedgerState, entry: UnchainedEntry): LedgerState {
  const next = { ...state, phase: entry.phase };
  switch (entry.kind) {
    case "opened":
      return entry.opening ? { ...next, objectives: entry.opening.objectives, parameters: entry.opening.parameters } : next;
    case "probe":
    case "check":
      return withAnswer(next, entry);
    case "plan":
      return entry.verified && entry.steps ? { ...next, path: newPath(next, entry.steps) } : next;
    case "adapt":
      return withDecision(next, entry);
    default:
      return next;
  }
}

function withAnswer(state: LedgerState, entry: UnchainedEntry): LedgerState {
  const [objectiveId] = entry.objectiveIds;
  if (
    objectiveId === undefined ||
    entry.itemId === undefined ||
    entry.correct === undefined ||
    (entry.kind !== "probe" && entry.kind !== "check")
  )
    return state;
  const { entryId, itemId, correct, aided, gradedBy, kind, evidence, statements } = entry;
  const answer: LedgerAnswer = {
    entryId,
    itemId,
    correct,
    aided,
    gradedBy,
    at: entry.carriedFrom?.at ?? entry.at,
    kind,
    objectiveId,
    receipt: entry.index,
    selection: entry.selection ?? "single",
    choices: entry.choices ?? 0,
    disputed: false,
    carried: entry.carriedFrom !== undefined,
    ...(evidence && { evidence }),
    ...(statements && { statements }),
    ...(entry.via && { via: entry.via }),
    probability: 0,
  };
  const { probability } = masteryOf([...answersTo(state, objectiveId), answer], state.parameters);
  return { ...state, answers: [...state.answers, { ...answer, probability }] };
}

function withDecision(state: LedgerState, entry: UnchainedEntry): LedgerState {
  switch (entry.decision) {
    case "pause":
      return { ...state, paused: true };
    case "resume":
      return { ...state, paused: false };
    case "dispute":
      return { ...state, answers: state.answers.map((one) => (one.entryId === entry.disputes ? { ...one, disputed: true } : one)) };
    case "advance": {
      const done = entry.reason === "mastered" ? "mastered" : "skipped";
      return {
        ...state,
        path: ahead(
          state,
          state.path.map((step) => (step.stepId === entry.stepId ? { ...step, state: done } : step)),
        ),
      };
    }
    default:
      return state;
  }
}

/** Steps of a newly installed plan: those already done stay as they are. */
function newPath(state: LedgerState, steps: readonly PlannedStep[]): Step[] {
  const before = new Map(state.path.map((step) => [step.stepId, step.state]));
  return ahead(
    state,
    steps.map((step) => {
      const known = before.get(step.stepId);
      return { ...step, state: known === "mastered" || known === "skipped" ? known : "ahead" };
    }),
  );
}

/** Makes the first step that is still to be learned the current one; steps whose objectives are all mastered are passed over. */
function ahead(state: LedgerState, path: readonly Step[]): Step[] {
  let found = path.some((step) => step.state === "current");
  return path.map((step) => {
    if (found || step.state !== "ahead") return step;
    if (step.objectiveIds.every((objectiveId) => masteredIn(state, objectiveId))) return { ...step, state: "mastered" as const };
    found = true;
    return { ...step, state: "current" as const };
  });
}
