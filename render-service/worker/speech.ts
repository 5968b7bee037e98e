import { spawn } from "node:child_process";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { RenderFailure } from "./failure.ts";
import { installed } from "./installed.ts";
import type { Isolation } from "./isolation.ts";
import type { Settings } from "./settings.ts";

/** Speaks a text: a WAV file of 16 bits. */
export interface Speech {
  name: string;
  speak(text: string, language: string, signal: AbortSignal): Promise<Buffer>;
}

/** The largest accepted recording; a scene has some seconds of speech. */
const mostBytes = 33_554_432;
const withinMs = filmBounds.render.speechMs;

/** The configured speech service, else espeak-ng if it is installed, else none. */
export function findSpeech(settings: Pick<Settings, "speech">, isolation: Isolation, path = process.env.PATH): Speech | null {
  if (settings.speech) return service(settings.speech);
  const espeak = installed("espeak-ng", path);
  return espeak ? espeakNg(espeak, isolation) : null;
}

/** An OpenAI-compatible speech service. */
function service({ url, key, model, voice }: NonNullable<Settings["speech"]>): Speech {
  return {
    name: "speech service",
    async speak(text, _language, signal) {
      try {
        const response = await fetch(`${url}/audio/speech`, {
          method: "POST",
          headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
          body: JSON.stringify({ model, voice, input: text, response_format: "wav" }),
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
        });
        if (!response.ok) throw new Error(`the speech service answers ${response.status}`);
        return await bounded(response.body ?? []);
      } catch (error) {
        throw signal.aborted ? error : unavailable(error);
      }
    },
  };
}

function espeakNg(command: string, isolation: Isolation): Speech {
  return {
    name: "espeak-ng",
    async speak(text, language, signal) {
      const voice = /^[a-z]{2,3}(?=-|$)/.exec(language.toLowerCase())?.[0];
      if (!voice) throw unavailable(`no voice for the language ${language}`);
      const run = isolation.program(command, ["--stdin", "--stdout", "-b", "1", "-v", voice, "-s", String(wordsPerMinute)]);
      const child = spawn(run.command, run.args, {
        env: run.env,
        stdio: ["pipe", "pipe", "ignore"],
        signal,
        killSignal: "SIGKILL",
        timeout: withinMs,
      });
      const ended = new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      // It may end before it has read everything.
      child.stdin.on("error", () => undefined);
      // Two brackets would begin its own way of writing sounds.
      child.stdin.end(text.replaceAll("[[", "[ ["));
      try {
        const [sound, code] = await Promise.all([bounded(child.stdout), ended]);
        if (code !== 0 || sound.length === 0) throw new Error(`espeak-ng ended with ${code}`);
        return sound;
      } catch (error) {
        child.kill("SIGKILL");
        throw signal.aborted ? error : unavailable(error);
      }
    },
  };
}

const { wordsPerMinute } = filmBounds.timing;
const unavailable = (error: unknown): RenderFailure =>
  new RenderFailure("speech_unavailable", error instanceof Error ? error.message : String(error));

async function bounded(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error("the speech does not end");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
