import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { encodePoints, inParts, outline, type Point, thinned, unit } from "./ink.ts";
import type { InkLayer, Place } from "./layer.ts";

export type Tool = Stroke["tool"] | "eraser";

/** What the next stroke is drawn with. `width` is in CSS pixels. */
export interface Nib {
  tool: Tool;
  colour: Stroke["colour"];
  width: number;
  /** Whether a finger draws; otherwise it scrolls, as a palm beside a pen must. */
  finger: boolean;
}

interface Needs {
  /** Takes the pointer: it lies over the article while somebody draws. */
  surface: HTMLElement;
  /** The stroke that is being drawn. */
  growing: SVGPathElement;
  layer: InkLayer;
  nib: () => Nib;
  /** What was drawn in one go: one stroke, or more that join where it was longer than one may be. */
  onStrokes: (strokes: Omit<Stroke, "strokeId">[]) => void;
  onErase: (strokes: Stroke[]) => void;
  /** A pen has been seen: from now on fingers and palms do not draw. */
  onPen: () => void;
  signal: AbortSignal;
}

/** The eraser's radius in CSS pixels. */
const eraserPx = 9;
/** Points nearer to each other than this are not worth keeping, in CSS pixels. */
const leastPx = 1.2;

interface Drawing {
  pointerId: number;
  blockId: string | null;
  place: Place;
  points: Point[];
}

/** Turns what a pen, a mouse or a finger does on the surface into strokes. One pointer draws at a time; another that comes down ends nothing. */
export function followPen({ surface, growing, layer, nib, onStrokes, onErase, onPen, signal }: Needs): void {
  let drawing: Drawing | null = null;
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = layer.corner;
    return [clientX - left, clientY - top];
  };
  const pointOf = (event: PointerEvent, { place }: Drawing): Point => {
    const [x, y] = at(event);
    const scale = place.size / unit;
    // A mouse has no pressure; its half stands for none.
    return [(x - place.x) / scale, (y - place.y) / scale, event.pointerType === "pen" ? event.pressure : 128 / 255];
  };
  const strokesOf = ({ blockId, place, points }: Drawing): Omit<Stroke, "strokeId">[] => {
    const { tool, colour, width } = nib();
    if (tool === "eraser") return [];
    const scale = unit / place.size;
    const own = Math.max(1, Math.round(width * scale));
    const parts = inParts(thinned(points, leastPx * scale));
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
  // A gesture of the browser takes over: what was begun is no stroke.
  const cancel = (event: PointerEvent): void => {
    if (event.pointerId === drawing?.pointerId) end();
  };
  surface.addEventListener("pointerdown", down, { signal });
  surface.addEventListener("pointermove", move, { signal });
  surface.addEventListener("pointerup", up, { signal });
  surface.addEventListener("pointercancel", cancel, { signal });
}
