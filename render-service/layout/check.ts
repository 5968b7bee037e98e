import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { changingLeast } from "./stillness.ts";
import { askThread } from "./thread.ts";

interface LayoutFinding {
  sceneId: string;
  detail: string;
}

const { findings: most, findingLength, layoutMs } = filmBounds;
export const layoutTimedOut = "Its layout takes too long to work out; make it simpler.";

/** Findings of the layout of each scene, in both aspects and themes, and of the whole film; none if the video can be rendered. Runs in a thread. */
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
    const { findings: details } = answers[index] ?? { findings: [layoutTimedOut] };
    return details.map((detail) => ({ sceneId, detail: detail.slice(0, findingLength) }));
  });
  const changing = answers.map((answer) => answer?.changingMs ?? 0);
  return findings.length > 0 ? findings.slice(0, most) : filmFindings(scenes, changing);
}

/** What is found of a whole film, at the scene whose picture stands still for the most seconds. */
function filmFindings(scenes: readonly Scene[], changing: readonly number[]): LayoutFinding[] {
  const whole = scenes.reduce((sum, { seconds }) => sum + seconds * 1_000, 0);
  const share = changing.reduce((sum, ms) => sum + ms, 0) / whole;
  if (whole === 0 || scenes.length < filmBounds.scenes.min || share >= changingLeast) return [];
  const told = scenes
    .map(({ seconds, sceneId, layout }, index) => ({ sceneId, layout, seconds, still: seconds - (changing[index] ?? 0) / 1_000 }))
    .filter(({ layout }) => layout !== "title" && layout !== "question");
  const [stillest] = told.toSorted((one, other) => other.still - one.still);
  if (!stillest) return [];
  // Rounded down, so that 34.6 % is not "35 %, and 35 % is the least".
  const [of, least] = [share, changingLeast].map((part) => Math.floor(part * 100 + 1e-9));
  const [still, seconds] = [stillest.still, stillest.seconds].map((one) => Math.round(one * 10) / 10);
  const detail = `Pictures change for ${of} % of the film, and ${least} % is the least. This scene stands still for ${still} of its ${seconds} seconds: let more appear or move in it, or say less.`;
  return [{ sceneId: stillest.sceneId, detail }];
}
