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
import { insertParagraph } from "./insert-paragraph.ts";
import { fieldText, sourceFromField, textDifference } from "./line-ends.ts";
import { placeholderDescription } from "./placeholder-description.ts";
import { type SendPicture, sendPicture } from "./send-picture.ts";

/** A picture being uploaded. It is not in the course before the upload is complete. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly blockId: string;
  /** From 0 to 1. */
  readonly progress: number;
  /** Why the upload failed; null while it runs. */
  readonly problem: string | null;
}

interface Running {
  upload: Upload;
  file: File;
  /** Where it goes in the field's text; adjusted while the author types. */
  at: number;
  stop: AbortController;
}

/** A picture was written into a block's text. */
export class PicturePlacedEvent extends Event {
  static readonly type = "placed";
  readonly blockId: string;
  /** Range of its description in the field's text. */
  readonly description: readonly [number, number];
  constructor(blockId: string, description: readonly [number, number]) {
    super(PicturePlacedEvent.type);
    this.blockId = blockId;
    this.description = description;
  }
}

/** The upload of a picture failed. */
export class PictureRefusedEvent extends Event {
  static readonly type = "refused";
  readonly blockId: string;
  /** Why, as a message for the author. */
  readonly problem: string;
  constructor(blockId: string, problem: string) {
    super(PictureRefusedEvent.type);
    this.blockId = blockId;
    this.problem = problem;
  }
}

/** Types with Markdown paragraphs; in others a picture goes exactly where it was added. */
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
 * Uploads pictures under the hash of their bytes and inserts each into its block when it is complete. Dispatches "change", "placed"
 * (`PicturePlacedEvent`) and "refused" (`PictureRefusedEvent`). Publishing waits for `settled()`.
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
    session.addEventListener("change", () => this.#shiftPlaces());
  }

  /** Running uploads, and failed ones until they are dismissed. */
  get list(): readonly Upload[] {
    return this.#running.map(({ upload }) => upload);
  }

  /** Number of running uploads. */
  get pending(): number {
    return this.list.filter(({ problem }) => problem === null).length;
  }

  /** Resolves when no upload is running. */
  async settled(): Promise<void> {
    while (this.pending) await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
  }

  /** Uploads a picture for a place in the field's text of a block. */
  add(file: File, blockId: string, at: number): void {
    const name = file.name || msg("editor.picture");
    this.#begin({ upload: { id: uuidv7(), name, blockId, progress: 0, problem: null }, file, at, stop: new AbortController() });
  }

  /** Cancels a running upload, or removes a failed one. */
  dismiss(id: string): void {
    this.#running.find(({ upload }) => upload.id === id)?.stop.abort();
    this.#setRunning(this.#running.filter(({ upload }) => upload.id !== id));
  }

  /** Cancels all uploads. */
  dispose(): void {
    for (const { id } of this.list) this.dismiss(id);
  }

  retry(id: string): void {
    const failed = this.#running.find(({ upload }) => upload.id === id);
    if (!failed?.upload.problem) return;
    this.#setRunning(this.#running.filter((one) => one !== failed));
    this.#begin({ ...failed, upload: { ...failed.upload, progress: 0, problem: null }, stop: new AbortController() });
  }

  #begin(running: Running): void {
    const { blockId } = running.upload;
    if (!this.#sources.has(blockId)) this.#sources.set(blockId, this.#shown(blockId) ?? "");
    this.#setRunning([...this.#running, running]);
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

  /** Adds the picture to the course's files and to the text as one undo step. */
  #write(id: string, blockId: string, name: string, { sha256, bytes, type }: EditorAssetResponse | Asset): void {
    const at = this.#running.find(({ upload }) => upload.id === id)?.at ?? 0;
    this.#setRunning(this.#running.filter(({ upload }) => upload.id !== id));
    const { course } = this.#session.state;
    const block = findBlock(course, blockId)?.block;
    if (!block) return;
    const shown = fieldText(block.source);
    const { path, assets } = withAsset(course, { sha256, bytes, type }, name);
    const described = placeholderDescription();
    const picture = `![${described}](${/[\s()]/.test(path) ? `<${path}>` : path})`;
    const placed = inParagraphs.has(block.type) ? insertParagraph(shown, at, picture) : { at, text: picture, from: at };
    const written = sourceFromField(block.source, shown.slice(0, placed.at) + placed.text + shown.slice(placed.at));
    // Other pictures for the same place follow this one in order of completion.
    const beside = new Set(this.#running.filter((one) => one.upload.blockId === blockId && one.at === at).map((one) => one.upload.id));
    this.#session.endStep();
    this.#session.apply({ label: msg("editor.pictureAdded"), place: { blockId } }, () =>
      editBlockSource({ ...course, assets }, blockId, written),
    );
    this.#session.endStep();
    const { from } = placed;
    this.#running = this.#running.map((one) => (beside.has(one.upload.id) ? { ...one, at: from + picture.length } : one));
    this.dispatchEvent(new PicturePlacedEvent(blockId, [from + 2, from + 2 + described.length]));
  }

  #shown(blockId: string): string | null {
    const source = findBlock(this.#session.state.course, blockId)?.block.source;
    return source === undefined ? null : fieldText(source);
  }

  /** Adjusts the places when texts change. */
  #shiftPlaces(): void {
    for (const [blockId, before] of this.#sources) {
      const after = this.#shown(blockId);
      if (after === null || after === before) continue;
      const { start, end, text } = textDifference(before, after);
      this.#sources.set(blockId, after);
      this.#running = this.#running.map((one) => {
        if (one.upload.blockId !== blockId || one.at < start) return one;
        return { ...one, at: one.at >= end ? one.at + text.length - (end - start) : start + text.length };
      });
    }
  }

  #change(id: string, to: Partial<Upload>): void {
    this.#setRunning(this.#running.map((one) => (one.upload.id === id ? { ...one, upload: { ...one.upload, ...to } } : one)));
  }

  #setRunning(running: readonly Running[]): void {
    this.#running = running;
    for (const blockId of this.#sources.keys())
      if (!running.some(({ upload }) => upload.blockId === blockId)) this.#sources.delete(blockId);
    this.dispatchEvent(new Event("change"));
  }
}

/** Adds a file to the course's files under a free path, or returns the path it already has. */
function withAsset(
  course: AuthoredCourse,
  file: Pick<Asset, "sha256" | "bytes" | "type">,
  name: string,
): { path: string; assets: Asset[] } {
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

/** The file cannot be uploaded; the message tells the author why. */
class UnsuitableFile extends Error {
  override name = "Unfit";
}

async function readPicture(file: File, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const most = bounds.course.assetBytes;
  if (file.size > most)
    throw new UnsuitableFile(
      msg("editor.tooLargePictureMay", {
        name,
        size: formatNumber(most / 2 ** 20),
      }),
    );
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw new UnsuitableFile(msg("editor.couldNotReadChooseAgain", { name }));
    }),
  );
  if (!imageType(bytes)) throw new UnsuitableFile(msg("editor.notSupportedPictureUseSvgPng", { name }));
  return bytes;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function problemWords(error: unknown): string {
  if (error instanceof UnsuitableFile) return error.message;
  const problem = problemOfThrown(error);
  return [problemTitle(problem), problem.detail].filter(Boolean).join(" ");
}
