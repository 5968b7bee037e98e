import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { demonstrationModel, type ModelSelection, type WrittenBy } from "@colloquy/schemas/models.ts";
import { keyText } from "@colloquy/schemas/questions/key-text.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { type EvidenceKind, evidenceKinds } from "@colloquy/schemas/tutor/evidence.ts";
import { helpOf } from "@colloquy/schemas/tutor/help.ts";
import { authoredEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { latestAnswer, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { citationOf } from "../grounding/citations.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import type { AuthoredQuestion, TutorCourse } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { digestOf, type ItemPlace, placeHint } from "./items.ts";
import { nextTask, objectivesToProbe } from "./policy.ts";
import { isTypedOff, questioned } from "./questioned.ts";
import type { SessionTurn } from "./sessions.ts";
import { type ShownTexts, type Statement, shownOf, statementsIn } from "./shown-texts.ts";
import { checkTarget } from "./task-inputs.ts";
import { idsOf } from "./turns.ts";

const author: WrittenBy = { provider: "course", model: "author", fallbackDepth: 0 };

/** Whether a model can be had that can check questions and judge own words: the demonstration model can do neither. */
export function canJudge(gateway: Pick<ModelGateway, "choices">, model: ModelSelection): boolean {
  const known = gateway.choices();
  const able = known.filter(({ id, capabilities }) => capabilities.tutor && !id.endsWith(`/${demonstrationModel}`));
  const isPinned = model.choice === "pinned" && known.some(({ id }) => id === model.id);
  return isPinned ? able.some(({ id }) => id === model.id) : able.length > 0;
}

/** The questions of its own on an objective whose keys neither a page shows nor the objective's name, which stands beside them. */
function hiddenQuestions(
  { questions, objectives }: Pick<TutorCourse, "questions" | "objectives">,
  objectiveId: string,
): AuthoredQuestion[] {
  const name = objectives.find((one) => one.objectiveId === objectiveId)?.title ?? "";
  return questions.filter((one) => one.objectiveId === objectiveId && one.question.place === "bank" && !isTypedOff(one.question, name));
}

/** Those of them that the application can mark. */
export const countingQuestions = (course: Pick<TutorCourse, "questions" | "objectives">, objectiveId: string): AuthoredQuestion[] =>
  hiddenQuestions(course, objectiveId).filter(({ question }) => question.kind !== "free");

/** Whether what was shown outside of a session has the answer of a question. */
export const isShownBy = (revealed: readonly Statement[], { question }: AuthoredQuestion): boolean =>
  shownOf(questioned(question, ""), { statements: [], texts: [], revealed }).shown === true;

interface Needs {
  course: TutorCourse;
  shown: ShownTexts;
  /** Whether a model can judge own words; else they are not asked for. */
  judged?: boolean;
}

/** An authored question as an item of a session. The order of its parts comes from the item's id, so that it can be made again. */
export function authoredItem(
  { blockId, digest, question, sourceIds }: AuthoredQuestion,
  itemId: string,
  place: ItemPlace,
  { course, shown }: Omit<Needs, "judged">,
): TutorItem {
  const { kind, markdown } = question;
  const cited = sourceIds.flatMap((sourceId) => course.passages.find((passage) => passage.sourceId === sourceId) ?? []);
  const asked = questioned(question, itemId);
  const explanation = question.explanation ?? keyText(question);
  const item: TutorItem = {
    itemId,
    ...place,
    ...asked,
    rubric: kind === "free" ? question.rubric : [],
    hints: [...question.hints, ...cited.slice(0, 1).map(placeHint)].slice(0, bounds.tutor.hints),
    explanation,
    by: author,
    citations: cited.map((passage, index) => citationOf({ ...passage, key: "" }, index + 1, `${markdown} ${explanation}`)),
    sourceIds: cited.map(({ sourceId }) => sourceId),
    sourceDigests: Object.fromEntries(cited.map(({ sourceId }) => [sourceId, course.digests.get(sourceId) ?? ""])),
    // Another version of the same question is no new one.
    sameness: sha256(canonicalText(["authored", blockId])),
    digest: "",
    authored: { blockId, courseRevisionId: course.revisionId, digest },
    evidence: authoredEvidence(question, masteryParameters),
    ...(question.kind !== "free" && { key: question }),
  };
  return { ...item, digest: digestOf(item), ...shownOf(item, shown) };
}

/** The right unaided answers of each kind that speak for an objective. */
function shownKinds({ ledger }: TutorState, objectiveId: string): Map<EvidenceKind, number> {
  const counts = new Map<EvidenceKind, number>();
  for (const { correct, aided, disputed, evidence, objectiveId: own } of ledger.answers)
    if (own === objectiveId && correct && !aided && !disputed && evidence?.counts)
      counts.set(evidence.kind, (counts.get(evidence.kind) ?? 0) + 1);
  return counts;
}

/** Questions on an objective whose answer was not shown, those of the kind first that the fewest right answers were given to. */
function freshItems(
  state: TutorState,
  { objectiveId }: Pick<SessionObjective, "objectiveId">,
  place: Omit<ItemPlace, "objectiveId">,
  newId: () => string,
  { course, shown, judged }: Needs,
  before: readonly TutorItem[] = [],
): TutorItem[] {
  const asked = [...state.asked, ...Object.keys(state.answers)].map((itemId) => state.items[itemId]?.sameness);
  const known = new Set([
    ...asked,
    ...before.map(({ sameness }) => sameness),
    ...(state.askedBefore ?? []).map(({ sameness }) => sameness),
  ]);
  const isDisputed = latestAnswer(state)?.disputed === true;
  const counts = shownKinds(state, objectiveId);
  for (const { evidence } of before) if (evidence) counts.set(evidence.kind, (counts.get(evidence.kind) ?? 0) + 1);
  const statements = [...shown.statements, ...before.flatMap(statementsIn)];
  const met = new Set(before.flatMap((item) => item.statements ?? []));
  const usable = hiddenQuestions(course, objectiveId).filter(({ question: { kind } }) => kind !== "free" || (judged && !isDisputed));
  const items = usable
    .map((one) => authoredItem(one, newId(), { ...place, objectiveId }, { course, shown: { ...shown, statements } }))
    .filter((item) => !known.has(item.sameness) && helpOf(state, item) === null && !item.statements?.some((id) => met.has(id)));
  const worth = ({ evidence }: TutorItem): number => counts.get(evidence?.kind ?? "recognition") ?? 0;
  const rank = ({ evidence }: TutorItem): number => evidenceKinds.indexOf(evidence?.kind ?? "recognition");
  return items.toSorted((one, other) => worth(one) - worth(other) || rank(one) - rank(other));
}

/** The authored question to ask next on an objective of a step; null when none is left whose answer was not shown. */
function nextAuthored(state: TutorState, objective: SessionObjective, stepId: string, newId: () => string, needs: Needs): TutorItem | null {
  return freshItems(state, objective, { kind: "check", stepId, breadth: "narrow" }, newId, needs)[0] ?? null;
}

/** First questions of the course's own that are prepared for one objective. */
const probesOfOne = { least: 2, most: 4 };

/**
 * First questions of the course's own on each objective that they are wanted on, as many as can be asked at the beginning, of different
 * kinds; `without`: the objectives that none is left on.
 */
export function authoredProbes(state: TutorState, newId: () => string, needs: Needs): { own: TutorItem[]; without: SessionObjective[] } {
  const objectives = objectivesToProbe(state);
  const most = Math.min(probesOfOne.most, Math.max(probesOfOne.least, Math.ceil(bounds.tutor.probes / objectives.length)));
  const probes: TutorItem[] = [];
  for (const objective of objectives) {
    const own: TutorItem[] = [];
    while (own.length < most) {
      const breadth = own.length === 0 ? "broad" : "narrow";
      const [next] = freshItems(
        state,
        objective,
        { kind: "probe", stepId: null, breadth },
        newId,
        needs,
        [...probes, ...own].filter(({ objectiveId }) => objectiveId === objective.objectiveId),
      );
      if (!next) break;
      own.push(next);
    }
    probes.push(...own);
  }
  return { own: probes, without: objectives.filter(({ objectiveId }) => !probes.some((item) => item.objectiveId === objectiveId)) };
}

/** The question of the course's own that follows the current step; null where none is left whose answer was not shown. */
export function authoredCheck(state: TutorState, newId: () => string, needs: Needs): TutorItem | null {
  const target = checkTarget(state);
  return target && nextAuthored(state, target.objective, target.stepId, newId, needs);
}

/** Asks what the course itself has to ask now; the learner's assistant proposes the others. */
export function askAuthored(turn: Pick<SessionTurn, "state" | "decide">, occasion: Occasion, needs: Needs): void {
  const newId = idsOf(turn.state.sessionId, occasion.requestId)("own");
  const work = nextTask(turn.state);
  if (work === "probe") {
    const { own, without } = authoredProbes(turn.state, newId, needs);
    if (without.length === 0) turn.decide({ type: "prepare probes", ...occasion, probes: own });
  }
  if (work === "check") {
    const item = authoredCheck(turn.state, newId, needs);
    if (item) turn.decide({ type: "ask", ...occasion, item });
  }
}
