import {
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  type CodecContext,
  FFmpegError,
  Frame,
  type Rational,
  SoftwareScaleContext,
} from "node-av";

export interface Size {
  width: number;
  height: number;
}

/** Rows are compared and converted in blocks of so many. */
const block = 32;
/** Colour is halved in both directions: rows so near to one that changed are other ones, too, because the filter looks at rows beside its own. */
const reach = 8;

/**
 * Turns drawn pictures into the encoder's pixels: yuv420p, BT.709. From the second on only the rows that differ from the picture before are
 * converted, which is most of the work saved while a line of text is written.
 */
export class PictureConverter {
  readonly #scaler = new SoftwareScaleContext();
  readonly #size: Size;
  readonly #timeBase: Rational;
  #before: Buffer | null = null;
  /** The picture as it was converted last; the encoder may still hold it. */
  readonly picture: Frame;

  constructor(size: Size, timeBase: Rational) {
    this.#size = size;
    this.#timeBase = timeBase;
    // The scaler uses the colour space of its frames; configured by hand it would use BT.601.
    this.#scaler.allocContext();
    this.picture = this.#frame(size.height);
  }

  #frame(height: number): Frame {
    const frame = new Frame();
    frame.alloc();
    frame.width = this.#size.width;
    frame.height = height;
    frame.format = AV_PIX_FMT_YUV420P;
    frame.timeBase = this.#timeBase;
    FFmpegError.throwIfError(frame.allocBuffer(), "allocate a picture");
    statesColour(frame);
    return frame;
  }

  /** @param pixels RGBA, row after row; kept until the next picture */
  async convert(pixels: Buffer): Promise<void> {
    const { height } = this.#size;
    const changed = this.#before ? changedRows(this.#before, pixels, this.#size) : { from: 0, to: height };
    this.#before = pixels;
    if (changed === null) return;
    FFmpegError.throwIfError(this.picture.makeWritable(), "make room for a picture");
    if (changed.from === 0 && changed.to === height) return this.#scale(this.picture, pixels, changed);
    const within = (margin: number): Rows => ({ from: Math.max(0, changed.from - margin), to: Math.min(height, changed.to + margin) });
    const [around, other] = [within(block), within(reach)];
    const band = this.#frame(around.to - around.from);
    try {
      await this.#scale(band, pixels, around);
      copyRows(band, this.picture, { skipped: other.from - around.from, from: other.from, rows: other.to - other.from });
    } finally {
      band.free();
    }
  }

  async #scale(into: Frame, pixels: Buffer, { from, to }: Rows): Promise<void> {
    const { width } = this.#size;
    const source = Frame.fromVideoBuffer(pixels.subarray(from * width * 4, to * width * 4), {
      width,
      height: to - from,
      format: AV_PIX_FMT_RGBA,
      timeBase: this.#timeBase,
    });
    try {
      // A band takes less time than another thread needs to begin.
      const isWhole = to - from === this.#size.height;
      const done = isWhole ? await this.#scaler.scaleFrame(into, source) : this.#scaler.scaleFrameSync(into, source);
      FFmpegError.throwIfError(done, "convert a picture");
    } finally {
      source.free();
    }
  }

  close(): void {
    this.#scaler.freeContext();
    this.picture.free();
  }
}

/** From the first row to the one before `to`. */
interface Rows {
  from: number;
  to: number;
}

/** The blocks of rows in which two pictures differ, from the first to the last; null where they do not. */
function changedRows(before: Buffer, after: Buffer, { width, height }: Size): Rows | null {
  const differs = (from: number): boolean => {
    const [start, end] = [from * width * 4, Math.min(height, from + block) * width * 4];
    return before.compare(after, start, end, start, end) !== 0;
  };
  let from = 0;
  while (from < height && !differs(from)) from += block;
  if (from >= height) return null;
  let last = Math.floor((height - 1) / block) * block;
  while (last > from && !differs(last)) last -= block;
  return { from, to: Math.min(height, last + block) };
}

/** Copies rows of all planes; colour has half as many. */
function copyRows(band: Frame, picture: Frame, { skipped, from, rows }: { skipped: number; from: number; rows: number }): void {
  const [own, all] = [band.data ?? [], picture.data ?? []];
  for (const [plane, share] of [1, 2, 2].entries()) {
    const [source, target] = [own[plane], all[plane]];
    const [stride, into] = [band.linesize[plane] ?? 0, picture.linesize[plane] ?? 0];
    if (!source || !target || stride !== into) throw new Error("a part of a picture has other rows than the whole");
    target.set(source.subarray((skipped / share) * stride, ((skipped + rows) / share) * stride), (from / share) * into);
  }
}

/** States the colour space, because players that guess it are often wrong. */
export function statesColour(of: CodecContext | Frame): void {
  of.colorSpace = AVCOL_SPC_BT709;
  of.colorPrimaries = AVCOL_PRI_BT709;
  of.colorTrc = AVCOL_TRC_BT709;
  of.colorRange = AVCOL_RANGE_MPEG;
}
