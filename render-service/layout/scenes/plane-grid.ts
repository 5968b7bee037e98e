import { type Place, rounded } from "@colloquy/schemas/explainers/plane.ts";
import { putLine, type Stage } from "../stage.ts";
import { measure } from "../text.ts";
import { part, pathOf, putPath, type View } from "./plane-view.ts";

const tickSize = 26;

/** Lines of whole units, far enough that a map does not leave corners empty. */
function gridOf({ box, origin, unit, at }: View, times: number): string {
  const count = (from: number, to: number): number[] => {
    const [low, high] = [Math.floor(from / unit) * times, Math.ceil(to / unit) * times];
    return Array.from({ length: high - low + 1 }, (_, index) => low + index);
  };
  const across = count(box.x - origin.x, box.x + box.width - origin.x);
  const up = count(origin.y - box.y - box.height, origin.y - box.y);
  const [left = 0, right = 0, bottom = 0, top = 0] = [across[0], across.at(-1), up[0], up.at(-1)];
  return [
    ...across.map((x) => pathOf([at({ x, y: bottom }), at({ x, y: top })])),
    ...up.map((y) => pathOf([at({ x: left, y }), at({ x: right, y })])),
  ].join("");
}

export function putGrid(stage: Stage, view: View): void {
  const { box, origin, moves } = view;
  putPath(stage, view, gridOf(view, 1), 0, { width: 1.5, colour: "line" });
  putPath(stage, view, `M${box.x} ${origin.y}H${box.x + box.width}M${origin.x} ${box.y}V${box.y + box.height}`, 0, {
    width: 2.5,
    colour: "line-strong",
  });
  putTicks(stage, view);
  if (moves.length === 0) return;
  const first = moves[0]?.from ?? 0;
  putPath(stage, view, gridOf(view, 3), Math.max(1, first - 500), { width: 1.8, colour: "accent", moves, takes: 400 });
}

function putTicks(stage: Stage, { box, unit, at }: View): void {
  const step = [1, 2, 5, 10].find((one) => one * unit >= 70) ?? 10;
  const style = { colour: "ink-faint", part, from: 0, motion: "still", direction: "ltr" } as const;
  const put = (value: number, place: Place, side: "below" | "left"): void => {
    const text = rounded(value).replace("-", "−");
    const { advance } = measure(text, "beside", tickSize);
    const x = side === "below" ? place.x - advance / 2 : place.x - advance - 10;
    const baseline = side === "below" ? place.y + 30 : place.y + tickSize * 0.35;
    const isInside = x > box.x + 4 && x + advance < box.x + box.width - 4 && baseline - 20 > box.y && baseline + 8 < box.y + box.height;
    if (isInside) putLine(stage, { text, face: "beside", size: tickSize, x, baseline }, style);
  };
  for (let value = -20 * step; value <= 20 * step; value += step) {
    if (value === 0) continue;
    put(value, at({ x: value, y: 0 }), "below");
    put(value, at({ x: 0, y: value }), "left");
  }
}
