import type { UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { JobEvent, JobState } from "@colloquy/schemas/explainers/job.ts";
import type { FailureCode, RenderStage } from "@colloquy/schemas/explainers/render.ts";
import type { StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { formatNumber, list, msg } from "../messages/page.ts";
import type { Severity } from "./severity.ts";

/** The names of the emphases, then a description of each. */
export const emphasisNames = {
  intuition: "explainer.intuition",
  "worked-example": "explainer.workedExample",
  "common-mistakes": "explainer.commonMistakes",
  "exam-recap": "explainer.examRecap",
} as const satisfies Record<Emphasis, string>;
/** What a version of a video is called by the setting that tells it apart. */
export const variantNames = {
  "16:9": "explainer.watchWide",
  "9:16": "explainer.watchTall",
  light: "explainer.watchLight",
  dark: "explainer.watchDark",
} as const satisfies Record<RenderSettings["aspect"] | RenderSettings["theme"], string>;
export const emphasisLines = {
  intuition: "explainer.showsWhyIdeaPicture",
  "worked-example": "explainer.takesOneExamplePage",
  "common-mistakes": "explainer.showsCommonMistakeHowNotice",
  "exam-recap": "explainer.gathersOneKnowHeart",
} as const satisfies Record<Emphasis, string>;

/** Why the answer to a closing question does not count as evidence. */
export const unrecordedWords = {
  no_session: "explainer.countsNowhereTutoringSession",
  no_objective: "explainer.countsNowhereOpenTutoring",
  mastered: "explainer.doesNotCountAlreadyMasteredAnswer",
  paused: "explainer.countsNowhereTutoringSessionPaused",
  full: "explainer.doesNotCountTutoringSessionReached",
  other_revision: "explainer.doesNotCountCourseUpdatedAfter",
} as const satisfies Record<UnrecordedReason, string>;

export const phaseNames = {
  retrieving: "explainer.readingPageBelongs",
  drafting: "explainer.writingTheScenes",
  validating: "explainer.holdingEveryQuoteAgainst",
  reviewing: "explainer.checkingAgainstCourseSecondReview",
} as const satisfies Record<StoryboardPhase, string>;
export const phasesDone = {
  retrieving: "explainer.readThePageDone",
  drafting: "explainer.wroteTheScenes",
  validating: "explainer.checkedQuotesAndPictures",
  reviewing: "explainer.reviewedAgainstTheCourse",
} as const satisfies Record<StoryboardPhase, string>;

export const layoutNames = {
  title: "editor.title",
  points: "explainer.points",
  formula: "editor.formula",
  diagram: "editor.diagram",
  build: "explainer.build",
  code: "editor.code",
  compare: "explainer.comparison",
  plot: "explainer.graphOfAFunction",
  plane: "explainer.plane",
  "number-line": "explainer.numberLine",
  derive: "explainer.derivation",
  timeline: "explainer.timeline",
  forgetting: "explainer.forgetting",
  trace: "explainer.trace",
  table: "editor.table",
  figure: "editor.picture",
  recap: "explainer.recap",
  question: "explainer.closingQuestion",
} as const satisfies Record<SceneLayout, string>;

export const problemNames = {
  unsupported: "explainer.notInTheSource",
  picture: "explainer.pictureShowsSomethingElse",
  misquoted: "explainer.misquoted",
  order: "explainer.wrongOrder",
  level: "explainer.wrongDifficulty",
  prerequisite: "explainer.prerequisiteMissing",
  layout: "explainer.doesNotFitPicture",
  unclear: "explainer.hardToUnderstand",
  too_long: "explainer.tooLong2",
  too_short: "explainer.tooShort",
  redundant: "explainer.narrationRepeatsScreen",
  off_topic: "explainer.offTopic",
} as const satisfies Record<Finding["problem"], string>;

export const severityNames = {
  error: "explainer.error",
  warning: "rendering.warning",
  remark: "explainer.remark",
} as const satisfies Record<Severity, string>;

export const severityCounts = {
  error: "explainer.errors",
  warning: "explainer.warnings",
  remark: "explainer.remarks",
} as const satisfies Record<Severity, string>;

export const finderNames = {
  application: "explainer.foundColloquysOwnChecks",
  model: "explainer.foundReview",
} as const satisfies Record<Finding["by"], string>;

export const stageNames = {
  queued: "explainer.queue",
  starting: "explainer.gettingReady",
  drawing: "explainer.drawingThePictures",
  encoding: "explainer.joiningThemIntoVideo",
  uploading: "explainer.storingIt",
} as const satisfies Record<RenderStage, string>;

export const stateNames = {
  drafted: "explainer.storyboard",
  queued: "explainer.waiting",
  rendering: "explainer.rendering",
  completed: "explainer.readyFilm",
  failed: "explainer.failed",
  cancelled: "explainer.cancelled",
} as const satisfies Record<JobState, string>;

export const failureLines = {
  layout_refused: "explainer.sceneDidNotFitWhenDrawn",
  speech_unavailable: "explainer.narrationCouldNotMadeTryAgain",
  encoder_missing: "explainer.encoderMissing",
  out_of_memory: "explainer.rendererRanOutResourcesTryAgain",
  too_slow: "explainer.renderingTookTooLongTryAgain",
  no_space: "explainer.noRoomStoreVideoTryAgain",
  worker_lost: "explainer.rendererStoppedRespondingTryAgain",
  renderer_failed: "explainer.rendererCouldNotMakeTryAgain",
} as const satisfies Record<FailureCode, string>;

/** "0:42". */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "4.5 s". */
export const secondsWords = (seconds: number): string =>
  msg("conversation.s", { seconds: formatNumber(seconds, { maximumFractionDigits: 1 }) });

/** The remaining time, rounded because it is an estimate. */
export function leftWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds <= 5) return msg("explainer.aFewSecondsLeft");
  return seconds < 90
    ? msg("explainer.aboutSecondsLeft", { n: Math.ceil(seconds / 5) * 5 })
    : msg("explainer.aboutMinutesLeft", { n: Math.round(seconds / 60) });
}

/** Replaces the remaining time when the render is overdue. */
export const overdueText = (): string => msg("explainer.takesLongerThanShould");

/** "wide, light, 720p, silent". */
export const settingsWords = ({ aspect, theme, height, voice }: RenderSettings): string =>
  list(
    [
      aspect === "16:9" ? msg("explainer.wide2") : msg("explainer.tall2"),
      theme === "light" ? msg("explainer.light2") : msg("explainer.dark2"),
      `${height}p`,
      voice === "none" ? msg("explainer.silentWithCaptions") : msg("explainer.spoken2"),
    ],
    "unit",
  );

/** The announcement of a job's new state. */
export function stateChangeText({ state }: JobEvent): string {
  if (state === "completed") return msg("explainer.theFilmIsReady");
  if (state === "failed") return msg("explainer.videoCouldNotMade");
  if (state === "cancelled") return msg("explainer.theFilmWasCancelled");
  return state === "rendering" ? msg("explainer.filmBeingMade") : msg("explainer.videoQueue");
}
