import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Asset, AuthoredCourse, BlockType } from "@colloquy/schemas/courses/authored.ts";
import { editBlockSource, findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import type { EditorAssetResponse } from "@colloquy/schemas/publication/requests.ts";
import { problemOfThrown, problemTitle } from "../../api/problems.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import type { EditingSession } from "../session.ts";
import { asShown, differenceOf, withShown } from "./exact-source.ts";
import { ownParagraph } from "./own-paragraph.ts";
import { type SendPicture, sendPicture } from "./send-picture.ts";
import { standIn } from "./stand-ins.ts";

/** A picture on its way. Nothing of it stands in the course before it has arrived. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly blockId: string;
  /** From 0 to 1. */
  readonly progress: number;
  /** Why it did not arrive, in plain words; null while it is on its way. */
  readonly problem: string | null;
}

interface Running {
  upload: Upload;
  file: File;
  /** Where it will stand in the text as the block's field shows it; kept right while the author goes on writing. */
  at: number;
  stop: AbortController;
}

/** A picture was written into a block's text. */
export class PicturePlacedEvent extends Event {
  static readonly type = "placed";
  readonly blockId: string;
  /** Where its description stands, in the text as the block's field shows it. */
  readonly description: readonly [number, number];
  constructor(blockId: string, description: readonly [number, number]) {
    super(PicturePlacedEvent.type);
    this.blockId = blockId;
    this.description = description;
  }
}

/** A picture did not arrive, and its block waits for its author. */
export class PictureRefusedEvent extends Event {
  static readonly type = "refused";
  readonly blockId: string;
  /** Why, in plain words. */
  readonly problem: string;
  constructor(blockId: string, problem: string) {
    super(PictureRefusedEvent.type);
    this.blockId = blockId;
    this.problem = problem;
  }
}

/** Blocks whose text is Markdown in paragraphs; in the others a picture stands where it was put. */
const inParagraphs: ReadonlySet<BlockType> = new Set(["core.theory", "core.callout"]);

const types: Record<Asset["type"], string> = {
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
};

/**
 * The pictures an author adds: each is sent under the hash of its bytes, and written into its block only once it has arrived. Says "change"
 * whenever something changes, "placed" (`PicturePlacedEvent`) for each that stands in its text, and "refused" (`PictureRefusedEvent`) for each that
 * did not arrive; whoever publishes waits for `settled()`.
 */
export class Uploads extends EventTarget {
  readonly #session: EditingSession;
  readonly #send: SendPicture;
  readonly #sources = new Map<string, string>();
  #running: readonly Running[] = [];

  constructor({ session, accountId, send = sendPicture(accountId) }: { session: EditingSession; accountId: string; send?: SendPicture }) {
    super();
    this.#session = session;
    this.#send = send;
    session.addEventListener("change", () => this.#follow());
  }

  /** On their way, and those that failed until they are dismissed. */
  get list(): readonly Upload[] {
    return this.#running.map(({ upload }) => upload);
  }

  /** How many are on their way. */
  get pending(): number {
    return this.list.filter(({ problem }) => problem === null).length;
  }

  /** Resolves when none is on its way any more. */
  async settled(): Promise<void> {
    while (this.pending) await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
  }

  /** Sends a picture that belongs at a place of a block's text, as its field shows it. */
  add(file: File, blockId: string, at: number): void {
    const name = file.name || msg("editor.picture");
    this.#begin({ upload: { id: uuidv7(), name, blockId, progress: 0, problem: null }, file, at, stop: new AbortController() });
  }

  /** Stops one that is on its way, or puts away the words about one that failed. */
  dismiss(id: string): void {
    this.#running.find(({ upload }) => upload.id === id)?.stop.abort();
    this.#become(this.#running.filter(({ upload }) => upload.id !== id));
  }

  /** Stops all of them for good. */
  dispose(): void {
    for (const { id } of this.list) this.dismiss(id);
  }

  retry(id: string): void {
    const failed = this.#running.find(({ upload }) => upload.id === id);
    if (!failed?.upload.problem) return;
    this.#become(this.#running.filter((one) => one !== failed));
    this.#begin({ ...failed, upload: { ...failed.upload, progress: 0, problem: null }, stop: new AbortController() });
  }

  #begin(running: Running): void {
    const { blockId } = running.upload;
    if (!this.#sources.has(blockId)) this.#sources.set(blockId, this.#shown(blockId) ?? "");
    this.#become([...this.#running, running]);
    void this.#run(running);
  }

  async #run({ upload: { id, name, blockId }, file, stop: { signal } }: Running): Promise<void> {
    try {
      const { manifest, assets } = this.#session.state.course;
      const bytes = await readPicture(file, name);
      const sha256 = await hashOf(bytes);
      const known = assets.find((asset) => asset.sha256 === sha256);
      const onProgress = (progress: number) => this.#change(id, { progress });
      const sent = known ?? (await this.#send({ courseId: manifest.courseId, sha256, bytes, onProgress, signal }));
      if (!signal.aborted) this.#write(id, blockId, name, sent);
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemWords(error);
      this.#change(id, { problem });
      this.dispatchEvent(new PictureRefusedEvent(blockId, problem));
    }
  }

  /** One step to undo: the picture in the list of the course's files and its place in the text. */
  #write(id: string, blockId: string, name: string, { sha256, bytes, type }: EditorAssetResponse | Asset): void {
    const at = this.#running.find(({ upload }) => upload.id === id)?.at ?? 0;
    this.#become(this.#running.filter(({ upload }) => upload.id !== id));
    const { course } = this.#session.state;
    const block = findBlock(course, blockId)?.block;
    if (!block) return;
    const shown = asShown(block.source);
    const { path, assets } = listed(course, { sha256, bytes, type }, name);
    const described = standIn();
    const picture = `![${described}](${/[\s()]/.test(path) ? `<${path}>` : path})`;
    const placed = inParagraphs.has(block.type) ? ownParagraph(shown, at, picture) : { at, text: picture, from: at };
    const written = withShown(block.source, shown.slice(0, placed.at) + placed.text + shown.slice(placed.at));
    // Others that were meant for the same place come behind this one, in the order in which they arrive.
    const beside = new Set(this.#running.filter((one) => one.upload.blockId === blockId && one.at === at).map((one) => one.upload.id));
    this.#session.seal();
    this.#session.apply({ label: msg("editor.pictureAdded"), place: { blockId } }, () =>
      editBlockSource({ ...course, assets }, blockId, written),
    );
    this.#session.seal();
    const { from } = placed;
    this.#running = this.#running.map((one) => (beside.has(one.upload.id) ? { ...one, at: from + picture.length } : one));
    this.dispatchEvent(new PicturePlacedEvent(blockId, [from + 2, from + 2 + described.length]));
  }

  #shown(blockId: string): string | null {
    const source = findBlock(this.#session.state.course, blockId)?.block.source;
    return source === undefined ? null : asShown(source);
  }

  /** Keeps the places right while their texts change. */
  #follow(): void {
    for (const [blockId, before] of this.#sources) {
      const after = this.#shown(blockId);
      if (after === null || after === before) continue;
      const { start, end, text } = differenceOf(before, after);
      this.#sources.set(blockId, after);
      this.#running = this.#running.map((one) => {
        if (one.upload.blockId !== blockId || one.at < start) return one;
        return { ...one, at: one.at >= end ? one.at + text.length - (end - start) : start + text.length };
      });
    }
  }

  #change(id: string, to: Partial<Upload>): void {
    this.#become(this.#running.map((one) => (one.upload.id === id ? { ...one, upload: { ...one.upload, ...to } } : one)));
  }

  #become(running: readonly Running[]): void {
    this.#running = running;
    for (const blockId of this.#sources.keys())
      if (!running.some(({ upload }) => upload.blockId === blockId)) this.#sources.delete(blockId);
    this.dispatchEvent(new Event("change"));
  }
}

/** The course's files with this one among them, and its path: the one it has already, or one that is free. */
function listed(course: AuthoredCourse, file: Pick<Asset, "sha256" | "bytes" | "type">, name: string): { path: string; assets: Asset[] } {
  const known = course.assets.find(({ sha256 }) => sha256 === file.sha256);
  if (known) return { path: known.path, assets: course.assets };
  const taken = new Set(course.assets.map(({ path }) => path));
  const stem = `assets/${slugFrom(name.replace(/\.[^.]*$/, ""))}`;
  const { sha256, bytes, type } = file;
  for (let number = 1; ; number += 1) {
    const path = `${stem}${number > 1 ? `-${number}` : ""}.${types[type]}`;
    if (!taken.has(path)) return { path, assets: [...course.assets, { path, sha256, bytes, type }] };
  }
}

/** A file that is not even sent; the message says why, in plain words. */
class Unfit extends Error {
  override name = "Unfit";
}

async function readPicture(file: File, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const most = bounds.course.assetBytes;
  if (file.size > most)
    throw new Unfit(
      msg("editor.tooLargePictureMay", {
        name,
        size: formatNumber(most / 2 ** 20),
      }),
    );
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw new Unfit(msg("editor.couldReadChooseAgain", { name }));
    }),
  );
  if (!imageType(bytes)) throw new Unfit(msg("editor.pictureBrowsersShowUse", { name }));
  return bytes;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function problemWords(error: unknown): string {
  if (error instanceof Unfit) return error.message;
  const problem = problemOfThrown(error);
  return [problemTitle(problem), problem.detail].filter(Boolean).join(" ");
}
