import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { AskFrame, AskPhase, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Language } from "@colloquy/schemas/languages.ts";
import type { Answerer, ModelSelection } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { foreignLanguage } from "../foreign-language.ts";
import { makeBrief } from "../grounding/brief.ts";
import { tokenBudget } from "../grounding/budget.ts";
import { citationWriter } from "../grounding/citations.ts";
import type { CoursePages } from "../grounding/course-pages.ts";
import { askSystemPrompt, conversationMessages } from "../grounding/prompt.ts";
import { usesCourseWords } from "../grounding/question-words.ts";
import { type QuestionRewriter, rewrittenQueries } from "../grounding/rewrite-question.ts";
import { markUnsupported, unsupportedByWords } from "../grounding/support.ts";
import { unsupportedByModel } from "../grounding/support-model.ts";
import { isVague, leansOnHistory } from "../grounding/topic-of-conversation.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import { followUpTail } from "./follow-up-tail.ts";
import { followUps } from "./follow-ups.ts";
import { makeQuiz } from "./quiz.ts";
import type { AuthoredChoice } from "./quiz-questions.ts";
import { detectQuizRequest, type QuizRequest } from "./quiz-request.ts";
import { streamProgress } from "./stream-progress.ts";

/** A request whose references were resolved. */
export type ResolvedAskRequest = Omit<AskRequest, "references"> & {
  references: ResolvedReference[];
  accountId: string;
  /** Of the learner's interface. */
  language: Language;
};

/** What a quiz is asked about and for whom. */
export interface QuizScope {
  accountId: string;
  count: number;
  topic: string;
  references: readonly ResolvedReference[];
  /** Whether the quiz is recorded, so that what it shows is known. */
  isKept: boolean;
  /** Of the brief, the best first. */
  passages: readonly Pick<RankedPassage, "courseId" | "source">[];
}

/** What a quiz asks of a course's own, and what no model may ask in it. */
interface BankQuestions {
  /** Best first; fewer than asked for, or none, where the course has no more. */
  chosen: AuthoredChoice[];
  /** The sameness of each question that the courses hold, retired ones included. */
  written: ReadonlySet<string>;
}
export type QuizBank = (scope: QuizScope) => Promise<BankQuestions>;

export interface AskDependencies {
  library: PassageLibrary;
  pages: CoursePages;
  gateway: ModelGateway;
  rewriter: QuestionRewriter;
  /** Without it, a model writes every question of a quiz. */
  quizBank?: QuizBank;
  /** Checks whether passages support the cited sentences; without it a comparison of words does. */
  supportModel?: ModelSelection | null;
  /** Monotonic milliseconds. */
  now(): number;
}

/** The service that began to answer broke off: a model could be reached, so the standard text of the code would be wrong. */
const brokenOff = (error: unknown): unknown =>
  error instanceof ProblemError && error.code === "ai_unavailable"
    ? new ProblemError("ai_unavailable", { detail: "The connection to the model broke before the answer was finished.", cause: error })
    : error;

type StatusDetail = Extract<AskFrame, { kind: "status" }>["detail"];

/** A citation mark cut by the bound on the answer's length. */
const cutMark = /\[(?:\^\d*)?$/;

/** The quiz that a turn asks for, by its text, its slash command or its `command` field; null for a question. */
export function quizRequestOf(request: Pick<ResolvedAskRequest, "command" | "message">): QuizRequest | null {
  return detectQuizRequest(request.message, request.command === "quiz");
}

/**
 * The frames of one Ask turn: status frames, each citation before the text that contains its number, the text as it arrives with markers
 * turned into citations, then `complete`. Throws instead of yielding an error frame; the caller ends the stream with one.
 * @throws {ProblemError} `ai_unavailable`, `ai_timeout`, `model_not_capable`
 */
export async function* answer(dependencies: AskDependencies, request: ResolvedAskRequest, signal: AbortSignal): AsyncGenerator<AskFrame> {
  const { library, pages, gateway, rewriter, supportModel, quizBank, now } = dependencies;
  const started = now();
  const elapsedMs = (): number => Math.round(now() - started);
  const status = (phase: AskPhase, detail?: StatusDetail): AskFrame =>
    versioned({ kind: "status" as const, phase, elapsedMs: elapsedMs(), ...(detail && { detail }) });
  const modelOf = ({ provider, model, fallbackDepth }: Pick<RunInfo, "model" | "fallbackDepth"> & { provider: Answerer }) => ({
    provider,
    model,
    fallbackDepth,
  });

  yield status("retrieving");
  const quizRequest = quizRequestOf(request);
  const need = quizRequest ? "quiz" : "ask";
  const outputTokens = quizRequest ? bounds.quiz.outputTokens : bounds.ask.outputTokens;
  const budget = tokenBudget({
    contextTokens: gateway.contextTokens({ model: request.model, need }),
    outputTokens,
    message: request.message,
  });
  const asked = quizRequest ? { ...request, message: quizRequest.topic } : request;
  const courseIds = [...new Set(request.references.map(({ courseId }) => courseId))];
  const { titles, languages } = await pages.described(courseIds);
  const foreign = foreignLanguage(request.message, languages);
  // A question that stands alone in the course's own words is searched as it is.
  const needsRewriting =
    quizRequest === null &&
    (foreign !== null ||
      leansOnHistory(request.message, request.history) ||
      (!isVague(request.message) && !(await usesCourseWords(library, request.message, courseIds))));
  const rewriting = needsRewriting ? rewriter.rewrite({ ...request, titles, languages }, signal) : Promise.resolve(null);
  const brief = await makeBrief(
    { library, pages },
    { ...asked, tokens: budget.brief, rewritten: rewriting.then((rewritten) => (rewritten ? rewrittenQueries(rewritten) : [])) },
  );
  signal.throwIfAborted();
  const rewritten = await rewriting;
  const { passages } = brief;
  const read = {
    sources: passages.length,
    pages: brief.pages,
    sections: brief.sections,
    ...(rewritten && { rewritten: rewritten.question }),
    ...(foreign !== null && !rewritten && { otherLanguage: { question: foreign, courses: languages.slice(0, 20) } }),
  };

  if (quizRequest) {
    const progress = { made: 0, wanted: quizRequest.count };
    const { accountId, references, keep } = request;
    const scope = { accountId, references, passages, isKept: keep !== undefined, ...quizRequest };
    const { chosen = [], written } = (await quizBank?.(scope)) ?? {};
    signal.throwIfAborted();
    const about = references.map(({ source }) => source.title).join(", ");
    const { artifact, run } = yield* streamProgress<AskFrame, Awaited<ReturnType<typeof makeQuiz>>>((emit) =>
      makeQuiz(
        gateway,
        { ...request, quizRequest, authored: chosen, written, about, historyTokens: budget.history },
        brief,
        signal,
        (run, made, quiz) => {
          emit(status("generating", { ...read, ...modelOf(run), questions: { ...progress, made }, ...(quiz && { quiz }) }));
        },
      ),
    );
    yield status("grounding", read);
    yield versioned({ kind: "artifact" as const, artifact });
    yield versioned({
      kind: "complete" as const,
      citations: artifact.sources,
      followUps: [],
      ...modelOf(run),
      finishReason: "stop" as const,
      elapsedMs: elapsedMs(),
    });
    return;
  }

  const run = yield* streamProgress<AskFrame, Awaited<ReturnType<ModelGateway["streamText"]>>>((emit) =>
    gateway.streamText({
      model: request.model,
      need: "ask",
      system: askSystemPrompt(brief, request.language),
      messages: conversationMessages(request.history, request.message, budget.history),
      maxOutputTokens: outputTokens,
      signal,
      onAttempt: (attempt) => emit(status("generating", { ...read, ...modelOf(attempt) })),
    }),
  );
  yield status("writing", { ...read, ...modelOf(run) });
  const writer = citationWriter(passages);
  const tail = followUpTail();
  let sentCitations = 0;
  let charactersLeft = bounds.ask.answerLength;
  let hasText = false;
  /** A text frame, and before it the citations that the text is the first to use. The marks can make it longer than the model's text. */
  function* textFrames(text: string): Generator<AskFrame> {
    if (!text) return;
    const left = charactersLeft;
    charactersLeft -= text.length;
    if (left <= 0) return;
    if (text.includes("[^")) {
      for (const citation of writer.citations().slice(sentCitations)) yield versioned({ kind: "citation" as const, citation });
      sentCitations = writer.citations().length;
    }
    const fits = text.length <= left ? text : text.slice(0, left).replace(cutMark, "").toWellFormed();
    hasText ||= fits.trim() !== "";
    if (fits) yield versioned({ kind: "text_delta" as const, text: fits });
  }
  try {
    for await (const piece of run.text) {
      yield* textFrames(writer.push(tail.push(piece)));
      if (charactersLeft < 0) break;
    }
  } catch (error) {
    // The writer holds text back until a line or code span ends; an answer that breaks off includes it.
    if (signal.aborted) throw error;
    yield* textFrames(writer.push(tail.end()) + writer.end());
    throw hasText ? brokenOff(error) : error;
  }
  yield* textFrames(writer.push(tail.end()) + writer.end());
  if (!hasText) throw new ProblemError("ai_unavailable", { detail: "The model gave no answer. Ask again, or choose another model." });
  yield status("grounding", read);
  const claims = writer.claims();
  const byWords = unsupportedByWords(claims, request.message);
  const unsupported = supportModel ? await unsupportedByModel(gateway, supportModel, claims, byWords, signal) : byWords;
  const citations = markUnsupported(writer.citations(), claims, unsupported);
  const finished = charactersLeft < 0 ? { finishReason: "length" as const } : await run.finished;
  yield versioned({
    kind: "complete" as const,
    citations,
    followUps: await followUps({ library, pages }, { ...request, passages, citations }, tail.lines()),
    ...modelOf(run),
    ...(run.reportedModel !== undefined && { reportedModel: run.reportedModel }),
    ...finished,
    elapsedMs: elapsedMs(),
  });
}
