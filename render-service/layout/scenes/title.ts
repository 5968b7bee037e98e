import type { SceneContent } from "../../../schemas/explainer/storyboard.ts";
import { putBlock, putLeaf, refuse, revealsOn, type Stage, startX, wordsOn } from "../stage.ts";
import { type Block, largest, setBlock } from "../text.ts";

/** What the film is about, large; the mark of the house above it. */
export function placeTitle(stage: Stage, { heading, subtitle }: SceneContent<"title">): undefined {
  const { body, wide } = stage;
  const title = wordsOn(stage, heading, "read-strong");
  const line = wordsOn(stage, subtitle);
  const width = wide ? 960 : body.width;
  const setIn = (size: number): Block | undefined => {
    const set = setBlock(title, { face: "read-strong", size, width, leading: 1.14, balanced: true });
    return set && set.lines.length <= (wide ? 3 : 5) ? set : undefined;
  };
  const [most, least] = [wide ? 84 : 76, 44];
  // A little smaller is better than an article alone on its line.
  const whole = largest(most, most - 20, (size) => {
    const set = setIn(size);
    return set?.lines.some((part) => /^\S{1,3}$/u.test(part)) && title.includes(" ") ? undefined : set;
  });
  const large = whole ?? largest(most, least, setIn);
  if (!large) return refuse(stage, "The heading is too long for a title.");
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
    ...{ x: body.x, y: end + gaps.line, width: body.width, colour: "ink-soft", part: "subtitle" },
    from: Math.min(at, 1200),
    motion: "rise",
  });
}
