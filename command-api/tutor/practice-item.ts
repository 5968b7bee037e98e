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
}

/**
 * The question to practise an objective with: one that was not asked before and is about the objective itself, one whose answer was not
 * just read before others; null where the page gives none.
 */
export function practiceItem(
  state: TutorState,
  { objectiveId, topicId, derived }: Pick<SessionObjective, "objectiveId" | "topicId" | "derived">,
  place: Omit<ItemPlace, "objectiveId">,
  newId: () => string,
  { course, shown, sourceIds, nearness }: Needs,
): TutorItem | null {
  const known = new Set([...Object.values(state.items), ...(state.askedBefore ?? [])].map(({ sameness }) => sameness));
  const taught = new Set(sourceIds);
  const others = new Set(state.objectives.map((one) => one.objectiveId));
  const titles = state.objectives.map(({ title }) => title).join("\n");
  const lastKind = state.items[state.asked.at(-1) ?? ""]?.key?.kind;
  const items = course
    .practice()
    .filter((one) => {
      if (one.topicId !== topicId || isOnScreen(one.question, titles)) return false;
      // Of a page that names no objective, all is what it teaches.
      if (derived) return one.sourceIds.some((id) => taught.has(id));
      const share = one.about.get(objectiveId) ?? 0;
      return share >= fits.mostWords || (share >= fits.share && nearness(one.sourceIds) >= fits.nearness);
    })
    .map((one) => {
      const item = itemOf(one, newId(), { ...place, objectiveId }, { course, shown });
      const [nearest] = one.about.keys();
      const share = one.about.get(objectiveId);
      const reasonsToWait = [
        isReadOff(item, shown.texts) && cost.readOff,
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
 * Share of an objective's words, and nearness in the search for it, from which a question is about it: most of the words, or some of them
 * where the search finds it first. Chosen by reading the questions on two imported courses.
 */
const fits = { mostWords: 0.6, share: 0.25, nearness: 0.9 };

/**
 * What makes a question wait for others: its answer was just read, another objective's, the same kind again, few of the words, passages that
 * the search for the objective finds late.
 */
const cost = { readOff: 8, ofAnother: 2, sameKind: 1, fewWords: 2, farOff: 3 };

/** Whether what is to be typed stands in the objectives' names, which stand beside the question; of short code also as it is written. */
function isOnScreen(question: PracticeQuestion["question"], titles: string): boolean {
  if (isTypedOff(question, titles)) return true;
  const words = new Set(titles.match(/[\p{L}\p{N}_]+/gu));
  return question.kind === "gap" && question.gaps.flat().some((name) => words.has(name) || titles.includes(`\`${name}\``));
}

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
