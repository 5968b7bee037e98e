import { tmpdir } from "node:os";
import { join } from "node:path";
import { workerSettings } from "@colloquy/schemas/explainers/worker-settings.ts";

/** The worker's settings are not valid; the message says what to do. */
export class InvalidSettings extends Error {
  override name = "InvalidSettings";
}

export interface Settings {
  apiUrl: string;
  token: string;
  /** Renders at once. */
  renders: number;
  /** The folder for cached scenes and running jobs. */
  folder: string;
  /** Refuse to render in the weaker isolation. */
  isolationRequired: boolean;
  speech: { url: string; key: string | null; model: string; voice: string; timesUrl: string | null } | null;
  /** The folder of Piper's voices. */
  piperVoices: string | null;
}

/** @throws {InvalidSettings} naming what is missing or wrong */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value?.trim() || undefined]));
  const read = workerSettings.safeParse(given);
  if (!read.success) throw new InvalidSettings(read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"));
  const { RENDER_API_URL, RENDER_WORKER_TOKEN, RENDER_WORKERS, RENDER_FOLDER, SPEECH_URL, SPEECH_API_KEY } = read.data;
  if (!RENDER_API_URL || !RENDER_WORKER_TOKEN)
    throw new InvalidSettings(
      "A render worker needs RENDER_API_URL, the address of Colloquy, and RENDER_WORKER_TOKEN, the same there and here. See docs/run/videos.md.",
    );
  return {
    apiUrl: RENDER_API_URL,
    token: RENDER_WORKER_TOKEN,
    renders: typeof RENDER_WORKERS === "number" ? RENDER_WORKERS : 1,
    isolationRequired: (read.data.RENDER_ISOLATION ?? (environment.NODE_ENV === "production" ? "required" : "preferred")) === "required",
    folder: RENDER_FOLDER ?? join(tmpdir(), "colloquy-render"),
    speech: SPEECH_URL
      ? {
          url: SPEECH_URL,
          key: SPEECH_API_KEY ?? null,
          model: read.data.SPEECH_MODEL ?? "tts-1",
          voice: read.data.SPEECH_VOICE ?? "alloy",
          timesUrl: read.data.SPEECH_TIMES_URL ?? null,
        }
      : null,
    piperVoices: read.data.SPEECH_PIPER_VOICES ?? null,
  };
}
