import { rounded } from "./plane.ts";
import type { SceneContent } from "./storyboard.ts";

type Lane = SceneContent<"timeline">["lanes"][number];

/** From each mark of a lane to the next, as a number on screen. Pure. */
export const gapsOf = ({ marks }: Pick<Lane, "marks">): string[] =>
  marks.slice(1).map(({ at }, index) => rounded(at - (marks[index]?.at ?? 0)));
