import { z } from "zod";

const text = z.string().trim().min(1);

/** What a render worker reads from its environment; one of the whole table (`infra/variables.ts`), since a worker may run where nothing else does. */
export const workerVariables = {
  RENDER_API_URL: z
    .url({ protocol: /^https?$/ })
    .transform((value) => value.replace(/\/+$/, ""))
    .optional(),
  RENDER_WORKER_TOKEN: z.string().min(32).optional(),
  RENDER_WORKERS: z
    .union([z.enum(["on", "off"]), z.coerce.number().int().min(1).max(16)], { error: "expected on, off, or a number from 1 to 16" })
    .default("on"),
  RENDER_FOLDER: text.optional(),
  RENDER_ISOLATION: z.enum(["required", "preferred"]).optional(),
  SPEECH_URL: z
    .url({ protocol: /^https?$/ })
    .transform((value) => value.replace(/\/+$/, ""))
    .optional(),
  SPEECH_TIMES_URL: z.url({ protocol: /^https?$/ }).optional(),
  SPEECH_API_KEY: text.optional(),
  SPEECH_MODEL: text.optional(),
  SPEECH_VOICE: text.optional(),
  SPEECH_PIPER_VOICES: text.optional(),
} as const;

export const workerSettings = z.object(workerVariables);
