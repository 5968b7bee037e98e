import type { Finding, Review } from "@colloquy/schemas/explainers/review.ts";
import type { QuestionKey, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { OfferedFilm } from "../handlers.ts";
import { type CheckLayout, findingsOf, storyboardOf } from "./review.ts";
import type { FilmTopic } from "./topics.ts";

interface Copied {
  storyboard: Storyboard;
  questionKey: QuestionKey;
  review: Review;
  by: WrittenBy;
  reviewedBy: WrittenBy;
}

/**
 * The storyboard of an offered film with ids of its own, checked against the topic as it is published now.
 * @returns findings if the topic has changed since
 */
export async function copiedStoryboard(
  { storyboard: offered, questionKey, by }: OfferedFilm,
  topic: FilmTopic,
  { checkLayout, newId }: { checkLayout: CheckLayout; newId(): string },
): Promise<Copied | { findings: Finding[] }> {
  const { title, emphasis } = offered;
  const scenes = offered.scenes.map((scene) => ({ ...scene, sceneId: newId() }));
  const drawn = { storyboardId: newId(), title, emphasis, scenes };
  const findings = await findingsOf(drawn, topic, checkLayout);
  if (findings.length > 0) return { findings };
  const review = { approved: true, repaired: false, findings: [] };
  return { storyboard: storyboardOf(drawn, topic), questionKey, review, by, reviewedBy: by };
}
