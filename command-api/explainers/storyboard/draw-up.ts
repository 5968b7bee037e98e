import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Finding, Review } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, QuestionKey, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Asking, askForStoryboard, tellStatus } from "./asking.ts";
import { type KeyedPassage, passagesFor } from "./choose-passages.ts";
import { filled } from "./fill.ts";
import { type CheckLayout, findingsOf, reviewed, storyboardOf, withoutAnswer } from "./look.ts";
import { draftPrompt, numbered, repairPrompt } from "./prompts.ts";
import { StoryboardRejected } from "./rejected.ts";
import type { FilmTopic } from "./topics.ts";

export interface DrawnUp {
  storyboard: Storyboard;
  questionKey: QuestionKey;
  review: Review;
  by: WrittenBy;
  reviewedBy: WrittenBy;
}

interface Means {
  asking: Asking;
  checkLayout: CheckLayout;
  newId(): string;
}

/** A topic with less text gives no film, whatever a model says. */
const leastTextLength = 400;

/**
 * A storyboard from a topic: drafted, held against the application's rules and the layout, then reviewed by a call of its own. One that
 * fails is repaired once and looked at again.
 * @throws {StoryboardRejected} when it fails again, or the topic gives none; {ProblemError} when no model can be had
 */
export async function drawUp(topic: FilmTopic, emphasis: Emphasis, means: Means): Promise<DrawnUp> {
  const { asking } = means;
  const passages = passagesFor(topic, emphasis);
  if (passages.reduce((length, { text }) => length + text.length, 0) < leastTextLength)
    throw new StoryboardRejected([
      { sceneId: null, problem: "unsupported", detail: "This topic says too little for a film.", by: "application" },
    ]);
  tellStatus(asking, "retrieving", { sources: passages.length });
  const first = await attempt(draftPrompt(topic, emphasis, passages), false, { topic, emphasis, passages, means });
  if ("storyboard" in first) return first;
  const refused = { refused: first.proposed, findings: numbered(first.findings, first.sceneIds) };
  const second = await attempt(repairPrompt(topic, emphasis, passages, refused), true, { topic, emphasis, passages, means });
  if ("storyboard" in second) return second;
  throw new StoryboardRejected(second.findings);
}

interface Failed {
  proposed: GeneratedStoryboard;
  sceneIds: string[];
  findings: Finding[];
}

interface Making {
  topic: FilmTopic;
  emphasis: Emphasis;
  passages: readonly KeyedPassage[];
  means: Means;
}

async function attempt(system: string, repaired: boolean, { topic, emphasis, passages, means }: Making): Promise<DrawnUp | Failed> {
  const { asking, checkLayout, newId } = means;
  const { object: proposed, by } = await askForStoryboard(asking, system, repaired);
  if (proposed.scenes.length === 0) {
    const detail = proposed.refusal.trim() || "The model found nothing in this topic to make a film of.";
    throw new StoryboardRejected([
      { sceneId: null, problem: "unsupported", detail: detail.slice(0, bounds.explainer.findingLength), by: "model" },
    ]);
  }
  tellStatus(asking, "validating", repaired ? { repairing: true } : undefined);
  const board = filled(proposed, { passages, newId });
  const { sceneIds } = board;
  if (!board.ok) return { proposed, sceneIds, findings: board.findings };
  const drawn = { storyboardId: newId(), title: proposed.title, emphasis, scenes: board.scenes };
  const findings = await findingsOf(drawn, topic, checkLayout);
  if (findings.length > 0) return { proposed, sceneIds, findings };
  const storyboard = storyboardOf(drawn, topic);
  asking.tell(versioned({ kind: "artifact" as const, artifact: storyboard }));
  const { review, by: reviewedBy } = await reviewed(asking, drawn, topic, { key: board.key, repaired });
  if (!review.approved) return { proposed, sceneIds, findings: review.findings };
  return { storyboard, questionKey: board.key, review: withoutAnswer(review, drawn.scenes, board.key), by, reviewedBy };
}
