import type { Scene, SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const sameCase = (text: string): string => text.toLowerCase();

type Diagram = SceneOf<"build" | "diagram">["content"];
const shareBox = ({ nodes: some, kind }: Diagram, other: Diagram): boolean =>
  kind === other.kind && some.some(({ label }) => other.nodes.some((node) => sameCase(node.label) === sameCase(label)));

/**
 * Whether a scene goes on with what the one before it shows: the same plane, picture, code or table, the formula that it ended with, boxes or
 * lanes of the same name. Pure.
 */
export function joinable(before: Scene, after: Scene): boolean {
  if ((before.layout === "build" || before.layout === "diagram") && (after.layout === "build" || after.layout === "diagram"))
    return shareBox(before.content, after.content);
  if (before.layout === "plane" && after.layout === "plane")
    return equal([before.content.centre, before.content.extent], [after.content.centre, after.content.extent]);
  if (before.layout === "derive" && after.layout === "derive")
    return before.content.steps.at(-1)?.tex.trim() === after.content.steps[0]?.tex.trim();
  if (before.layout === "number-line" && after.layout === "number-line")
    return equal([before.content.from, before.content.to], [after.content.from, after.content.to]);
  if (before.layout === "forgetting" && after.layout === "forgetting")
    return before.content.until === after.content.until && before.content.stability === after.content.stability;
  if (before.layout === "timeline" && after.layout === "timeline")
    return before.content.lanes.some(({ label }) => after.content.lanes.some((lane) => lane.label === label));
  if (before.layout === "code" && after.layout === "code") return before.content.code === after.content.code;
  if (before.layout === "figure" && after.layout === "figure") return before.content.picture.sha256 === after.content.picture.sha256;
  if (before.layout === "table" && after.layout === "table") return equal(before.content.columns, after.content.columns);
  return false;
}
