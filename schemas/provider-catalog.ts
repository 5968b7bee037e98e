import { z } from "zod";
import { catalogSlots } from "./models.ts";

/**
 * The provider catalogue (`PROVIDER_CATALOG`): which service and which models the slots P1 to P7 mean.
 * It names the variables that hold credentials and never holds one.
 */

/** The variables of `infra/variables.ts` that may hold a credential. */
export const credentialVariables = [
  "P1_API_KEY",
  "P2_API_KEY",
  "P2_ALTERNATE_API_KEY",
  "P3_API_KEY",
  "P4_API_KEY",
  "P5_API_KEY",
  "P6_API_KEY",
  "P6_ALTERNATE_API_KEY",
  "P7_API_KEY",
] as const;

const milliseconds = z.int().min(100).max(600_000);

export const catalogModel = z.strictObject({
  /** The public id after the slash: `p1/<id>`. */
  id: z.string().regex(/^[A-Za-z0-9._:/@-]{1,160}$/, "expected letters, digits and . _ : / @ -"),
  /** The id sent to the service. */
  serviceId: z.string().min(1).max(200),
  name: z.string().min(1).max(80),
  /** Whether it may be used for Tutor and for quizzes: both need structured output. Ask is open to every model. */
  tutor: z.boolean(),
  quiz: z.boolean(),
  default: z.boolean().default(false),
  /** How the service is asked for an object: a JSON Schema it enforces, or any JSON with the schema in the prompt. */
  structuredOutput: z.enum(["json_schema", "json_object"]).default("json_object"),
  /** Output tokens such a model spends on reasoning before its first word; added to what a caller asks for. */
  reasoningTokens: z.int().min(0).max(32_000).default(0),
  /** The least `reasoning_effort` that the service accepts for this model; sent with calls that must be quick. */
  leastReasoning: z.enum(["none", "minimal", "low"]).optional(),
  /** The context window: instructions, course text, conversation and answer together. `modelBounds.brief.contextTokens` if absent. */
  contextTokens: z.int().min(4_000).max(10_000_000).optional(),
  /** Whether it only selects course text: then nothing is asked of it besides answers and objects of the course. */
  extractive: z.boolean().default(false),
  /** The one P2 model that may be retried at P3, and the id P3 knows it by. */
  newestFlash: z.boolean().default(false),
  p3ServiceId: z.string().min(1).max(200).optional(),
});
export type CatalogModel = z.infer<typeof catalogModel>;

export const catalogSlot = z
  .strictObject({
    slot: z.enum(catalogSlots),
    label: z.string().min(1).max(60),
    /** Without a trailing `/chat/completions`. `P5_BASE_URL` to `P7_BASE_URL` go before it. */
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    /** Another variable that holds the address. */
    baseUrlVariable: z.literal("DEMO_MODEL_URL").optional(),
    /** The first variable that is set is used; an empty list means the service needs no credential. */
    credentials: z.array(z.enum(credentialVariables)),
    /** Whether a stream may be asked for its token counts (`stream_options`). */
    usageInStream: z.boolean().default(true),
    timeouts: z.strictObject({
      /** Until the service has accepted the request of a stream (its response headers). */
      connectMs: milliseconds,
      /** Until the first word. */
      firstTokenMs: milliseconds,
      /** Between two chunks. */
      idleMs: milliseconds,
      /** For the whole answer; the only one for an object. */
      wholeMs: milliseconds,
    }),
    models: z.array(catalogModel).min(1).max(12),
  })
  .superRefine((slot, context) => {
    const wrong = (message: string, path: PropertyKey[]) => context.addIssue({ code: "custom", message, path });
    if (!slot.baseUrl && !slot.baseUrlVariable) wrong("needs a baseUrl or a baseUrlVariable", ["baseUrl"]);
    if (slot.models.filter((model) => model.default).length !== 1) wrong("exactly one model is the default", ["models"]);
    if (new Set(slot.models.map((model) => model.id)).size !== slot.models.length) wrong("two models have one id", ["models"]);
    const flash = slot.models.filter((model) => model.newestFlash);
    if (flash.length && slot.slot !== "p2") wrong("only P2 has a newest flash model", ["models"]);
    if (flash.length > 1) wrong("only one model is the newest flash model", ["models"]);
    for (const [index, model] of slot.models.entries())
      if (model.newestFlash !== (model.p3ServiceId !== undefined))
        wrong("p3ServiceId goes with newestFlash", ["models", index, "p3ServiceId"]);
  });
export type CatalogSlot = z.infer<typeof catalogSlot>;

export const providerCatalog = z
  .strictObject({ schemaVersion: z.literal(1), slots: z.array(catalogSlot).max(catalogSlots.length) })
  .superRefine((catalog, context) => {
    if (new Set(catalog.slots.map((slot) => slot.slot)).size !== catalog.slots.length)
      context.addIssue({ code: "custom", message: "a slot stands twice", path: ["slots"] });
  });
export type ProviderCatalog = z.infer<typeof providerCatalog>;
