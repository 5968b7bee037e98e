import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { placesOf, timeline } from "../../frames/timeline.ts";
import { placeScene } from "../place.ts";
import { stillnessOf } from "../stillness.ts";

/** Fails where a film's title stands for more than 3 s, anything but a question for more than 4 s, or less than 35 % of its time changes. */
export function expectMotion(film: Pick<Storyboard, "scenes" | "language" | "sources">, aspect: RenderSettings["aspect"]): void {
  let [changing, whole] = [0, 0];
  const places = placesOf(timeline(film.scenes), { ...film, aspect });
  for (const [index, scene] of film.scenes.entries()) {
    const placed = placeScene(scene, places[index] ?? expect.fail("no place"));
    if (placed.kind === "refused") throw new Error(placed.findings.join(" "));
    const { changingMs, longest } = stillnessOf(placed);
    if (scene.layout === "title") expect(placed.durationMs, "the title").to.be.at.most(3_000);
    if (scene.layout !== "question") expect(longest.to - longest.from, scene.narration).to.be.at.most(4_000);
    changing += changingMs;
    whole += placed.durationMs;
  }
  expect(changing / whole).to.be.at.least(0.35);
}
