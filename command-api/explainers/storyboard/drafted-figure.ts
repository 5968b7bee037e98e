import { minTextSize } from "@colloquy/render-service/layout/limits.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { GeneratedScene } from "@colloquy/schemas/generation/storyboard.ts";
import { bareWords } from "./checks/quotes.ts";
import type { KeyedPassage } from "./choose-passages.ts";
import type { SvgPart } from "./svg-facts.ts";

type Content = SceneContent<"figure">;
type Figure = { content: Omit<Content, "heading">; sourceId: string } | { problem: string };

const { zoom, side } = filmBounds.figure;
/** Around parts that the camera goes to, as a share of the picture. */
const margin = 0.1;
const leastShown = Math.max(side, 1.1 / zoom.most, 0.3);
const whole = { x: 0, y: 0, width: 1, height: 1 };
/** So near to an edge of a picture there is no room for the number of a call-out. */
const edge = 0.14;

/**
 * A figure as a model drafts it: it does not see pictures, so it names a passage and words that stand in its picture, and where they are is
 * looked up here.
 */
export function draftedFigure({ figure, narration }: GeneratedScene, passages: readonly KeyedPassage[]): Figure {
  const passage = passages.find(({ key }) => key === figure.passage);
  const { picture, parts = [] } = passage ?? {};
  if (!passage || !picture) {
    const others = passages.flatMap((one) => (one.picture ? one.key : []));
    const which = others.length > 0 ? `Pictures have: ${others.join(", ")}.` : "No passage has one.";
    return { problem: `${figure.passage || "No passage"} has no picture that a video can show. ${which}` };
  }
  const byLabel = new Map(parts.map((part) => [part.label, part]));
  const named = [...figure.zooms.flatMap((one) => one.parts), ...figure.callouts.map(({ part }) => part)];
  const unknown = named.find((label) => !byLabel.has(label));
  if (unknown !== undefined) {
    const has = parts.length > 0 ? `It has: ${[...byLabel.keys()].join(", ")}.` : "It has none that can be named: show all of it.";
    return { problem: `“${unknown}” is no part of the picture of ${passage.key}. ${has}` };
  }
  const other = figure.callouts.find(({ part, label }) => !says(label, part));
  if (other) return { problem: `The call-out “${other.label}” points at “${other.part}”, and does not say so: name it by its own words.` };
  const place = ({ part, label, cue }: (typeof figure.callouts)[number]) => ({ ...pinned(byLabel.get(part)), label, cue });
  return {
    sourceId: passage.sourceId,
    content: {
      picture,
      parts: figure.drawnCue === "" ? [] : [{ region: whole, drawn: picture.type === "image/svg+xml", cue: figure.drawnCue }],
      zooms: figure.zooms.map(({ parts: near, cue }) => ({ region: around(near.flatMap((label) => byLabel.get(label) ?? [])), cue })),
      callouts: figure.callouts.map(place).toSorted((one, next) => narration.indexOf(one.cue) - narration.indexOf(next.cue)),
    },
  };
}

/** Whether a label has all words, or signs, of a part. */
function says(label: string, part: string): boolean {
  const own = bareWords(label);
  const words = bareWords(part);
  return words.length > 0 ? words.every((word) => own.includes(word)) : label.includes(part);
}

/** What is seen where the camera goes to some parts; all of the picture where it goes to none. */
function around(parts: readonly SvgPart[]): Content["zooms"][number]["region"] {
  if (parts.length === 0) return whole;
  const span = (starts: readonly number[], ends: readonly number[]): [from: number, size: number] => {
    const [from, to] = [Math.min(...starts) - margin, Math.max(...ends) + margin];
    const size = Math.min(1, Math.max(to - from, leastShown));
    return [Math.max(0, Math.min(1 - size, (from + to - size) / 2)), size];
  };
  const [x, width] = span(
    parts.map((one) => one.x),
    parts.map((one) => one.x + one.width),
  );
  const [y, height] = span(
    parts.map((one) => one.y),
    parts.map((one) => one.y + one.height),
  );
  return { x, y, width, height };
}

/** The middle of a part's upper edge, or of its lower one where above it there is no room for the number of a call-out. */
function pinned(part: SvgPart | undefined): Pick<Content["callouts"][number], "at" | "side"> {
  const { x, y, width, height } = part ?? whole;
  const isTop = y > edge;
  return { at: { x: x + width / 2, y: isTop ? y : y + height }, side: isTop ? "top-left" : "bottom-left" };
}

/** How near the camera has to go so that the words of a picture can be read, upright too; 1 for not at all. Pure. */
export const zoomNeeded = ({ textSize, width, height }: Content["picture"]): number => {
  const least = textSize * Math.min(framed.width / width, framed.height / height);
  return textSize === 0 || least >= minTextSize ? 1 : Math.ceil((minTextSize / least) * 10) / 10;
};
/** About how large a picture stands beside its call-outs in a film, and its smallest letters may be. */
const framed = { width: 550, height: 400 };
