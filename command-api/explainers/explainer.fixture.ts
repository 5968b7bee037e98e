import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { ExplainerEvent } from "@colloquy/schemas/explainers/events.ts";
import { type Film, type FilmMetrics, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { Review } from "@colloquy/schemas/explainers/review.ts";
import { type ExplainerState, evolve, initialState } from "@colloquy/schemas/explainers/state.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds, sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import type { FilmEvidenceKeeping } from "../tutor/film-evidence.ts";
import type { OwnerCommand } from "./commands.ts";

/** Shared by tests of videos: a storyboard, a worker's results, and jobs made of events. */

export const account = "acc_mira_0001";
export const otherAccount = "acc_tomas_001";
export const jobId = "job-00000001";
export const by = { provider: "p1", model: "a model", fallbackDepth: 0 } as const;
export const passed: Review = { approved: true, repaired: false, findings: [] };
export const questionKey = { right: 1, explanation: "Because the pipe hands it on." };

const words = "A pipe hands what one program writes to the next, which reads it while the first still writes.";
const grounded = { narration: words, sourceIds: ["topic-pipes"], quotes: [{ sourceId: "topic-pipes", quote: "a pipe hands it on" }] };
const scene = (sceneId: string, rest: Pick<Scene, "layout" | "content">): Scene => {
  const made = { ...grounded, sceneId, seconds: 0, ...rest } as Scene;
  return { ...made, seconds: sceneSeconds(made) };
};

/** Six scenes about pipes. `tag` is in its title and ids, so that storyboards differ. */
export function storyboardOf(tag = "0001"): Storyboard {
  const points = (heading: string) => ({ layout: "points" as const, content: { heading, points: ["one writes", "one reads"] } });
  const scenes = [
    scene(`scene-title-${tag}`, { layout: "title", content: { heading: `Pipes ${tag}`, subtitle: "" } }),
    scene(`scene-one-${tag}`, points("What goes through")),
    scene(`scene-two-${tag}`, points("Both at once")),
    scene(`scene-three-${tag}`, points("No file between")),
    scene(`scene-recap-${tag}`, { layout: "recap", content: { heading: "Recap", points: ["hands on"] } }),
    scene(`scene-question-${tag}`, { layout: "question", content: { question: "What does it do?", choices: ["keeps", "hands on"] } }),
  ];
  const source = { number: 1, sourceId: "topic-pipes", href: "/courses/shell-novice/pipes", title: "Pipes", trail: ["Shell"] };
  return {
    type: "storyboard",
    storyboardId: `storyboard-${tag}`,
    title: `Pipes ${tag}`,
    emphasis: "intuition",
    language: "en",
    seconds: filmSeconds(scenes),
    scenes,
    sources: [{ ...source, revisionId: "revision-0001", quote: "a pipe hands it on" }],
  };
}

export const metrics: FilmMetrics = {
  frames: 1500,
  framesDrawn: 80,
  milliseconds: 50_000,
  overflowArea: 0,
  overlapArea: 0,
  leastContrast: 7,
  leastTextSize: 28,
  wordsPerSecond: 2.4,
  captionCharactersPerSecond: 14,
  segmentsReused: 0,
  renderMilliseconds: 4_000,
};

const sha = (letter: string): string => letter.repeat(64);
export const artifacts: Film["artifacts"] = [
  { kind: "video", sha256: sha("a"), bytes: 1_000 },
  { kind: "captions", sha256: sha("b"), bytes: 100 },
  { kind: "poster", sha256: sha("c"), bytes: 200 },
];

/** No tutoring session is open. */
export const noTutoring: FilmEvidenceKeeping = {
  place: async () => ({ unrecorded: "no_session" }),
  record: async () => ({ evidence: null, unrecorded: "no_session" }),
};

export const draftOf = (tag = "0001"): Omit<Extract<OwnerCommand, { type: "draft" }>, "digest" | "at" | "type" | "jobId"> => ({
  courseId: "shell-novice",
  topicId: "topic-pipes",
  topicTitle: "Pipes",
  courseRevisionId: "revision-0001",
  emphasis: "intuition",
  storyboard: storyboardOf(tag),
  questionKey,
  by,
  review: passed,
  reviewedBy: by,
});

/** A time, in seconds after a fixed start. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();

export const evolved = (events: readonly ExplainerEvent[], before: ExplainerState = initialState, requestId?: string): ExplainerState =>
  events.reduce<ExplainerState>(
    (state, event) => evolve(state, { ...event, metadata: { revision: state.version + 1, accountId: account, requestId } }),
    before,
  );

export const approval = {
  renderId: "render-00001",
  settings: defaultSettings,
  rendererVersion,
  contentHash: sha("d"),
  boardHash: sha("b"),
};
