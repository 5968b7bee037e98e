import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { type ArtifactKind, renderSettings } from "@colloquy/schemas/explainers/film.ts";
import { picturesOf } from "@colloquy/schemas/explainers/picture.ts";
import type { FailureCode } from "@colloquy/schemas/explainers/render.ts";
import { storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { z } from "zod";
import { loadPicture, PictureUnreadable } from "../drawing/pictures.ts";
import { drawing } from "../film/canvas-drawing.ts";
import { Refused } from "../film/drawing.ts";
import type { Encoder } from "../film/encoder.ts";
import { makeFilm } from "../film/film.ts";
import { readSegment, writeSegment } from "../film/segment.ts";
import { voiceOf } from "../film/sound.ts";
import { widthOf } from "../frames/picture-width.ts";
import { descriptorsOf } from "./encoders.ts";
import { pictureName } from "./picture-files.ts";
import { sentenceFile, sentenceOf, sentenceTimes } from "./sentence-files.ts";

/**
 * The renderer of one video: an isolated process that sees only its folder, with the pictures of its storyboard, and, read-only, the
 * cached scenes of its job. It reports
 * progress and result as lines of JSON on standard output (`rendererLine` in render.ts).
 */
const [folder = "", cache = ""] = process.argv.slice(2);
const order = z.strictObject({
  storyboard,
  settings: renderSettings,
  spoken: z.array(z.array(sentenceTimes)).nullable(),
  encoder: z.string(),
});

// Written synchronously, so that nothing is lost when the process ends.
const emit = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const orNull = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
};

/** The encoder whose pipes the worker handed over as these file descriptors. */
const encoderOf = (index: number): Encoder => {
  const [input, output] = descriptorsOf(index);
  return { input: new Socket({ fd: input, readable: false, writable: true }), output: new Socket({ fd: output, readable: true }) };
};

try {
  const { spoken, ...asked } = order.parse(JSON.parse(readFileSync(join(folder, "order.json"), "utf8")));
  const voices = spoken?.map((sentences, scene) =>
    voiceOf(sentences.map((times, index) => sentenceOf(times, readFileSync(join(folder, sentenceFile(scene, index)))))),
  );
  for (const picture of picturesOf(asked.storyboard.scenes)) {
    const bytes = orNull(join(folder, pictureName(picture.sha256)));
    if (!bytes) throw new PictureUnreadable("A picture of the course is missing.");
    await loadPicture(picture, bytes, { width: widthOf(asked.storyboard.scenes, picture), theme: asked.settings.theme });
  }
  const { artifacts, milliseconds, metrics } = await makeFilm(
    { ...asked, spoken: voices ?? null },
    {
      drawing,
      encoders: { scene: encoderOf, sound: () => encoderOf(asked.storyboard.scenes.length) },
      segments: {
        read: (key) => {
          const file = orNull(join(folder, "segments", key)) ?? orNull(join(cache, key));
          return file && readSegment(file);
        },
        write: (key, segment) => writeFileSync(join(folder, "segments", key), writeSegment(segment)),
      },
      onProgress: (progress) => emit({ progress }),
    },
  );
  const { transcript, ...files } = artifacts;
  for (const [kind, content] of Object.entries({ ...files, transcript: JSON.stringify(transcript) }) as [ArtifactKind, Buffer | string][])
    writeFileSync(join(folder, kind), content);
  emit({ made: { milliseconds, metrics } });
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : "";
  const failed: FailureCode =
    error instanceof Refused || error instanceof PictureUnreadable
      ? "layout_refused"
      : code === "ENOSPC" || code === "EDQUOT"
        ? "no_space"
        : "renderer_failed";
  emit({ failed, message: String(error instanceof Error ? error.stack : error).slice(0, 2_000) });
  // The pipes of encoders that were not used up would keep the process.
  process.exit();
}
