import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { samenessOf } from "@colloquy/infra/object-store/course-questions.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { authoredItem } from "./authored.ts";
import type { TutorCourse } from "./course.ts";
import { digestOf, type ItemPlace } from "./items.ts";
import type { PracticeQuestion } from "./practice-questions.ts";
import { isTypedOff } from "./questioned.ts";
import { isReadOff, type ShownTexts } from "./shown-texts.ts";

const madeOfText: WrittenBy = { provider: "course", model: "text", fallbackDepth: 0 };

interface Needs {
  course: TutorCourse;
  shown: ShownTexts;
  /** Of the passages that the objective is taught from. */
  sourceIds: readonly string[];
  /** How near sources are to the objective, from 0 to 1. */
  nearness: (sourceIds: readonly string[]) => number;
  /** Others that are asked with it. */
  before: readonly TutorItem[];
}

/**
 * The question to practise an objective with: one that was not asked before, on the objective itself before one of a key point or
 * definition of its passages, and one whose answer was not just read before others; null where the page gives none.
 */
export function practiceItem(
  state: TutorState,
  { objectiveId, topicId }: Pick<SessionObjective, "objectiveId" | "topicId">,
  place: Omit<ItemPlace, "objectiveId">,
  newId: () => string,
  { course, shown, sourceIds, nearness, before }: Needs,
): TutorItem | null {
  const known = new Set([...Object.values(state.items), ...(state.askedBefore ?? []), ...before].map(({ sameness }) => sameness));
  const taught = new Set(sourceIds);
  const others = new Set(state.objectives.map((one) => one.objectiveId));
  const titles = state.objectives.map(({ title }) => title).join("\n");
  const lastKind = state.items[state.asked.at(-1) ?? ""]?.key?.kind;
  const items = course
    .practice()
    .filter((one) => {
      if (one.topicId !== topicId || isOnScreen(one.question, titles)) return false;
      if (one.about.has(objectiveId)) return true;
      // Code that has no word of the objective shows nothing of it; what is nearer to another one of the session is left to that.
      const isOfAnother = [...one.about.keys()].some((id) => others.has(id));
      return one.question.level !== "application" && !isOfAnother && one.sourceIds.some((id) => taught.has(id));
    })
    .map((one) => {
      const item = itemOf(one, newId(), { ...place, objectiveId }, { course, shown });
      const [nearest] = one.about.keys();
      const share = one.about.get(objectiveId);
      const reasonsToWait = [
        isReadOff(item, shown.texts) && cost.readOff,
        share === undefined && cost.besides,
        // What is nearest to another objective of the session is asked for that.
        nearest !== objectiveId && others.has(nearest ?? "") && cost.ofAnother,
        one.question.kind === lastKind && cost.sameKind,
        cost.fewWords * (1 - (share ?? 0)),
        cost.farOff * (1 - nearness(one.sourceIds)),
      ];
      return { item, rank: reasonsToWait.reduce((sum: number, wait) => sum + Number(wait), 0) };
    })
    .filter(({ item }) => !known.has(item.sameness));
  return items.toSorted((one, other) => one.rank - other.rank)[0]?.item ?? null;
}

/**
 * What makes a question wait for others: its answer was just read, no word of the objective, another objective's, the same kind again, few of
 * the words, passages that the search for the objective finds late.
 */
const cost = { readOff: 8, besides: 4, ofAnother: 2, sameKind: 1, fewWords: 2, farOff: 3 };

/** Whether what is to be typed stands in the objectives' names, which stand beside the question; of short code also as a call. */
const isOnScreen = (question: PracticeQuestion["question"], titles: string): boolean =>
  isTypedOff(question, titles) ||
  (question.kind === "gap" && question.gaps.flat().some((name) => titles.includes(`${name}(`) || titles.includes(`\`${name}\``)));

function itemOf(
  { id, question, sourceIds }: PracticeQuestion,
  itemId: string,
  place: ItemPlace,
  needs: Pick<Needs, "course" | "shown">,
): TutorItem {
  const asked = { blockId: id, topicId: "", objectiveId: place.objectiveId, digest: sha256(canonicalText(question)) };
  const { authored: _, ...item } = authoredItem({ ...asked, question, sourceIds }, itemId, place, needs);
  const practice: TutorItem = {
    ...item,
    by: madeOfText,
    // As verifiers tell questions apart that are not the course's own: by their words.
    sameness: samenessOf(item.prompt, item.choices),
    ...(item.evidence && { evidence: { ...item.evidence, counts: false } }),
  };
  return { ...practice, digest: digestOf(practice) };
}
