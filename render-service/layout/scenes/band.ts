import type { Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import { fast } from "../../frames/moves.ts";
import type { Stage } from "../stage.ts";

/** A surface on what attention is drawn to, which moves on to the next: it stays one thing. */
export function putBand(stage: Stage, places: readonly Box[], times: readonly number[], look: { colour: ColourRole; part: string }): void {
  const [first] = places;
  if (!first) return;
  const moves = places.slice(1).map((place, index): Move => {
    const at = times[index + 1] ?? 0;
    const [across, down] = [place.width / first.width, place.height / first.height];
    const takes = Math.max(200, Math.min(420, (at - (times[index] ?? 0)) * 0.6));
    return { from: Math.max(1, at - takes / 2), takes, to: [across, 0, 0, down, place.x - across * first.x, place.y - down * first.y] };
  });
  const d = `M${first.x} ${first.y}h${first.width}v${first.height}h${-first.width}Z`;
  const { colour, part } = look;
  const item = { kind: "line", d, width: 0, colour, fill: colour, box: first, part } as const;
  stage.items.push({ ...item, from: Math.max(1, times[0] ?? 0), motion: "fade", takes: fast, moves });
}
