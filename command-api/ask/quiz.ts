import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type GeneratedQuestion, generatedQuestion, generatedQuiz } from "@colloquy/schemas/generation/quiz.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { promptOf } from "@colloquy/schemas/quiz/quiz-text.ts";
import type { Brief } from "../grounding/brief-text.ts";
import { conversationMessages, quizSystemPrompt } from "../grounding/prompt.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import { type AuthoredChoice, questionCollector } from "./quiz-questions.ts";
import type { QuizRequest } from "./quiz-request.ts";

/** Who wrote a quiz: the model of its first question, or the course if no model wrote one. */
type QuizRun = RunInfo | (WrittenBy & { provider: "course" });

/** No model wrote it, so none is named. */
const course = { provider: "course", model: "", fallbackDepth: 0 } as const;

/**
 * Makes a quiz. The course's own questions come first; a model writes what is missing from the turn's brief, a few questions per call, and
 * each is accepted as soon as it is written. The model proposes; `questionCollector` decides. All that is written comes from the model that
 * wrote the first question; if it fails later, the quiz is shorter.
 * @param report called when a model is asked and when questions are accepted; with the quiz so far when more questions are to come
 * @throws {ProblemError} `invalid_request` without passages; `nothing_to_ask` when the model finds no question in them;
 * `ai_unavailable` when no proposed question is usable; as `generateObject`.
 */
export async function makeQuiz(
  gateway: ModelGateway,
  turn: Pick<AskRequest, "model" | "history" | "message"> & {
    quizRequest: QuizRequest;
    historyTokens: number;
    authored: readonly AuthoredChoice[];
    /** The sameness of each question that a model may not ask. */
    written?: ReadonlySet<string> | undefined;
    /** Of what is attached. */
    about?: string | undefined;
  },
  brief: Brief,
  signal: AbortSignal,
  report: (run: QuizRun, made: number, soFar?: Quiz) => void,
): Promise<{ artifact: Quiz; run: QuizRun }> {
  const { authored, written, quizRequest, about = "" } = turn;
  if (authored.length === 0 && brief.passages.length === 0)
    throw new ProblemError("invalid_request", {
      detail: "The courses have nothing that fits this quiz. Name another topic, or attach a page.",
    });
  const { count } = quizRequest;
  const titled = (by = ""): string => (by.trim() || quizRequest.topic || about).slice(0, bounds.course.titleLength) || "Quiz";
  const collector = questionCollector(brief.passages);
  collector.addAuthored(authored.slice(0, count), written);
  const own = collector.questions.length;
  if (own > 0) report(course, own, own < count ? collector.quiz(titled()) : undefined);
  if (own === count || brief.passages.length === 0) return { artifact: collector.quiz(titled()), run: course };
  const missing = count - own;
  const mostCalls = Math.ceil(missing / bounds.quiz.batch) + bounds.quiz.spareCalls;
  let first: RunInfo | undefined;
  let title = "";
  let reported = own;
  let foundNone = false;
  const accept = (proposed: readonly GeneratedQuestion[], by: string | undefined, run: RunInfo): boolean => {
    title ||= titled(by);
    collector.add(proposed, count);
    const accepted = collector.questions.length;
    if (accepted === reported) return false;
    reported = accepted;
    first ??= run;
    report(run, accepted, accepted < count ? collector.quiz(title) : undefined);
    return true;
  };
  for (let call = 0; call < mostCalls && collector.questions.length < count; call += 1) {
    const made = collector.questions.length;
    try {
      const { object, run } = await gateway.generateObject({
        model: turn.model,
        need: "quiz",
        name: "quiz",
        schema: generatedQuiz,
        system: quizSystemPrompt(brief, {
          count: Math.min(bounds.quiz.batch, count - made),
          asked: collector.questions.map(promptOf),
        }),
        messages: conversationMessages(turn.history, turn.message, turn.historyTokens),
        maxOutputTokens: bounds.quiz.outputTokens,
        signal,
        onAttempt: (attempt) => report(attempt, made),
        entries: {
          of: "questions",
          take(entry, title, run) {
            const question = generatedQuestion.safeParse(entry);
            return question.success && accept([question.data], title, run);
          },
        },
        ...(first && { stayWith: first }),
      });
      first ??= run;
      if (object.questions.length === 0) {
        foundNone = true;
        break;
      }
      accept(object.questions, object.title, run);
    } catch (error) {
      const accepted = collector.questions.length;
      if (accepted === 0 || signal.aborted || !(error instanceof ProblemError)) throw error;
      // A model that gave questions before it failed is asked once more for the rest.
      if (accepted === made) break;
    }
  }
  if (foundNone && collector.questions.length === 0) throw new ProblemError("nothing_to_ask");
  if (collector.questions.length === 0)
    throw new ProblemError("ai_unavailable", { detail: "No question could be made from the course's text. Ask about a narrower topic." });
  return { artifact: collector.quiz(title || titled()), run: first && collector.questions.length > own ? first : course };
}
