import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { OfferedFilm } from "../handlers.ts";
import { type CheckLayout, findingsOf, type ReviewedStoryboard, storyboardOf } from "./review.ts";
import type { FilmTopic } from "./topics.ts";

/**
 * The storyboard of an offered film with ids of its own, checked against the topic as it is published now.
 * @returns findings if the topic has changed since
 */
export async function copiedStoryboard(
  { storyboard: offered, questionKey, by }: OfferedFilm,
  topic: FilmTopic,
  { checkLayout, newId }: { checkLayout: CheckLayout; newId(): string },
): Promise<ReviewedStoryboard | { findings: Finding[] }> {
  const { title, emphasis } = offered;
  const scenes = offered.scenes.map((scene) => ({ ...scene, sceneId: newId() }));
  const drawn = { storyboardId: newId(), title, emphasis, scenes };
  const findings = await findingsOf(drawn, topic, checkLayout);
  if (findings.length > 0) return { findings };
  const review = { approved: true, repaired: false, findings: [] };
  return { storyboard: storyboardOf(drawn, topic), questionKey, review, by, reviewedBy: by };
}
