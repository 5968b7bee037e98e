import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type GeneratedQuestion, generatedQuestion, generatedQuiz } from "@colloquy/schemas/generation/quiz.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { conversationMessages, quizSystemPrompt } from "../grounding/prompt.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import { gatherQuestions } from "./quiz-questions.ts";
import type { QuizWish } from "./quiz-wish.ts";
import type { AskTurn } from "./turn.ts";

/**
 * A quiz made from the passages of the turn, a few questions at a time, each time told what was asked already, and each question taken
 * as soon as it is written. The model proposes; what is taken is decided by `gatherQuestions`. All of it comes from the model that
 * wrote its first question; when that gives out later on, the quiz is what there is.
 * @param tell called as a model is asked and as questions are taken, with their number so far and, when more are to come, the quiz of them
 * @throws {ProblemError} `invalid_request` when there is nothing to ask about, `nothing_to_ask` when the model says that the passages
 * give no question, `ai_unavailable` when none of its questions can be taken; as `generateObject`.
 */
export async function makeQuiz(
  gateway: ModelGateway,
  turn: AskTurn & { wish: QuizWish },
  passages: readonly TurnPassage[],
  signal: AbortSignal,
  tell: (run: RunInfo, made: number, soFar?: Quiz) => void,
): Promise<{ artifact: Quiz; run: RunInfo }> {
  if (passages.length === 0)
    throw new ProblemError("invalid_request", {
      detail: "Say what the quiz is to be about, or attach a page: nothing in the courses fits.",
    });
  const { count } = turn.wish;
  const gathered = gatherQuestions(passages);
  const mostCalls = Math.ceil(count / bounds.quiz.batch) + bounds.quiz.spareCalls;
  let first: RunInfo | undefined;
  let title = "";
  let told = 0;
  let saidNone = false;
  const take = (proposed: readonly GeneratedQuestion[], by: string | undefined, run: RunInfo): boolean => {
    title ||= by?.trim().slice(0, bounds.course.titleLength) || turn.wish.about.slice(0, bounds.course.titleLength) || "Quiz";
    gathered.take(proposed, count);
    const taken = gathered.questions.length;
    if (taken === told) return false;
    told = taken;
    first ??= run;
    tell(run, taken, taken < count ? gathered.quiz(title) : undefined);
    return true;
  };
  for (let call = 0; call < mostCalls && gathered.questions.length < count; call += 1) {
    const made = gathered.questions.length;
    try {
      const { object, run } = await gateway.generateObject({
        model: turn.model,
        need: "quiz",
        name: "quiz",
        schema: generatedQuiz,
        system: quizSystemPrompt(passages, {
          count: Math.min(bounds.quiz.batch, count - made),
          asked: gathered.questions.map(({ prompt }) => prompt),
        }),
        messages: conversationMessages(turn.history, turn.message),
        maxOutputTokens: bounds.quiz.outputTokens,
        signal,
        onAttempt: (attempt) => tell(attempt, made),
        entries: {
          of: "questions",
          take(entry, title, run) {
            const question = generatedQuestion.safeParse(entry);
            return question.success && take([question.data], title, run);
          },
        },
        ...(first && { stayWith: first }),
      });
      first ??= run;
      if (object.questions.length === 0) {
        saidNone = true;
        break;
      }
      take(object.questions, object.title, run);
    } catch (error) {
      const taken = gathered.questions.length;
      if (taken === 0 || signal.aborted || !(error instanceof ProblemError)) throw error;
      // Whoever gave some before it broke off is asked for the others once more.
      if (taken === made) break;
    }
  }
  if (saidNone && gathered.questions.length === 0) throw new ProblemError("nothing_to_ask");
  if (!first || gathered.questions.length === 0)
    throw new ProblemError("ai_unavailable", { detail: "No question could be made from the course's text. Ask about a narrower topic." });
  return { artifact: gathered.quiz(title), run: first };
}
