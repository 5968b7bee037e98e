import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { samenessOf } from "@colloquy/infra/object-store/course-questions.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { QuestionKey, SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { choiceErrors } from "@colloquy/schemas/generation/choices.ts";
import type { GeneratedCheck } from "@colloquy/schemas/generation/tutor.ts";
import { demonstrationModel, type WrittenBy } from "@colloquy/schemas/models.ts";
import { shuffledChoices } from "@colloquy/schemas/questions/choice-order.ts";
import { normalizedText } from "@colloquy/schemas/questions/compare.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { ItemEvidence } from "@colloquy/schemas/tutor/evidence.ts";
import type { CommittedQuestion } from "@colloquy/schemas/tutor/ledger.ts";
import { defaultEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { ruledOutHint, whereHint } from "@colloquy/schemas/tutor/words.ts";
import { withoutChoiceLetters } from "../ask/quiz-questions.ts";
import { citationOf } from "../grounding/citations.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { TutorCourse } from "./course.ts";
import { type ShownTexts, shownOf } from "./shown-texts.ts";

/** Where an item is to stand. */
export interface ItemPlace {
  kind: TutorItem["kind"];
  objectiveId: string;
  stepId: string | null;
  breadth: TutorItem["breadth"];
}

/** What the application makes of a proposal; ids and the order of choices are its own. */
export interface ItemMaker {
  passages: readonly TurnPassage[];
  course: TutorCourse;
  /** A fresh id. */
  newId(): string;
  random(): number;
  /** What the learner was shown before. */
  shown: ShownTexts;
}

/**
 * The item a proposal becomes, or what is wrong with it: its passages were not given, its choices are not distinct or do not fit its
 * kind, or it is the same question as the one before.
 */
export function itemFrom(
  { passages, course, newId, random, shown }: ItemMaker,
  proposal: Omit<GeneratedCheck, "hint"> & { hint?: string },
  place: ItemPlace,
  by: WrittenBy,
  previous: string | null,
): { ok: true; item: TutorItem } | { ok: false; why: string } {
  const refused = (why: string) => ({ ok: false as const, why });
  const grounds = proposal.passages.flatMap((key) => passages.find((passage) => passage.key === key) ?? []);
  if (grounds.length === 0) return refused("it names no passage that was given");
  const proposed = withoutChoiceLetters(proposal.choices);
  if (proposal.selection === "text") {
    if (proposed.length > 0 || proposal.rubric.length === 0) return refused("a text question needs a rubric and no choices");
  } else {
    const [error] = choiceErrors(proposal.selection, proposed);
    if (error) return refused(error);
    if (new Set(proposed.map(({ text }) => normalizedText(text))).size !== proposed.length) return refused("two choices say the same");
  }
  const same = samenessOf(proposal.prompt, proposed);
  if (same === previous) return refused("it is the question that was asked just before");
  if (course.written.has(same)) return refused("it is a question of the course's own, or one that its owners retired");
  const choices = shuffledChoices(proposed, random).map((choice) => ({ choiceId: newId(), ...choice }));
  const bySource = new Map(grounds.map((passage) => [passage.sourceId, passage]));
  const citations = [...bySource.values()].map((passage, index) =>
    citationOf(passage, index + 1, `${proposal.prompt} ${proposal.explanation}`),
  );
  const item: TutorItem = {
    itemId: newId(),
    ...place,
    by,
    citations,
    sameness: same,
    digest: "",
    prompt: proposal.prompt,
    selection: proposal.selection,
    explanation: proposal.explanation,
    choices: choices.map(({ choiceId, text }) => ({ choiceId, text })),
    right: choices.filter(({ correct }) => correct).map(({ choiceId }) => choiceId),
    rubric: proposal.rubric,
    modelAnswer: proposal.modelAnswer,
    hints: hintsOf(proposal, choices, grounds),
    sourceIds: [...bySource.keys()],
    sourceDigests: Object.fromEntries([...bySource.keys()].map((sourceId) => [sourceId, course.digests.get(sourceId) ?? ""])),
  };
  return { ok: true, item: placed(item, shown) };
}

/** A question with its digest, the ids of its statements, and whether its answer was to be read before. */
function placed(item: TutorItem, shown: ShownTexts): TutorItem {
  const evidence = item.by.model === demonstrationModel ? practiceEvidence(item) : undefined;
  return { ...item, digest: digestOf(item), ...(evidence && { evidence }), ...shownOf(item, shown) };
}

/** The demonstration model alters sentences and can judge no question: what it writes is practice. */
export const practiceEvidence = ({ selection, choices }: TutorItem): ItemEvidence => ({
  ...defaultEvidence({ selection, choices: choices.length }, masteryParameters),
  counts: false,
});

/** An item once more, under ids of its own. */
export function askedAgain(item: TutorItem, { newId, random }: Pick<ItemMaker, "newId" | "random">, stepId: string): TutorItem {
  const choices = shuffledChoices(item.choices, random).map(({ choiceId: before, text }) => ({ before, choiceId: newId(), text }));
  const right = choices.flatMap(({ before, choiceId }) => (item.right.includes(before) ? choiceId : []));
  const again: TutorItem = {
    ...item,
    itemId: newId(),
    kind: "check",
    stepId,
    right,
    choices: choices.map(({ choiceId, text }) => ({ choiceId, text })),
  };
  return { ...again, digest: digestOf(again) };
}

/** The closing question of a film, as a question of a session: always the same one for the same film. */
export function filmItem(
  { jobId, question, key, citations, by }: FilmQuestion,
  objectiveId: string,
  { digests }: TutorCourse,
  shown: ShownTexts,
): TutorItem {
  const { content } = question;
  const choices = content.choices.map((text, index) => ({ choiceId: eventIdFrom("film choice", jobId, String(index)), text }));
  const sourceIds = [...new Set(question.sourceIds)];
  const item: TutorItem = {
    itemId: eventIdFrom("film question", jobId),
    kind: "check",
    objectiveId,
    stepId: null,
    breadth: "narrow",
    film: jobId,
    by,
    prompt: content.question,
    selection: "single",
    choices,
    right: choices.slice(key.right, key.right + 1).map(({ choiceId }) => choiceId),
    rubric: [],
    modelAnswer: "",
    hints: [],
    explanation: key.explanation,
    sourceIds,
    digest: "",
    citations: citations.filter(({ sourceId }) => sourceIds.includes(sourceId)).map((one, index) => ({ ...one, number: index + 1 })),
    sourceDigests: Object.fromEntries(sourceIds.map((sourceId) => [sourceId, digests.get(sourceId) ?? ""])),
    sameness: samenessOf(content.question, choices),
  };
  return placed(item, shown);
}

/** The closing question of a film, with its key. */
export interface FilmQuestion {
  jobId: string;
  question: SceneOf<"question">;
  key: QuestionKey;
  /** Of the whole film. */
  citations: readonly Citation[];
  by: WrittenBy;
}

/** Question and key, as the ledger names them. */
export const digestOf = (item: TutorItem): string => {
  const { itemId, selection } = item;
  return sha256(canonicalText({ ...committedQuestion(item), itemId, selection }));
};

/** A question as its digest commits to it. */
export const committedQuestion = ({
  prompt,
  choices,
  right,
  rubric,
  modelAnswer,
  key,
  authored,
}: Omit<TutorItem, "digest">): CommittedQuestion => ({
  prompt,
  choices,
  right,
  rubric,
  modelAnswer,
  ...(key && { key }),
  ...(authored && { authored }),
});

/** The hint ladder: what helps to think, where it stands, and, where there are enough, one choice that is wrong. None gives the answer. */
function hintsOf(
  { hint, selection, modelAnswer }: { hint?: string; selection: string; modelAnswer: string },
  choices: readonly { text: string; correct: boolean }[],
  grounds: readonly TurnPassage[],
): string[] {
  const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
  const told = [...choices.filter(({ correct }) => correct).map(({ text }) => text), modelAnswer]
    .map(folded)
    .filter((text) => text.length > 2);
  const helps = hint !== undefined && hint.trim() !== "" && !told.some((answer) => folded(hint).includes(answer));
  const [first] = grounds;
  const where = first && placeHint(first);
  const wrong = choices.find(({ correct }) => !correct);
  const fewer = selection !== "text" && choices.length > 2 && wrong && ruledOutHint(wrong.text);
  return [helps && hint, where, fewer].filter((one) => typeof one === "string").slice(0, bounds.tutor.hints);
}

/** The hint that says where the answer stands. */
export const placeHint = ({ heading, source }: Pick<TurnPassage, "heading" | "source">): string =>
  whereHint(`[${escaped(heading || source.title)}](${source.href})`);

const escaped = (text: string): string => text.replace(/[[\]\\]/g, "\\$&");
