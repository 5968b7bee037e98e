import { fileURLToPath } from "node:url";
import { claimWarnings } from "@colloquy/command-api/explainers/storyboard/checks/claims/claims.ts";
import { emphasisFindings } from "@colloquy/command-api/explainers/storyboard/checks/emphasis.ts";
import { sceneFindings } from "@colloquy/command-api/explainers/storyboard/checks/scenes.ts";
import { type KeyedPassage, passagesFor } from "@colloquy/command-api/explainers/storyboard/choose-passages.ts";
import { fillScenes } from "@colloquy/command-api/explainers/storyboard/fill.ts";
import { draftPrompt, numbered, repairPrompt, reviewPrompt } from "@colloquy/command-api/explainers/storyboard/prompts.ts";
import { proposalOf } from "@colloquy/command-api/explainers/storyboard/proposal.ts";
import { blockFacts, type FilmTopic, topicsOf, withPictures } from "@colloquy/command-api/explainers/storyboard/topics.ts";
import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { realCourse } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { makeReview } from "@colloquy/infra/demo/model/objects/review.ts";
import { makeStoryboard } from "@colloquy/infra/demo/model/objects/storyboard.ts";
import { readPrompt } from "@colloquy/infra/demo/model/prompt.ts";
import type { Emphasis, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";

/** What the demonstration model makes of a system prompt. */
export const promptOf = (system: string) =>
  readPrompt({
    messages: [
      { role: "system", content: system },
      { role: "user", content: "Go on." },
    ],
  });

const ours = (name: string): string => fileURLToPath(new URL(`../../infra/demo/courses/${name}`, import.meta.url));
const importers: Readonly<Record<string, readonly [Importer, string | null]>> = {
  "linear-maps": [importNative, ours("linear-maps")],
  "learning-to-learn": [importNative, ours("learning-to-learn")],
  "theorem-proving": [importMdBook, realCourse("theorem-proving-in-lean")],
  "shell-novice": [importCarpentries, realCourse("shell-novice")],
};

/** The topics of a course as films are drawn up from them; none where the course is not at hand. */
export async function filmedTopics(courseId: string): Promise<FilmTopic[]> {
  const [importer, folder] = importers[courseId] ?? [importNative, null];
  if (folder === null) return [];
  const { course, assets } = await importer(folder, { courseId, previous: null });
  const facts = new Map(course.topics.flatMap((topic) => blockFacts(courseId, topic)));
  const units = new Map(course.topics.map((unit) => [unit.id, unit]));
  const topics = [...topicsOf(buildSearchIndex(course, "revision-1"), facts).values()];
  return Promise.all(
    topics.map((topic) => {
      const unit = units.get(topic.topicId);
      return unit ? withPictures(topic, unit, course.assets, async ({ path }) => assets.get(path) ?? null) : topic;
    }),
  );
}

/** A film as the demonstration model draws it up, and what the application and the second look say of it. */
export interface DrawnFilm {
  topic: FilmTopic;
  emphasis: Emphasis;
  passages: readonly KeyedPassage[];
  board: GeneratedStoryboard;
  /** None where the model refused, or filled what no scene can be made of. */
  scenes: readonly Scene[];
  found: readonly { problem: string; detail: string }[];
}

/** @param repair a first draft that was refused, and why */
export function drawn(topic: FilmTopic, emphasis: Emphasis, repair?: Parameters<typeof repairPrompt>[3]): DrawnFilm | null {
  const passages = passagesFor(topic, emphasis);
  const prompt = repair ? repairPrompt(topic, emphasis, passages, repair) : draftPrompt(topic, emphasis, passages);
  const board = makeStoryboard(promptOf(prompt));
  if (!board) return null;
  const film = { topic, emphasis, passages, board };
  if (board.refusal) return { ...film, scenes: [], found: [] };
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `scene-${String(ids).padStart(6, "0")}`;
  };
  const made = fillScenes(board, { passages, newId });
  if (!made.ok) return { ...film, scenes: [], found: made.findings };
  const { scenes, key } = made;
  const warnings = numbered(claimWarnings(scenes, topic.passages), made.sceneIds);
  const review = makeReview(
    promptOf(reviewPrompt(topic, emphasis, passages, { proposal: proposalOf({ title: board.title, scenes }, passages, key), warnings })),
  );
  return {
    ...film,
    scenes,
    found: [...sceneFindings(scenes, topic.passages), ...emphasisFindings(scenes, emphasis, topic), ...review.findings],
  };
}
