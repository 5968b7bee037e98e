import { spawn } from "node:child_process";
import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { z } from "zod";
import { RenderFailure } from "./failure.ts";
import { installed } from "./installed.ts";
import type { Isolation } from "./isolation.ts";
import { killGroup } from "./process-group.ts";
import type { Settings } from "./settings.ts";

/** What was spoken: a WAV file of 16 bits, and when each word begins in it, where the voice tells. */
export interface Recording {
  sound: Buffer;
  words: { word: string; ms: number }[];
}

/** Speaks texts. */
export interface Speech {
  name: string;
  /** @throws {RenderFailure} */
  speak(text: string, language: string, signal: AbortSignal): Promise<Recording>;
}

/** The largest accepted recording; a scene has some seconds of speech. */
const mostBytes = 33_554_432;
const withinMs = filmBounds.render.speechMs;

/** The configured speech service, else Piper where it has a voice of the language, else espeak-ng; null where none is there. */
export function findSpeech(
  settings: Pick<Settings, "speech" | "piperVoices">,
  isolation: Isolation,
  path = process.env.PATH,
): Speech | null {
  if (settings.speech) return service(settings.speech);
  const [piperCommand, espeakCommand] = [installed("piper", path), installed("espeak-ng", path)];
  const voices = piperCommand && settings.piperVoices ? piperVoices(settings.piperVoices) : [];
  const espeak = espeakCommand ? espeakNg(espeakCommand, isolation) : null;
  if (!piperCommand || voices.length === 0) return espeak;
  const piper = piperProgram(piperCommand, voices, isolation);
  return {
    name: espeak ? "piper, else espeak-ng" : "piper",
    speak: (text, language, signal) => (espeak && !voiceFor(voices, language) ? espeak : piper).speak(text, language, signal),
  };
}

/** An OpenAI-compatible speech service, or one that also tells when each word begins. */
function service({ url, key, model, voice, timesUrl }: NonNullable<Settings["speech"]>): Speech {
  const body = { model, voice, response_format: "wav" };
  return {
    name: "speech service",
    async speak(text, _language, signal) {
      try {
        const response = await fetch(timesUrl ?? `${url}/audio/speech`, {
          method: "POST",
          headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
          body: JSON.stringify({ ...body, input: text, ...(timesUrl && { stream: false, return_timestamps: true }) }),
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
        });
        if (!response.ok) throw new Error(`the speech service answers ${response.status}`);
        const answer = await bounded(response.body ?? []);
        return timesUrl ? recordingOf(answer) : { sound: answer, words: [] };
      } catch (error) {
        throw signal.aborted ? error : unavailable(error);
      }
    },
  };
}

/** What a service answers that tells when each word begins, as Kokoro-FastAPI's `/dev/captioned_speech` does; times in seconds. */
const captionedSpeech = z.object({
  audio: z.base64(),
  timestamps: z.array(z.object({ word: z.string(), start_time: z.number().min(0) })).nullish(),
});

function recordingOf(answer: Buffer): Recording {
  const { audio, timestamps } = captionedSpeech.parse(JSON.parse(answer.toString("utf8")));
  const words = (timestamps ?? []).map(({ word, start_time }) => ({ word, ms: Math.round(start_time * 1_000) }));
  return { sound: Buffer.from(audio, "base64"), words };
}

/** Files of voices below a folder, such as `de_DE-thorsten-medium.onnx`. */
function piperVoices(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".onnx"))
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The voice for a language: of its region if there is one, else of any. */
function voiceFor(voices: readonly string[], language: string): string | undefined {
  const [spoken = "", region] = language.toLowerCase().split("-");
  const begins = (tag: string): string | undefined => voices.find((file) => basename(file).toLowerCase().startsWith(tag));
  return (region && begins(`${spoken}_${region}-`)) || begins(`${spoken}_`);
}

function piperProgram(command: string, voices: readonly string[], isolation: Isolation): Speech {
  const program = realpathSync(command);
  const folder = dirname(program);
  return {
    name: "piper",
    speak(text, language, signal) {
      const voice = voiceFor(voices, language);
      if (!voice) throw unavailable(`no voice for the language ${language}`);
      const read = [basename(folder) === "bin" ? dirname(folder) : folder, dirname(voice)];
      const run = isolation.program(program, ["--model", voice, "--output_file", "-"], read);
      // A line is a text of its own.
      return spokenBy(run, `${text.replace(/\s+/gu, " ")}\n`, signal);
    },
  };
}

const { wordsPerMinute } = filmBounds.timing;

function espeakNg(command: string, isolation: Isolation): Speech {
  return {
    name: "espeak-ng",
    speak(text, language, signal) {
      const voice = /^[a-z]{2,3}(?=-|$)/.exec(language.toLowerCase())?.[0];
      if (!voice) throw unavailable(`no voice for the language ${language}`);
      const run = isolation.program(command, ["--stdin", "--stdout", "-b", "1", "-v", voice, "-s", String(wordsPerMinute)]);
      // Two brackets would begin its own way of writing sounds.
      return spokenBy(run, text.replaceAll("[[", "[ ["), signal);
    },
  };
}

/** The recording that a program writes to its standard output for a text on its standard input. */
async function spokenBy(
  { command, args, options }: ReturnType<Isolation["program"]>,
  text: string,
  signal: AbortSignal,
): Promise<Recording> {
  signal.throwIfAborted();
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const stop = (): void => killGroup(child);
  const late = setTimeout(stop, withinMs);
  signal.addEventListener("abort", stop, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // It may end before it has read everything.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  try {
    const [sound, code] = await Promise.all([bounded(child.stdout), ended]);
    if (code !== 0 || sound.length === 0) throw new Error(`${basename(command)} ended with ${code}`);
    return { sound, words: [] };
  } catch (error) {
    stop();
    throw signal.aborted ? signal.reason : unavailable(error);
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", stop);
  }
}

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
