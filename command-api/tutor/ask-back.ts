import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorFrame } from "@colloquy/schemas/tutor/requests.ts";
import { isSmallTalk } from "@colloquy/schemas/tutor/small-talk.ts";
import { isOfLesson, latestAnswer, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { courseSaysNoMore, nothingAsked } from "@colloquy/schemas/tutor/words.ts";
import { makeBrief } from "../grounding/brief.ts";
import type { CoursePages } from "../grounding/course-pages.ts";
import { conversationMessages } from "../grounding/prompt.ts";
import { type IsRevision, resolveReferences } from "../grounding/retrieve.ts";
import type { HistoryEntry } from "../grounding/topic-of-conversation.ts";
import type { Reply } from "./commands.ts";
import type { LearnerWords } from "./learner-words.ts";
import { type ModelContext, statusOf, writerOf } from "./model-calls.ts";
import { currentStep } from "./policy.ts";
import { mayBecomeNothingElse, replyPrompt, withoutNothingElse } from "./prompts.ts";
import { lessonWriter, type Taught } from "./proposals.ts";
import { answeredWith, isLesson, type Message } from "./task-inputs.ts";

interface Needs {
  library: PassageLibrary;
  pages: Pick<CoursePages, "pageOf">;
  isRevision: IsRevision;
}

/** Passages of the open question, or of the lesson, that a reply is to come from. */
const mostPlaces = 4;

/**
 * Answers a learner who asks back in the middle of a session, from what the open question or the lesson rests on and the page of the
 * objective, as it arrives. Where the model finds nothing there, the application says so in its own words; any other reply is help,
 * whatever it rests on. Where nothing is asked, no model is. Stopped in the middle it gives what there is.
 * @throws {ProblemError} as `ModelGateway.streamText`; the signal's reason when nothing had come
 */
export async function answerBack(
  context: ModelContext,
  needs: Needs,
  state: TutorState,
  learner: LearnerWords,
  question: string,
): Promise<Omit<Reply, "text"> & { text: string }> {
  const { gateway, model, signal, emit } = context;
  if (isSmallTalk(question)) {
    emit(versioned({ kind: "text_delta" as const, text: nothingAsked }));
    return { text: nothingAsked, citations: [], outcome: "finished", foundNothing: true };
  }
  const item = state.current === null ? undefined : state.items[state.current];
  const step = currentStep(state);
  const objectiveId = item?.objectiveId ?? step?.objectiveIds[0];
  const objective = state.objectives.find((one) => one.objectiveId === objectiveId) ?? state.objectives[0];
  emit(versioned({ kind: "status" as const, phase: "retrieving" as const, elapsedMs: context.elapsedMs() }));
  const lesson = state.messages.findLast(isLesson);
  const places = (item ?? lesson)?.citations.slice(0, mostPlaces) ?? [];
  const answered = latestAnswer(state)?.answer.itemId;
  const explained = (answered === undefined ? undefined : state.items[answered])?.citations.slice(0, mostPlaces) ?? [];
  const references = await resolveReferences(
    needs,
    [...places, ...explained, ...(objective ? [objective] : [])].map(({ href }) => ({ href })),
  );
  const conversation = conversationOf(state, learner);
  // A wrong answer is no topic to search for.
  const history = conversation.filter(({ isOfQuestion }) => !isOfQuestion);
  const brief = await makeBrief(needs, { message: question, history, references, tokens: bounds.tutor.askTokens });
  signal.throwIfAborted();
  const run = await gateway.streamText({
    model,
    need: "tutor",
    signal,
    maxOutputTokens: bounds.tutor.outputTokens.reply,
    onAttempt: statusOf(context, "replying"),
    system: replyPrompt(brief, {
      objective: objective?.title ?? "",
      goal: learner.goal,
      about: brief.passages.flatMap(({ key, sourceId }) => (places.some((place) => place.sourceId === sourceId) ? key : [])),
      open: item ? { question: item.prompt, choices: item.choices.map(({ text }) => text) } : null,
    }),
    messages: conversationMessages(conversation, question),
  });
  const held: TutorFrame[] = [];
  const reply = lessonWriter(brief.passages, (frame) => {
    held.push(frame);
    // What may still become the sign for nothing is not shown.
    if (!mayBecomeNothingElse(reply.text())) for (const one of held.splice(0)) emit(one);
  });
  let outcome: Taught["outcome"] = "finished";
  try {
    for await (const piece of run.text) reply.take(piece);
    reply.end();
  } catch (error) {
    if (!signal.aborted || !context.streamed || mayBecomeNothingElse(reply.text())) throw error;
    outcome = "stopped";
  }
  const by = writerOf(run);
  const { text: written, isSigned } = withoutNothingElse(reply.text());
  const text = written.replaceAll(/^[\s`.]+$/g, "").trim();
  if (isSigned && text === "") {
    emit(versioned({ kind: "text_delta" as const, text: courseSaysNoMore }));
    // A model's word alone spares nobody: by it a learner could be told something about the open question.
    const isFar = item === undefined || brief.close.length === 0;
    return { text: courseSaysNoMore, citations: [], outcome, by, ...(isFar && { foundNothing: true as const }) };
  }
  for (const frame of held) emit(frame);
  return { text, citations: reply.citations(objective?.title ?? ""), outcome, by };
}

/** What was said that the question may lean on: the latest lesson with the answer before it, and what was answered, explained and asked since. */
function conversationOf({ messages, items }: TutorState, { textOf }: LearnerWords): (HistoryEntry & { isOfQuestion?: true })[] {
  const exchange = (text: string | null, reply: string | null): HistoryEntry[] =>
    text === null || reply === null || reply === ""
      ? []
      : [
          { role: "learner", text },
          { role: "assistant", text: reply },
        ];
  const itemOf = (message: Message): TutorItem | undefined => {
    if (message.kind === "answer") return items[message.answer.itemId];
    return message.kind === "hint" || message.kind === "explanation" ? items[message.itemId] : undefined;
  };
  const lesson = messages.findLastIndex(isLesson);
  const before = messages.findLastIndex(
    (message, at) => at < lesson && message.kind === "answer" && isOfLesson(items[message.answer.itemId]),
  );
  return messages.slice(Math.max(0, before === -1 ? lesson : before)).flatMap((message) => {
    if (isLesson(message)) return exchange(message.title, message.text);
    if (message.kind === "asked") return exchange(textOf(message.textId), textOf(message.replyTextId));
    const item = itemOf(message);
    if (!item || !isOfLesson(item)) return [];
    const given = message.kind === "answer" ? answeredWith(item, message.answer, textOf) : null;
    const reply = message.kind === "hint" ? (item.hints[message.level - 1] ?? null) : item.explanation;
    return exchange([item.prompt, given].filter(Boolean).join("\n"), reply).map((entry) => ({ ...entry, isOfQuestion: true as const }));
  });
}
