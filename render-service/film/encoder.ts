import {
  AV_CODEC_FLAG_BITEXACT,
  AV_LOG_ERROR,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  Codec,
  CodecContext,
  FF_ENCODER_LIBX264,
  FFmpegError,
  Frame,
  Log,
  Packet,
  Rational,
  SoftwareScaleContext,
} from "node-av";
import { framesPerSecond } from "../frames/timeline.ts";

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
  readonly #scaler = new SoftwareScaleContext();
  readonly #converted = new Frame();
  readonly #packet = new Packet();
  readonly #size: Size;
  readonly #pictures: Picture[] = [];

  private constructor(size: Size) {
    this.#size = size;
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
    colour(codec);
    for (const name of ["preset", "crf", "tune"] as const) FFmpegError.throwIfError(codec.setOption(name, settings[name]), name);
    FFmpegError.throwIfError(await codec.open2(), "open the encoder");
    // The scaler uses the colour space of its frames; configured by hand it would use BT.601.
    this.#scaler.allocContext();
    const converted = this.#converted;
    converted.alloc();
    converted.width = this.#size.width;
    converted.height = this.#size.height;
    converted.format = AV_PIX_FMT_YUV420P;
    converted.timeBase = timeBase;
    FFmpegError.throwIfError(converted.allocBuffer(), "allocate a picture");
    colour(converted);
    this.#packet.alloc();
  }

  /** @param pixels RGBA, row after row, read before this resolves; null for the same picture as before */
  async add(pixels: Buffer | null, frame: number): Promise<void> {
    if (pixels) await this.#convert(pixels);
    this.#converted.pts = BigInt(frame);
    FFmpegError.throwIfError(await this.#codec.sendFrame(this.#converted), "encode a picture");
    await this.#take();
  }

  async #convert(pixels: Buffer): Promise<void> {
    const source = Frame.fromVideoBuffer(pixels, { ...this.#size, format: AV_PIX_FMT_RGBA, timeBase });
    try {
      // The encoder may still use the previous frame.
      FFmpegError.throwIfError(this.#converted.makeWritable(), "make room for a picture");
      FFmpegError.throwIfError(await this.#scaler.scaleFrame(this.#converted, source), "convert a picture");
    } finally {
      source.free();
    }
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
    this.#scaler.freeContext();
    this.#converted.free();
    this.#packet.free();
  }
}

/** States the colour space, because players that guess it are often wrong. */
function colour(of: CodecContext | Frame): void {
  of.colorSpace = AVCOL_SPC_BT709;
  of.colorPrimaries = AVCOL_PRI_BT709;
  of.colorTrc = AVCOL_TRC_BT709;
  of.colorRange = AVCOL_RANGE_MPEG;
}
