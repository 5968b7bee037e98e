import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { pageRefreshedEvent } from "../courses/refresh/events.ts";
import { decodePoints, outline, type Point, touches, unit } from "./ink.ts";

const namespace = "http://www.w3.org/2000/svg";
/** Milliseconds of drawing per frame, so that a page with many strokes drops none. */
const sliceMs = 6;

/** Position and inline size of a block within the layer, in CSS pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

interface Drawn {
  readonly stroke: Stroke;
  readonly points: readonly Point[];
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  path: SVGPathElement | null;
}

/**
 * Draws strokes above an article. Each block has an SVG of its own that is positioned over it, so a new layout only moves SVGs, and those out
 * of view cost nothing.
 */
export class InkLayer {
  readonly #holder: HTMLElement;
  readonly #article: HTMLElement;
  readonly #drawn = new Map<string, Drawn>();
  readonly #pictures = new Map<string, SVGSVGElement>();
  readonly #sizes = new ResizeObserver(() => this.place());
  #currentId: (id: string) => string = (id) => id;
  #waiting: Drawn[] = [];
  #frame = 0;
  /** Number of strokes whose block is not on the page any more. */
  get lost(): number {
    const gone = new Map<string | null, boolean>();
    let count = 0;
    for (const { stroke } of this.#drawn.values()) {
      const { blockId } = stroke;
      // A page that is hidden, such as behind its draft, has its blocks all the same.
      if (!gone.has(blockId)) gone.set(blockId, this.#elementOf(blockId) === null);
      if (gone.get(blockId)) count += 1;
    }
    return count;
  }

  constructor(holder: HTMLElement, article: HTMLElement) {
    this.#holder = holder;
    this.#article = article;
    this.#sizes.observe(article);
    // Blocks can move without the article changing its size.
    addEventListener(pageRefreshedEvent, this.#renewed);
  }

  readonly #renewed = (): void => this.place();

  dispose(): void {
    this.#sizes.disconnect();
    removeEventListener(pageRefreshedEvent, this.#renewed);
    cancelAnimationFrame(this.#frame);
    this.#holder.replaceChildren();
  }

  /** Shows exactly these strokes. @param present maps a former block id to the present one */
  show(strokes: readonly Stroke[], present = this.#currentId): void {
    if (present !== this.#currentId) {
      this.#currentId = present;
      this.place();
    }
    const wanted = new Set(strokes.map(({ strokeId }) => strokeId));
    for (const [strokeId, { path }] of this.#drawn)
      if (!wanted.has(strokeId)) {
        path?.remove();
        this.#drawn.delete(strokeId);
      }
    for (const stroke of strokes) {
      if (this.#drawn.has(stroke.strokeId)) continue;
      const points = decodePoints(stroke.points);
      const drawn: Drawn = { stroke, points, box: boxOf(points), path: null };
      this.#drawn.set(stroke.strokeId, drawn);
      this.#waiting.push(drawn);
    }
    this.#drawWaiting();
  }

  /** Moves every SVG over its block. */
  place(): void {
    for (const [blockId, picture] of this.#pictures) this.#placePicture(picture, blockId);
  }

  /** Position of the layer in the window. */
  get corner(): { left: number; top: number } {
    return this.#article.getBoundingClientRect();
  }

  /** The block at a height of the layer, or the nearest one; null if the article has no block. */
  blockAt(y: number): { blockId: string | null; place: Place } {
    const { top } = this.#article.getBoundingClientRect();
    let nearest: { block: HTMLElement; distance: number } | null = null;
    for (const block of this.#article.querySelectorAll<HTMLElement>(".block[id]")) {
      const box = block.getBoundingClientRect();
      if (box.height === 0) continue;
      const distance = Math.max(box.top - top - y, y - (box.bottom - top), 0);
      if (!nearest || distance < nearest.distance) nearest = { block, distance };
      if (distance === 0) break;
    }
    const blockId = nearest?.block.id ?? null;
    return { blockId, place: this.placeOf(blockId) ?? { x: 0, y: 0, size: this.#article.clientWidth || unit } };
  }

  placeOf(blockId: string | null): Place | null {
    const around = this.#article.getBoundingClientRect();
    const element = this.#elementOf(blockId);
    if (!element) return null;
    const box = element.getBoundingClientRect();
    return box.width === 0 ? null : { x: box.left - around.left, y: box.top - around.top, size: box.width };
  }

  #elementOf(blockId: string | null): HTMLElement | null {
    return blockId === null ? this.#article : (this.#blockOf(blockId) ?? this.#blockOf(this.#currentId(blockId)));
  }

  #blockOf(blockId: string): HTMLElement | null {
    // The editor's page may have the same id elsewhere in the document.
    return this.#article.querySelector<HTMLElement>(`#${CSS.escape(blockId)}`);
  }

  /** The strokes that an eraser touches; point and radius in pixels of the layer. */
  touched(x: number, y: number, radius: number): Stroke[] {
    const places = new Map<string | null, Place | null>();
    const found: Stroke[] = [];
    for (const { stroke, points, box } of this.#drawn.values()) {
      if (!places.has(stroke.blockId)) places.set(stroke.blockId, this.placeOf(stroke.blockId));
      const place = places.get(stroke.blockId);
      if (!place) continue;
      const scale = place.size / unit;
      const at = [(x - place.x) / scale, (y - place.y) / scale] as const;
      const reach = radius / scale;
      const [left, top, right, bottom] = box;
      const margin = reach + stroke.width;
      if (at[0] < left - margin || at[0] > right + margin || at[1] < top - margin || at[1] > bottom + margin) continue;
      if (touches(points, stroke.width, at, reach)) found.push(stroke);
    }
    return found;
  }

  #drawWaiting(): void {
    cancelAnimationFrame(this.#frame);
    const until = performance.now() + sliceMs;
    while (this.#waiting.length && performance.now() < until) {
      const drawn = this.#waiting.shift();
      if (drawn && this.#drawn.get(drawn.stroke.strokeId) === drawn) this.#drawOne(drawn);
    }
    if (this.#waiting.length) this.#frame = requestAnimationFrame(() => this.#drawWaiting());
  }

  #drawOne(drawn: Drawn): void {
    const { stroke, points } = drawn;
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", outline(points, stroke));
    path.setAttribute("class", `${stroke.tool} ${stroke.colour}`);
    drawn.path = path;
    this.#pictureOf(stroke.blockId).append(path);
  }

  #pictureOf(blockId: string | null): SVGSVGElement {
    const key = blockId ?? "";
    const known = this.#pictures.get(key);
    if (known) return known;
    const picture = document.createElementNS(namespace, "svg");
    picture.setAttribute("viewBox", `0 0 ${unit} ${unit}`);
    this.#pictures.set(key, picture);
    this.#holder.append(picture);
    this.#placePicture(picture, key);
    return picture;
  }

  #placePicture(picture: SVGSVGElement, key: string): void {
    const place = this.placeOf(key || null);
    picture.toggleAttribute("hidden", !place);
    if (place)
      Object.assign(picture.style, { translate: `${place.x}px ${place.y}px`, width: `${place.size}px`, height: `${place.size}px` });
  }
}

function boxOf(points: readonly Point[]): Drawn["box"] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  return [left, top, right, bottom];
}
