import { z } from "zod";
import { payload } from "./payload.ts";

/** The slots of the provider catalogue. */
export const catalogSlots = ["p1", "p2", "p3", "p4", "p5", "p6", "p7"] as const;

/** Also `local`: models of programs on the machine of the installation. */
export const providers = [...catalogSlots, "local"] as const;
export const provider = z.enum(providers);
export type Provider = z.infer<typeof provider>;

/** What an answer comes from: a model of a slot, or the course for a quiz of its own questions. */
export const answerer = z.enum([...providers, "course"]);
export type Answerer = z.infer<typeof answerer>;

/** The writer of a text: the model of a slot, a connected assistant, or people who wrote it with the course. */
export const writers = [...providers, "connector", "course"] as const;
export const writer = z.enum(writers);
export type Writer = z.infer<typeof writer>;

/** The id of the demonstration model, which selects sentences of a course and can judge none. */
export const demonstrationModel = "demonstration";

/** The model that wrote something, and how many fallbacks came before it. Of an assistant, `model` is the name it registered with. */
export const writtenBy = z.object({ provider: writer, model: z.string(), fallbackDepth: z.number() });
export type WrittenBy = z.infer<typeof writtenBy>;

/** "p1/<model>": a slot and a model of it. */
export const modelId = z
  .string()
  .regex(/^(?:p[1-7]|local)\/[A-Za-z0-9._:/@-]{1,160}$/, "expected p1/<model> to p7/<model> or local/<program>/<model>");

const left = z.strictObject({ left: z.int().min(0), of: z.int().min(1) });
/** What is left to an account of a slot's limits until midnight UTC; null without such a limit. */
export const leftToday = z.strictObject({ requests: left.nullable(), tokens: left.nullable() });
export type LeftToday = z.infer<typeof leftToday>;

/** A model that a learner can pick; without secrets. */
export const modelChoice = z.strictObject({
  id: modelId,
  name: z.string(),
  provider,
  providerLabel: z.string(),
  default: z.boolean(),
  /** Its place in automatic routing: 1 to 4 are those of P1 to P4, 0 and 5 those of a local model. */
  automaticRank: z.int().min(0).max(5).nullable(),
  experimental: z.boolean(),
  capabilities: z.strictObject({ ask: z.literal(true), tutor: z.boolean(), quiz: z.boolean() }),
  /** Present if the slot has a limit and somebody is signed in. */
  leftToday: leftToday.optional(),
});
export type ModelChoice = z.infer<typeof modelChoice>;

/** `GET /api/ai/models`. `automatic`: whether a slot of the automatic order has a credential. */
export const modelsResponse = payload({ models: z.array(modelChoice), automatic: z.boolean() });
export type ModelsResponse = z.infer<typeof modelsResponse>;

/** The model selected for a conversation. */
export const modelSelection = z.discriminatedUnion("choice", [
  z.strictObject({ choice: z.literal("automatic") }),
  z.strictObject({ choice: z.literal("pinned"), id: modelId, allowFallbackWhenPinned: z.boolean() }),
]);
export type ModelSelection = z.infer<typeof modelSelection>;
