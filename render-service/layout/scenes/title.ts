import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { putBlock, putLeaf, quoted, refuse, revealsOn, type Stage, startX, wordsOn } from "../stage.ts";
import { type Block, largest, setBlock } from "../text.ts";

/** How many lines a title may have, and how small it may be for having no more: better somewhat smaller than one line more. */
const sizes = {
  wide: [72, 58, 40],
  upright: [60, 56, 52, 46, 40],
};
const mostSize = { wide: 84, upright: 76 };

/** The title in as few lines as it can be in and stay large, none of them an article or a last word left alone. */
function headline(title: string, { wide, width }: { wide: boolean; width: number }): Block | undefined {
  const kind = wide ? "wide" : "upright";
  const setIn = (lines: number, isGood: (block: Block) => boolean): Block | undefined =>
    largest(mostSize[kind], sizes[kind][lines - 1] ?? 0, (size) => {
      const set = setBlock(title, { face: "read-strong", size, width, leading: 1.14, balanced: true });
      return set && set.lines.length <= lines && isGood(set) ? set : undefined;
    });
  for (const isGood of [evenly, () => true]) {
    for (const at of sizes[kind].keys()) {
      const set = setIn(at + 1, isGood);
      if (set) return set;
    }
  }
  return undefined;
}

const evenly = ({ lines }: Block): boolean =>
  lines.length === 1 || (lines.every((line) => !/^\S{1,3}$/u.test(line)) && (lines.length === 2 || /\s/u.test(lines.at(-1) ?? "")));

function tooWide(title: string, width: number): string | undefined {
  const word = title.split(" ").find((one) => !setBlock(one, { face: "read-strong", size: 40, width }));
  return word && `The word ${quoted(word)} is too long for a title.`;
}

/** What the film is about, large; Colloquy's mark above it. */
export function placeTitle(stage: Stage, { heading, subtitle }: SceneContent<"title">): undefined {
  const { body, wide } = stage;
  const title = wordsOn(stage, heading, "read-strong");
  const line = wordsOn(stage, subtitle);
  const width = wide ? 960 : body.width;
  const large = headline(title, { wide, width });
  if (!large) return refuse(stage, tooWide(title, width) ?? `The heading is too long for a title: it has ${[...title].length} signs.`);
  const small = line
    ? largest(34, 28, (size) => {
        const set = setBlock(line, { face: "read", size, width, leading: 1.4, balanced: true });
        return set && set.lines.length <= 3 ? set : undefined;
      })
    : undefined;
  if (line && !small) return refuse(stage, "The subtitle is too long.");

  const leaf = 34;
  const gaps = { leaf: 40, line: 28 };
  const height = leaf + gaps.leaf + large.height + (small ? gaps.line + small.height : 0);
  const top = body.y + (body.height - height) * 0.46;
  putLeaf(stage, startX(stage, body, 2, leaf), top, leaf, "leaf", 0);
  const end = putBlock(stage, large, { x: body.x, y: top + leaf + gaps.leaf, width: body.width, part: "heading", from: 0, motion: "rise" });
  if (!small) return;
  const [, at = 0] = revealsOn(stage, [title, line]);
  // A subtitle belongs to its title: it does not wait long for its word.
  putBlock(stage, small, {
    x: body.x,
    y: end + gaps.line,
    width: body.width,
    colour: "ink-soft",
    part: "subtitle",
    from: Math.min(at, 1200),
    motion: "rise",
  });
}
