import { demonstrationModel } from "../models.ts";
import type { QuestionResponse } from "../questions/response.ts";
import { withoutKey } from "../questions/shown.ts";
import type { TutorAnswer, TutorItem } from "./events.ts";
import { helpOf } from "./help.ts";
import { dueAt } from "./mastery.ts";
import { masteryIn } from "./replay.ts";
import type { Card, ObjectiveMastery, TutorMessage, TutorSession } from "./session.ts";
import { exists, latestAnswer, type StoredMessage, type TutorState } from "./state.ts";
import { decisionWords } from "./words.ts";

/** The learner's own words by text id; those that were deleted are not in it. */
export type TutorTexts = Readonly<Record<string, string>>;

/** What its learner sees of a session. The key of an item is in it only once the item was answered or explained. Pure. */
export function sessionView(state: TutorState, texts: TutorTexts): TutorSession {
  if (!exists(state)) throw new TypeError("there is no session");
  const { ledger } = state;
  return {
    ...pick(
      state,
      "sessionId",
      "conversationId",
      "courseId",
      "courseTitle",
      "language",
      "courseRevisionId",
      "version",
      "model",
      "startedAt",
      "updatedAt",
    ),
    goal: texts[state.goalTextId] ?? "",
    phase: ledger.phase,
    paused: ledger.paused,
    path: [...ledger.path],
    current: cardOf(state),
    mastery: state.objectives.map((objective) => masteryOf(state, objective)),
    messages: state.messages.map((message) => messageOf(state, message, texts)),
    references: [...state.references],
    ...(state.completedAt !== null && { completedAt: state.completedAt }),
    ...(state.carriedFrom !== null && { carriedFrom: state.carriedFrom }),
    ...(state.practice && { practice: state.practice }),
  };
}

/** Whether own words in practice were graded by the model that cannot judge them. */
export function isCompared({ items, practice }: Pick<TutorState, "items" | "practice">, answer: TutorAnswer | undefined): boolean {
  const { model, provider } = answer?.by ?? {};
  const isPractice = practice === true && items[answer?.itemId ?? ""]?.evidence?.counts === false;
  return isPractice && model === demonstrationModel && provider !== "connector";
}

/** Whether the grade of this answer can be disputed: a model gave it, and no other answer came after it. */
export function isDisputable(state: TutorState, itemId: string): boolean {
  const latest = latestAnswer(state);
  if (latest?.answer.itemId !== itemId || latest.disputed) return false;
  const { gradedBy, correct } = latest.answer;
  return gradedBy === "model" && !isCompared(state, latest.answer) && !correct && state.ledger.phase !== "completed";
}

function cardOf(state: TutorState): Card | null {
  const item = state.current === null ? undefined : state.items[state.current];
  if (!item) return null;
  const attempt = state.asked.filter((itemId) => state.items[itemId]?.objectiveId === item.objectiveId && !state.replaced.includes(itemId));
  return {
    ...pick(item, "itemId", "kind", "sourceIds"),
    ...askedIn(item),
    attempt: Math.max(1, attempt.length),
    objectiveIds: [item.objectiveId],
    hints: { given: state.hints[item.itemId] ?? 0, most: item.hints.length },
    aided: helpOf(state, item) !== null,
    ...(item.unchecked && { unchecked: item.unchecked }),
    gradedBy: item.selection === "text" ? "model" : "application",
  };
}

function masteryOf(
  state: TutorState,
  { objectiveId, title, href, topicTitle, because, tooFewQuestions }: TutorState["objectives"][number],
): ObjectiveMastery {
  const { ledger } = state;
  const answers = ledger.answers.filter((answer) => answer.objectiveId === objectiveId);
  const mastery = masteryIn(ledger, objectiveId);
  const mastered = mastery.standing !== "none";
  const due = dueAt(mastery, ledger.parameters);
  const last = answers.findLast((answer) => !answer.disputed);
  return {
    objectiveId,
    title,
    href,
    topic: topicTitle,
    ...(because && { because }),
    ...(tooFewQuestions && { tooFewQuestions }),
    mastered,
    probability: mastery.probability,
    standing: mastery.standing,
    ...(due !== null && { dueAt: due }),
    ...(mastered && last && { masteredAt: last.receipt }),
    evidence: answers.map((answer) => ({
      ...pick(answer, "receipt", "at", "kind", "correct", "aided", "gradedBy", "probability", "disputed", "carried"),
      counts: answer.evidence?.counts ?? true,
      assistant: answer.via !== undefined,
      ...(isCompared(state, state.answers[answer.itemId]) && { compared: true as const }),
    })),
  };
}

function messageOf(state: TutorState, message: StoredMessage, texts: TutorTexts): TutorMessage {
  const base = pick(message, "messageId", "at", "receipt");
  const itemOf = (itemId: string): TutorItem => {
    const item = state.items[itemId];
    if (!item) throw new TypeError(`the item ${itemId} is not known`);
    return item;
  };
  switch (message.kind) {
    case "goal":
      return { ...base, kind: "goal", text: texts[message.textId] ?? null };
    case "teaching": {
      const { by, objectiveIds: _, ...taught } = message;
      return { ...taught, ...by };
    }
    case "question": {
      const item = itemOf(message.itemId);
      return {
        ...base,
        kind: "question",
        itemId: item.itemId,
        ...askedIn(item),
        itemKind: item.kind,
        objectiveIds: [item.objectiveId],
        ...(item.film !== undefined && { film: item.film }),
        ...(item.review && { review: item.review }),
        replaced: message.replaced,
      };
    }
    case "answer": {
      const { answer, disputed } = message;
      const item = itemOf(answer.itemId);
      const why = reasonsFrom(answer.reasonsTextId === null ? undefined : texts[answer.reasonsTextId]);
      return {
        ...base,
        kind: "answer",
        disputed,
        disputable: isDisputable(state, answer.itemId),
        ...pick(answer, "itemId", "choiceIds", "correct", "aided", "gradedBy"),
        ...givenIn(item, answer, answer.textId === null ? undefined : texts[answer.textId]),
        ...(answer.by && { model: `${answer.by.provider}/${answer.by.model}` }),
        ...(isCompared(state, answer) && { compared: true as const }),
        criteria: answer.criteria.map((one, index) => ({ ...one, reason: why[index] ?? "" })),
        ...pick(item, "right", "modelAnswer", "explanation", "citations"),
        ...(item.key && { key: item.key }),
      };
    }
    case "asked": {
      const { by, textId, replyTextId, ...asked } = message;
      return { ...asked, ...by, text: texts[textId] ?? null, reply: texts[replyTextId] ?? null };
    }
    case "hint":
      return { ...message, text: itemOf(message.itemId).hints[message.level - 1] ?? "" };
    case "explanation": {
      const item = itemOf(message.itemId);
      return { ...message, text: item.explanation, ...pick(item, "right", "modelAnswer", "citations"), ...(item.key && { key: item.key }) };
    }
    case "decision": {
      const step = state.ledger.path.find(({ stepId }) => stepId === message.stepId);
      return { ...message, text: decisionWords(message.decision, message.reason, step?.title ?? "") };
    }
    default:
      return message;
  }
}

/** What a question shows before it is answered. */
const askedIn = (item: TutorItem): Pick<Card, "prompt" | "selection" | "choices" | "question" | "counts"> => ({
  ...pick(item, "prompt", "selection", "choices"),
  ...(item.key && { question: withoutKey(item.key, item.itemId) }),
  ...(item.evidence && { counts: item.evidence.counts }),
});

/** What a learner answered, as far as their words were not deleted. */
export function givenIn(
  { key }: TutorItem,
  { response }: TutorAnswer,
  written: string | undefined,
): { text: string | null; response?: QuestionResponse | null } {
  if (!key) return { text: written ?? null };
  if (response) return { text: null, response };
  if (written === undefined) return { text: null, response: null };
  return { text: null, response: key.kind === "gap" ? { texts: reasonsFrom(written) } : { text: written } };
}

function reasonsFrom(text: string | undefined): string[] {
  if (text === undefined) return [];
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

function pick<Value extends object, Key extends keyof Value>(value: Value, ...keys: Key[]): Pick<Value, Key> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<Value, Key>;
}
