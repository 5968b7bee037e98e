import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { contentOf, type HandmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";
import { type QuestionKey, type Scene, scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import { shuffled } from "./fill.ts";
import { type CheckLayout, findingsOf, type ReviewedStoryboard, storyboardOf } from "./review.ts";
import type { FilmTopic } from "./topics.ts";

/** Who wrote a board by hand, and checked it. */
const byHand: WrittenBy = { provider: "course", model: "handmade", fallbackDepth: 0 };

/** The board of a topic and emphasis that was written by hand; undefined if there is none. */
export const handmadeOf = (
  boards: readonly HandmadeBoard[],
  wanted: Pick<HandmadeBoard, "courseId" | "topicId" | "emphasis">,
): HandmadeBoard | undefined =>
  boards.find(
    ({ courseId, topicId, emphasis }) => courseId === wanted.courseId && topicId === wanted.topicId && emphasis === wanted.emphasis,
  );

/** The board with its choices in an order that does not tell which is right, and the key to them. */
function withKey(board: HandmadeBoard): { scenes: HandmadeBoard["scenes"]; key: QuestionKey | null } {
  const last = board.scenes.at(-1);
  const { question = "", choices = [] } = (last?.content ?? {}) as { question?: string; choices?: string[] };
  if (last?.right === undefined || last.explanation === undefined || choices[last.right] === undefined)
    return { scenes: board.scenes, key: null };
  const order = shuffled(
    question,
    choices.map((text, index) => ({ text, correct: index === last.right })),
  );
  const content = { question, choices: order.map(({ text }) => text) };
  return {
    scenes: [...board.scenes.slice(0, -1), { ...last, content }],
    key: { right: order.findIndex(({ correct }) => correct), explanation: last.explanation },
  };
}

/** A figure is named by its block and by the SHA-256 of its file: numbers and camera would miss what a redrawn one shows. */
function withPicture({ courseId, passages }: FilmTopic, one: HandmadeBoard["scenes"][number]): object | null {
  if (one.layout !== "figure") return contentOf(one);
  const { block, file, ...content } = contentOf(one) as { block?: unknown; file?: unknown };
  const sourceId = typeof block === "string" ? sourceIdOf(courseId, block) : "";
  const picture = passages.find((passage) => passage.sourceId === sourceId)?.picture;
  return picture && picture.sha256 === file ? { ...content, picture } : null;
}

function sceneOf({ courseId }: FilmTopic, one: HandmadeBoard["scenes"][number], content: object, sceneId: string): Scene {
  const quotes = one.quotes.map(({ block, quote }) => ({ sourceId: sourceIdOf(courseId, block), quote }));
  const made = scene.parse({
    sceneId,
    seconds: 0,
    layout: one.layout,
    narration: one.narration,
    content,
    sourceIds: [...new Set(quotes.map(({ sourceId }) => sourceId))],
    quotes,
  });
  return { ...made, seconds: sceneSeconds(made) };
}

/**
 * A storyboard written by hand, checked against the topic as it is published now, without a model. Claims are not compared: those findings
 * may be wrong, and only a reviewer could tell; the author has.
 * @returns findings if it does not pass: then the topic has changed since it was written
 */
export async function handmadeStoryboard(
  board: HandmadeBoard,
  topic: FilmTopic,
  { checkLayout, newId }: { checkLayout: CheckLayout; newId(): string },
): Promise<ReviewedStoryboard | { findings: string[] }> {
  const { scenes: written, key } = withKey(board);
  if (!key) return { findings: ["The closing question has no key."] };
  const contents = written.map((one) => withPicture(topic, one));
  if (contents.includes(null)) return { findings: ["A figure of the video is no longer on the page, or was drawn anew."] };
  const scenes = written.map((one, index) => sceneOf(topic, one, contents[index] ?? {}, newId()));
  const drawn = { storyboardId: newId(), title: board.title, emphasis: board.emphasis, scenes };
  const findings = await findingsOf(drawn, topic, checkLayout);
  if (findings.length > 0) return { findings: findings.map(({ detail }) => detail) };
  return {
    storyboard: storyboardOf(drawn, topic),
    questionKey: key,
    review: { approved: true, repaired: false, findings: [] },
    by: byHand,
    reviewedBy: byHand,
  };
}
