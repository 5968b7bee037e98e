import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { encodePoints, outline, type Point, splitStroke, thinPoints, unit } from "./ink.ts";
import type { InkLayer, Place } from "./layer.ts";

export type Tool = Stroke["tool"] | "eraser";

/** Settings of the next stroke. `width` is in CSS pixels. */
export interface Nib {
  tool: Tool;
  colour: Stroke["colour"];
  width: number;
  /** Whether touch draws; otherwise it scrolls, so that a palm beside a pen does not draw. */
  finger: boolean;
}

interface Needs {
  /** Receives pointer events: it covers the article in the drawing mode. */
  surface: HTMLElement;
  /** The path of the stroke in progress. */
  growing: SVGPathElement;
  layer: InkLayer;
  nib: () => Nib;
  /** A finished line: one stroke, or several if it was longer than one may be. */
  onStrokes: (strokes: Omit<Stroke, "strokeId">[]) => void;
  onErase: (strokes: Stroke[]) => void;
  /** A pen was used: from now on touch does not draw. */
  onPen: () => void;
  signal: AbortSignal;
}

/** The eraser's radius in CSS pixels. */
const eraserPx = 9;
/** Least distance of stored points, in CSS pixels. */
const leastPx = 1.2;

interface Drawing {
  pointerId: number;
  blockId: string | null;
  place: Place;
  points: Point[];
}

/** Turns pointer input into strokes. One pointer draws at a time; further ones are ignored. */
export function followPen({ surface, growing, layer, nib, onStrokes, onErase, onPen, signal }: Needs): void {
  let drawing: Drawing | null = null;
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = layer.corner;
    return [clientX - left, clientY - top];
  };
  const pointOf = (event: PointerEvent, { place }: Drawing): Point => {
    const [x, y] = at(event);
    const scale = place.size / unit;
    // A mouse has no pressure sensor and reports 0.5.
    return [(x - place.x) / scale, (y - place.y) / scale, event.pointerType === "pen" ? event.pressure : 128 / 255];
  };
  const strokesOf = ({ blockId, place, points }: Drawing): Omit<Stroke, "strokeId">[] => {
    const { tool, colour, width } = nib();
    if (tool === "eraser") return [];
    const scale = unit / place.size;
    const own = Math.max(1, Math.round(width * scale));
    const parts = splitStroke(thinPoints(points, leastPx * scale));
    return parts.map((part) => ({ blockId, tool, colour, width: own, points: encodePoints(part) }));
  };
  const erase = (event: PointerEvent): void => {
    const touched = layer.touched(...at(event), eraserPx);
    if (touched.length) onErase(touched);
  };
  const show = (one: Drawing): void => {
    const { tool, colour, width } = nib();
    if (tool === "eraser") return;
    const scale = one.place.size / unit;
    growing.setAttribute("class", `${tool} ${colour}`);
    growing.setAttribute("transform", `translate(${one.place.x} ${one.place.y}) scale(${scale})`);
    growing.setAttribute("d", outline(one.points, { tool, width: width / scale }, true));
  };
  const end = (): void => {
    drawing = null;
    growing.setAttribute("d", "");
  };

  const down = (event: PointerEvent): void => {
    if (event.pointerType === "pen") onPen();
    if (drawing || event.button > 0 || (event.pointerType === "touch" && !nib().finger)) return;
    event.preventDefault();
    surface.setPointerCapture(event.pointerId);
    const [, y] = at(event);
    const { blockId, place } = layer.blockAt(y);
    drawing = { pointerId: event.pointerId, blockId, place, points: [] };
    if (nib().tool === "eraser") erase(event);
    else {
      drawing.points.push(pointOf(event, drawing));
      show(drawing);
    }
  };
  const move = (event: PointerEvent): void => {
    if (!drawing || event.pointerId !== drawing.pointerId) return;
    const one = drawing;
    if (nib().tool === "eraser") {
      erase(event);
      return;
    }
    const all = event.getCoalescedEvents();
    one.points.push(...(all.length ? all : [event]).map((each) => pointOf(each, one)));
    show(one);
  };
  const up = (event: PointerEvent): void => {
    if (!drawing || event.pointerId !== drawing.pointerId) return;
    const strokes = strokesOf(drawing);
    end();
    if (strokes.length) onStrokes(strokes);
  };
  // The browser took the pointer for a gesture: drop the stroke.
  const cancel = (event: PointerEvent): void => {
    if (event.pointerId === drawing?.pointerId) end();
  };
  surface.addEventListener("pointerdown", down, { signal });
  surface.addEventListener("pointermove", move, { signal });
  surface.addEventListener("pointerup", up, { signal });
  surface.addEventListener("pointercancel", cancel, { signal });
}
