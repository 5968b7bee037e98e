import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { askThread } from "./thread.ts";

interface LayoutFinding {
  sceneId: string;
  detail: string;
}

const { findings: most, findingLength, layoutMs } = filmBounds;
export const layoutTimedOut = "Its layout takes too long to work out; make it simpler.";

/** Findings of the layout of each scene, in both aspects and themes; none if the video can be rendered. Runs in a thread. */
export async function checkLayout(
  scenes: readonly Scene[],
  { language, withinMs = layoutMs }: { language: string; withinMs?: number },
): Promise<LayoutFinding[]> {
  const answers = await askThread<"check">(
    scenes.map((scene) => ({ task: "check", scene, language })),
    withinMs,
  );
  // An unchecked scene does not pass.
  const findings = scenes.slice(0, answers.length).flatMap(({ sceneId }, index) => {
    const details = answers[index] ?? [layoutTimedOut];
    return details.map((detail) => ({ sceneId, detail: detail.slice(0, findingLength) }));
  });
  return findings.slice(0, most);
}
