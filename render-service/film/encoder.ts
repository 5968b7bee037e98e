import {
  AV_CODEC_FLAG_BITEXACT,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  Codec,
  CodecContext,
  FF_ENCODER_LIBX264,
  FFmpegError,
  Log,
  Packet,
  Rational,
} from "node-av";
import { framesPerSecond } from "../frames/timeline.ts";
import { PictureConverter, type Size, statesColour } from "./picture-converter.ts";

/** One encoded picture, in H.264's byte stream format; `frame` counts from where its scene begins. */
export interface Picture {
  frame: number;
  key: boolean;
  data: Uint8Array;
}

/** Encoder settings. The number of threads is fixed, because the output depends on it. */
const settings = { preset: "veryfast", crf: "20", tune: "animation", threads: 2 };
/** The most frames between two keyframes. */
const keyEvery = 240;

const timeBase = new Rational(1, framesPerSecond);
Log.setLevel(AV_LOG_ERROR);

/**
 * Encodes the frames of one scene: H.264 High, yuv420p, BT.709, no B-frames. Scenes of the same size can be joined without encoding them
 * again.
 */
export class SceneEncoder {
  readonly #codec = new CodecContext();
  readonly #converter: PictureConverter;
  readonly #packet = new Packet();
  readonly #size: Size;
  readonly #pictures: Picture[] = [];

  private constructor(size: Size) {
    this.#size = size;
    this.#converter = new PictureConverter(size, timeBase);
  }

  static async open(size: Size): Promise<SceneEncoder> {
    const encoder = new SceneEncoder(size);
    await encoder.#open();
    return encoder;
  }

  async #open(): Promise<void> {
    const found = Codec.findEncoderByName(FF_ENCODER_LIBX264);
    if (!found) throw new Error("no H.264 encoder");
    const codec = this.#codec;
    codec.allocContext3(found);
    codec.width = this.#size.width;
    codec.height = this.#size.height;
    codec.pixelFormat = AV_PIX_FMT_YUV420P;
    codec.timeBase = timeBase;
    codec.framerate = new Rational(framesPerSecond, 1);
    codec.gopSize = keyEvery;
    codec.maxBFrames = 0;
    codec.threadCount = settings.threads;
    codec.setFlags(AV_CODEC_FLAG_BITEXACT);
    statesColour(codec);
    for (const name of ["preset", "crf", "tune"] as const) FFmpegError.throwIfError(codec.setOption(name, settings[name]), name);
    FFmpegError.throwIfError(await codec.open2(), "open the encoder");
    this.#packet.alloc();
  }

  /** @param pixels RGBA, row after row, not to be written to afterwards; null for the same picture as before */
  async add(pixels: Buffer | null, frame: number): Promise<void> {
    if (pixels) await this.#converter.convert(pixels);
    const { picture } = this.#converter;
    picture.pts = BigInt(frame);
    FFmpegError.throwIfError(await this.#codec.sendFrame(picture), "encode a picture");
    await this.#take();
  }

  /** All pictures, in order. */
  async finish(): Promise<Picture[]> {
    FFmpegError.throwIfError(await this.#codec.sendFrame(null), "encode the last picture");
    await this.#take();
    return this.#pictures;
  }

  async #take(): Promise<void> {
    for (;;) {
      const code = await this.#codec.receivePacket(this.#packet);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      FFmpegError.throwIfError(code, "receive a picture");
      const { data, pts, isKeyframe } = this.#packet;
      // The encoder owns the packet's memory, so copy it.
      if (data) this.#pictures.push({ frame: Number(pts), key: isKeyframe, data: Uint8Array.from(data) });
      this.#packet.unref();
    }
  }

  close(): void {
    this.#codec.freeContext();
    this.#converter.close();
    this.#packet.free();
  }
}
