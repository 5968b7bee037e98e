import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import type { Question, Quiz } from "@colloquy/schemas/ai/quiz.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type GeneratedQuiz, generatedQuiz } from "@colloquy/schemas/generation/quiz.ts";
import { v7 as uuid } from "uuid";
import { citationOf } from "../grounding/citations.ts";
import { conversationMessages, quizSystemPrompt } from "../grounding/prompt.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import type { AskTurn } from "./turn.ts";

/**
 * A quiz made from the passages of the turn. The model proposes; ids are the application's, and a question whose passages
 * were not given in this turn is left out.
 * @throws {ProblemError} `ai_unavailable` when no question is left; as `generateObject`.
 */
export async function makeQuiz(
  gateway: ModelGateway,
  turn: AskTurn,
  passages: readonly TurnPassage[],
  signal: AbortSignal,
): Promise<{ artifact: Quiz; run: RunInfo }> {
  const { object, run } = await gateway.generateObject({
    model: turn.model,
    need: "quiz",
    name: "quiz",
    schema: generatedQuiz,
    system: quizSystemPrompt(passages),
    messages: conversationMessages(turn.history, turn.message),
    maxOutputTokens: bounds.quiz.outputTokens,
    signal,
  });
  return { artifact: quizArtifact(object, passages), run };
}

/** The artifact a proposal becomes; see `makeQuiz`. */
export function quizArtifact(proposal: GeneratedQuiz, passages: readonly TurnPassage[]): Quiz {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const sources = new Map<string, Citation>();
  const questions: Question[] = [];
  for (const proposed of proposal.questions) {
    const grounds = proposed.passages.flatMap((key) => byKey.get(key) ?? []);
    if (grounds.length === 0) continue;
    for (const passage of grounds)
      if (!sources.has(passage.sourceId) && sources.size < bounds.citation.perAnswer)
        sources.set(passage.sourceId, citationOf(passage, sources.size + 1, `${proposed.prompt} ${proposed.explanation}`));
    const choices = proposed.choices.map((choice) => ({ choiceId: uuid(), text: choice.text, correct: choice.correct }));
    questions.push({
      questionId: uuid(),
      kind: proposed.kind,
      prompt: proposed.prompt,
      choices: choices.map(({ choiceId, text }) => ({ choiceId, text })),
      correct: choices.filter((choice) => choice.correct).map((choice) => choice.choiceId),
      explanation: proposed.explanation,
      sourceIds: [...new Set(grounds.map((passage) => passage.sourceId))],
    });
  }
  if (questions.length === 0)
    throw new ProblemError("ai_unavailable", { detail: "No question could be made from the course's text. Ask about a narrower topic." });
  return { type: "quiz", quizId: uuid(), title: proposal.title, questions, sources: [...sources.values()] };
}
