import { z } from "zod";
import { CallFailure } from "./failures.ts";
import { requestJson } from "./object-call.ts";
import { readObject, wireSchema } from "./object-schema.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";

/** How a model was found to write objects; null: not well enough to teach or to make quizzes. */
export type ObjectSkill = ModelTarget["structuredOutput"] | null;

const schema = z.strictObject({
  answers: z
    .array(z.strictObject({ question: z.int().min(1).max(2), chosen: z.enum(["A", "B"]), quote: z.string().min(1).max(200) }))
    .length(2),
});
const system =
  "You check questions against a passage. For each question give its number, the letter of the right choice, and the sentence of the passage that says so, word for word.";
const question = `Passage: "A stack returns the element that was added last. A queue returns the element that was added first."

Question 1: Which one returns the element that was added first? A: the stack. B: the queue.
Question 2: Which one returns the element that was added last? A: the stack. B: the queue.`;
const isRight = ({ answers }: z.output<typeof schema>): boolean =>
  answers.some((one) => one.question === 1 && one.chosen === "B") && answers.some((one) => one.question === 2 && one.chosen === "A");

/**
 * Asks a model for one small object: the right choices of two questions on a passage of two sentences. First with the schema enforced by its
 * service, then with the schema in the prompt.
 * @throws {CallFailure} if the service does not answer; nothing is known then
 */
export async function probeObjects(model: ModelTarget, details: CallDetails, signal: AbortSignal): Promise<ObjectSkill> {
  const wire = wireSchema(schema);
  for (const structuredOutput of ["json_schema", "json_object"] as const) {
    const inPrompt =
      structuredOutput === "json_object" ? `\nAnswer with one JSON object that fits this JSON Schema:\n${JSON.stringify(wire)}` : "";
    try {
      const { text } = await requestJson(
        { ...model, structuredOutput },
        details,
        { system: system + inPrompt, messages: [{ role: "user", content: question }], maxOutputTokens: 300, name: "answers", schema: wire },
        signal,
      );
      const result = readObject(schema, text);
      if (result.ok && isRight(result.object)) return structuredOutput;
    } catch (error) {
      if (!(error instanceof CallFailure) || (error.kind !== "invalid" && error.kind !== "empty")) throw error;
    }
  }
  return null;
}
