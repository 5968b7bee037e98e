import type { Readable, Writable } from "node:stream";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

/** One encoded picture, in H.264's byte stream format; `frame` counts from where its scene begins. */
export interface Picture {
  frame: number;
  key: boolean;
  data: Uint8Array;
}

export interface Size {
  width: number;
  height: number;
}

export const sizeOf = ({ aspect, height }: Pick<RenderSettings, "aspect" | "height">): Size => {
  const long = (height * 16) / 9;
  return aspect === "16:9" ? { width: long, height } : { width: height, height: long };
};

/** The pipes of an FFmpeg process, which starts with the first line of its input. */
export interface Encoder {
  input: Writable;
  output: Readable;
}

/** Encoders of one film, each for one use. */
export interface Encoders {
  /** For the scene with this index. */
  scene(index: number): Encoder;
  sound(rate: number): Encoder;
}

const quiet = ["-loglevel", "error", "-nostats"];
/** Stated, because players that guess the colour space are often wrong. */
const colour = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/**
 * Arguments of FFmpeg that turn RGBA pictures into H.264 High, yuv420p, BT.709, without B-frames. Scenes of the same size can be joined
 * without encoding them again. The number of threads is fixed, because the output depends on it.
 */
export const pictureArguments = ({ width, height }: Size): string[] => [
  ...quiet,
  ...["-f", "rawvideo", "-pixel_format", "rgba", "-video_size", `${width}x${height}`],
  ...["-framerate", `${filmBounds.pictures.perSecond}`, "-i", "pipe:0"],
  ...["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", ...colour],
  ...["-c:v", "libx264", "-profile:v", "high", "-preset", "veryfast", "-crf", "20", "-tune", "animation", "-threads", "2"],
  ...["-g", "240", "-bf", "0", "-flags:v", "+bitexact", "-f", "h264", "pipe:1"],
];

/** Encodes the frames of one scene. */
export class SceneEncoder {
  readonly #input: Writable;
  readonly #output: Promise<Buffer>;
  readonly #frames: number[] = [];
  #last: Uint8Array = Buffer.alloc(0);

  constructor(encoder: Encoder) {
    this.#input = encoder.input;
    this.#output = start(encoder);
  }

  /** @param pixels RGBA, row after row; null for the same picture as before */
  async add(pixels: Uint8Array | null, frame: number): Promise<void> {
    this.#frames.push(frame);
    this.#last = pixels ?? this.#last;
    await write(this.#input, this.#last);
  }

  /** All pictures, in order. */
  async finish(): Promise<Picture[]> {
    this.#input.end();
    const pictures = picturesOf(await this.#output);
    if (pictures.length !== this.#frames.length)
      throw new Error(`the encoder made ${pictures.length} pictures of ${this.#frames.length} frames`);
    return pictures.map((picture, index) => ({ ...picture, frame: this.#frames[index] ?? 0 }));
  }
}

/** Begins to read an encoder's output, and lets it start. */
export function start({ input, output }: Encoder): Promise<Buffer> {
  // An encoder that ends early is met where its output is read.
  input.on("error", () => undefined);
  const whole = output.toArray().then((parts) => Buffer.concat(parts as Buffer[]));
  whole.catch(() => undefined);
  input.write("\n");
  return whole;
}

/** Resolves once an encoder took the bytes, or has ended. */
export const write = (input: Writable, bytes: Uint8Array): Promise<void> => new Promise((resolve) => input.write(bytes, () => resolve()));

const startCode = Buffer.from([0, 0, 1]);
/** Kinds of NAL units (H.264, table 7-1): a slice of a picture, and of one that nothing before it is needed for. */
const slice = { other: 1, key: 5 };

/** Splits H.264 in byte stream format after each slice, because each picture has one. */
function picturesOf(stream: Buffer): Omit<Picture, "frame">[] {
  const pictures: Omit<Picture, "frame">[] = [];
  let begin = 0;
  let at = stream.indexOf(startCode);
  while (at >= 0) {
    const kind = (stream[at + startCode.length] ?? 0) & 31;
    const next = stream.indexOf(startCode, at + startCode.length);
    if (kind === slice.other || kind === slice.key) {
      // A start code may have a zero before it, which belongs to the next unit.
      const end = next < 0 ? stream.length : stream[next - 1] === 0 ? next - 1 : next;
      pictures.push({ key: kind === slice.key, data: stream.subarray(begin, end) });
      begin = end;
    }
    at = next;
  }
  return pictures;
}
