import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import { z } from "zod";
import { makeQuiz } from "../ask/quiz.ts";
import { draftStoryboard } from "../explainers/storyboard/draft.ts";
import { askSystemPrompt } from "../grounding/prompt.ts";
import { questionRewriter } from "../grounding/rewrite-question.ts";
import type { ModelGateway, ObjectRequest } from "../model-gateway/gateway.ts";
import { materialForModels } from "./material.ts";

/** What came of one check. `why`: what was seen, or why it failed. */
export interface CheckResult {
  name: "streams" | "stops" | "object" | "quiz" | "storyboard" | "rewrite";
  passed: boolean;
  ms: number;
  why: string;
}

export interface ModelCheck {
  results: CheckResult[];
  /** What it can be used for. */
  uses: { ask: boolean; quiz: boolean; tutor: boolean };
  /** Whether it can do what the installation offers it for. */
  asOffered: boolean;
}

/** How long one check may take. */
const withinMs = 600_000;
/** How long a stopped call may take to end. */
const stopsWithinMs = 2_000;

const small = z.strictObject({ structures: z.array(z.strictObject({ name: z.enum(["stack", "queue"]), first: z.boolean() })).length(2) });

/**
 * Asks one model for everything that the program asks models for, with the program's own prompts and checks.
 * @param tell called with each result as it comes
 */
export async function checkModel(
  gateway: ModelGateway,
  choice: ModelChoice,
  tell: (result: CheckResult) => void = () => {},
): Promise<ModelCheck> {
  const { topic, brief } = await materialForModels();
  const model: ModelSelection = { choice: "pinned", id: choice.id, allowFallbackWhenPinned: false };
  // A model that is offered for answers only would be replaced by another, or refused.
  const asked: ModelGateway = {
    ...gateway,
    generateObject: <T>(request: ObjectRequest<T>) => gateway.generateObject({ ...request, need: "ask" }),
  };
  const question = `What does this page say about ${topic.title}?`;
  const ask = (signal: AbortSignal) =>
    gateway.streamText({
      model,
      need: "ask",
      system: askSystemPrompt(brief, "en"),
      messages: [{ role: "user", content: question }],
      maxOutputTokens: bounds.ask.outputTokens,
      signal,
    });

  const checks: Record<CheckResult["name"], (signal: AbortSignal) => Promise<[passed: boolean, why: string]>> = {
    async streams(signal) {
      const begun = performance.now();
      const { text, finished } = await ask(signal);
      const firstMs = performance.now() - begun;
      const chunks = await Array.fromAsync(text);
      const { finishReason } = await finished;
      const cited = /\[s\d+\]/.test(chunks.join(""));
      const seen = `${chunks.length} chunks, first after ${(firstMs / 1_000).toFixed(1)} s, ${cited ? "with" : "without"} citations, ended by "${finishReason}"`;
      return [chunks.length > 1, seen];
    },
    async stops(signal) {
      const stopping = new AbortController();
      const { text } = await ask(AbortSignal.any([signal, stopping.signal]));
      const reading = text[Symbol.asyncIterator]();
      await reading.next();
      const stopped = performance.now();
      stopping.abort(new Error("stopped"));
      const ended = await Promise.race([
        reading.next().then(
          () => false,
          () => true,
        ),
        pause(stopsWithinMs, null),
      ]);
      if (ended === null) return [false, `goes on after ${stopsWithinMs} ms`];
      return [true, `ended after ${Math.round(performance.now() - stopped)} ms`];
    },
    async object(signal) {
      const { object } = await asked.generateObject({
        model,
        need: "ask",
        name: "structures",
        schema: small,
        system: "Describe the stack and the queue. `first`: whether the element that was added first comes out first.",
        messages: [{ role: "user", content: "Describe both." }],
        maxOutputTokens: 400,
        signal,
      });
      const right = object.structures.every(({ name, first }) => first === (name === "queue"));
      return [right, right ? "fits the schema and is right" : "fits the schema, but is wrong"];
    },
    async quiz(signal) {
      const count = 3;
      const { artifact } = await makeQuiz(
        asked,
        {
          model,
          history: [],
          message: `Make a quiz on ${topic.title}.`,
          quizRequest: { count, topic: topic.title },
          historyTokens: 0,
          authored: [],
        },
        brief,
        signal,
        () => {},
      );
      return [artifact.questions.length === count, `${artifact.questions.length} of ${count} questions can be used`];
    },
    async storyboard(signal) {
      const requests = { gateway: asked, model, signal, emit: () => {}, elapsedMs: () => 0 };
      const { storyboard } = await draftStoryboard(topic, "intuition", { requests, checkLayout, newId: randomUUID });
      return [true, `${storyboard.scenes.length} scenes passed the checks and the review`];
    },
    async rewrite(signal) {
      const rewritten = await questionRewriter({ gateway, now: () => performance.now() }).rewrite(
        { model, message: "And why?", history: [{ role: "learner", text: question }], titles: [topic.title], languages: ["en"] },
        signal,
      );
      return [
        rewritten !== null,
        rewritten
          ? `“${rewritten.question}”`
          : `no rewritten question within ${modelBounds.rewriting.withinMs} ms; searches use the question as it is`,
      ];
    },
  };

  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(checks) as [CheckResult["name"], (typeof checks)["quiz"]][]) {
    const begun = performance.now();
    let outcome: [boolean, string];
    try {
      outcome = await check(AbortSignal.timeout(withinMs));
    } catch (error) {
      outcome = [false, error instanceof Error ? error.message : String(error)];
    }
    const result = { name, passed: outcome[0], why: outcome[1], ms: performance.now() - begun };
    results.push(result);
    tell(result);
  }
  const passes = (...names: CheckResult["name"][]): boolean =>
    results.filter(({ name }) => names.includes(name)).every(({ passed }) => passed);
  const uses = {
    ask: passes("streams", "stops"),
    quiz: passes("streams", "stops", "quiz"),
    tutor: passes("streams", "stops", "quiz", "storyboard"),
  };
  const { capabilities } = choice;
  return { results, uses, asOffered: uses.ask && (uses.quiz || !capabilities.quiz) && (uses.tutor || !capabilities.tutor) };
}
