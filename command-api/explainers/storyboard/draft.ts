import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type KeyedPassage, passagesFor } from "./choose-passages.ts";
import { fillScenes } from "./fill.ts";
import { emitStatus, type ModelRequests, requestStoryboard } from "./model-requests.ts";
import { draftPrompt, numbered, repairPrompt } from "./prompts.ts";
import {
  type CheckLayout,
  findingsOf,
  type ReviewedStoryboard,
  reviewStoryboard,
  StoryboardRejected,
  storyboardOf,
  withoutAnswer,
} from "./review.ts";
import type { FilmTopic } from "./topics.ts";

interface Means {
  requests: ModelRequests;
  checkLayout: CheckLayout;
  newId(): string;
}

/** A topic with less text gives no video. */
const leastTextLength = 400;

/**
 * Drafts a storyboard of a topic, checks rules and layout, and has it reviewed by a separate model call. A failed one is repaired once.
 * @throws {StoryboardRejected} if it fails again or the topic has too little text; {ProblemError} if no model answers
 */
export async function draftStoryboard(topic: FilmTopic, emphasis: Emphasis, means: Means): Promise<ReviewedStoryboard> {
  const { requests } = means;
  const passages = passagesFor(topic, emphasis);
  if (passages.reduce((length, { text }) => length + text.length, 0) < leastTextLength)
    throw new StoryboardRejected([
      { sceneId: null, problem: "unsupported", detail: "This topic says too little for a film.", by: "application" },
    ]);
  emitStatus(requests, "retrieving", { sources: passages.length });
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

async function attempt(
  system: string,
  repaired: boolean,
  { topic, emphasis, passages, means }: Making,
): Promise<ReviewedStoryboard | Failed> {
  const { requests, checkLayout, newId } = means;
  const { object: proposed, by } = await requestStoryboard(requests, system, repaired);
  if (proposed.scenes.length === 0) {
    const detail = proposed.refusal.trim() || "The model found nothing in this topic to make a film of.";
    throw new StoryboardRejected([
      { sceneId: null, problem: "unsupported", detail: detail.slice(0, filmBounds.findingLength), by: "model" },
    ]);
  }
  emitStatus(requests, "validating", repaired ? { repairing: true } : undefined);
  const board = fillScenes(proposed, { passages, newId });
  const { sceneIds } = board;
  if (!board.ok) return { proposed, sceneIds, findings: board.findings };
  const drawn = { storyboardId: newId(), title: proposed.title, emphasis, scenes: board.scenes };
  const findings = await findingsOf(drawn, topic, checkLayout);
  if (findings.length > 0) return { proposed, sceneIds, findings };
  const storyboard = storyboardOf(drawn, topic);
  requests.emit(versioned({ kind: "artifact" as const, artifact: storyboard }));
  const { review, by: reviewedBy } = await reviewStoryboard(requests, drawn, topic, { key: board.key, repaired });
  if (!review.approved) return { proposed, sceneIds, findings: review.findings };
  return { storyboard, questionKey: board.key, review: withoutAnswer(review, drawn.scenes, board.key), by, reviewedBy };
}
