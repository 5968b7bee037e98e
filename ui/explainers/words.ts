import type { UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { JobEvent, JobState } from "@colloquy/schemas/explainers/job.ts";
import type { FailureCode, RenderStage } from "@colloquy/schemas/explainers/render.ts";
import type { StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { formatNumber, list, marked, msg, plural } from "../messages/page.ts";

/** What a film can be made for: a name, and a line on what it does. */
export const emphasisNames = {
  intuition: marked("Intuition"),
  "worked-example": marked("Worked example"),
  "common-mistakes": marked("Common mistakes"),
  "exam-recap": marked("Exam recap"),
} as const satisfies Record<Emphasis, string>;
export const emphasisLines = {
  intuition: marked("Shows why the idea is as it is, with a picture before any formula."),
  "worked-example": marked("Takes one example of the page from its beginning to its end."),
  "common-mistakes": marked("Shows what often goes wrong here, and how to notice it."),
  "exam-recap": marked("Gathers what one has to know by heart, in the order one needs it."),
} as const satisfies Record<Emphasis, string>;

/** Why the answer to a closing question is no evidence anywhere. */
export const unrecordedWords = {
  no_session: marked("It counts nowhere: no tutoring session of this course is open."),
  no_objective: marked("It counts nowhere: no open tutoring session teaches what this question is about."),
  mastered: marked(
    "It counts nowhere: you have mastered this in your tutoring session already, and an answer with the film's help adds nothing.",
  ),
  paused: marked("It counts nowhere: your tutoring session is paused."),
  full: marked("It counts nowhere: your tutoring session has as many turns as one may have."),
  other_revision: marked("It counts nowhere: the course was published anew since this film was made or your tutoring session began."),
} as const satisfies Record<UnrecordedReason, string>;

export const phaseNames = {
  retrieving: marked("Reading the page and what belongs to it"),
  drafting: marked("Writing the scenes"),
  validating: marked("Holding every quote against its source, and measuring every picture"),
  reviewing: marked("Having a second look check it against the course"),
} as const satisfies Record<StoryboardPhase, string>;
export const phasesDone = {
  retrieving: marked("Read the page|done"),
  drafting: marked("Wrote the scenes"),
  validating: marked("Checked quotes and pictures"),
  reviewing: marked("Reviewed against the course"),
} as const satisfies Record<StoryboardPhase, string>;

export const layoutNames = {
  title: marked("Title"),
  points: marked("Points"),
  formula: marked("Formula"),
  diagram: marked("Diagram"),
  code: marked("Code"),
  compare: marked("Comparison"),
  plot: marked("Graph of a function"),
  recap: marked("Recap"),
  question: marked("Closing question"),
} as const satisfies Record<SceneLayout, string>;

export const problemNames = {
  unsupported: marked("Not in the source"),
  misquoted: marked("Quoted wrongly"),
  order: marked("Out of order"),
  level: marked("Too hard or too easy"),
  prerequisite: marked("Something must come first"),
  layout: marked("Does not fit the picture"),
  unclear: marked("Hard to understand"),
  too_long: marked("Too long"),
  too_short: marked("Too short"),
  redundant: marked("Said and shown in the same words"),
  off_topic: marked("Beside the point"),
} as const satisfies Record<Finding["problem"], string>;

export const finderNames = {
  application: marked("found by Colloquy's own checks"),
  model: marked("found by the second look"),
} as const satisfies Record<Finding["by"], string>;

export const stageNames = {
  queued: marked("Waiting for its turn"),
  starting: marked("Getting ready"),
  drawing: marked("Drawing the pictures"),
  encoding: marked("Making the film of them"),
  uploading: marked("Storing it"),
} as const satisfies Record<RenderStage, string>;

export const stateNames = {
  drafted: marked("Storyboard"),
  queued: marked("Waiting"),
  rendering: marked("Being made"),
  completed: marked("Ready|film"),
  failed: marked("Not made"),
  cancelled: marked("Cancelled"),
} as const satisfies Record<JobState, string>;

export const failureLines = {
  layout_refused: marked(
    "A scene did not fit its picture when it was drawn with the real letters. Shorten the scene that holds most, and check it again.",
  ),
  speech_unavailable: marked("The voice could not be made. Try again, or make the film silent: its captions say the same."),
  out_of_memory: marked("The pictures were too much for the renderer. Try again, or choose the smaller size."),
  too_slow: marked("It took longer than a film may take. Try again, or choose the smaller size."),
  no_space: marked("There was no room to store the film. Try again later."),
  worker_lost: marked("What made the film stopped answering. Try again."),
  renderer_failed: marked("The renderer could not make it. Try again."),
} as const satisfies Record<FailureCode, string>;

/** "0:42". */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "4.5 s". */
export const secondsWords = (seconds: number): string =>
  msg("{seconds} s", { seconds: formatNumber(seconds, { maximumFractionDigits: 1 }) });

/** What is left of a wait, roughly: it is an estimate. */
export function leftWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds <= 5) return msg("a few seconds left");
  return seconds < 90
    ? plural(Math.ceil(seconds / 5) * 5, "about {n} second left", "about {n} seconds left")
    : plural(Math.round(seconds / 60), "about {n} minute left", "about {n} minutes left");
}

/** Instead of what is left, where nothing was heard for a while. */
export const longerWords = (): string =>
  msg("This takes longer than it should. It is watched over: if what makes it has stopped, it goes on by itself.");

/** "wide, light, 720p, silent". */
export const settingsWords = ({ aspect, theme, height, voice }: RenderSettings): string =>
  list(
    [
      aspect === "16:9" ? msg("wide") : msg("tall"),
      theme === "light" ? msg("light") : msg("dark"),
      `${height}p`,
      voice === "none" ? msg("silent with captions") : msg("spoken"),
    ],
    "unit",
  );

/** What is announced of a film that moved on. */
export function turnWords({ state }: JobEvent): string {
  if (state === "completed") return msg("The film is ready");
  if (state === "failed") return msg("The film could not be made");
  if (state === "cancelled") return msg("The film was cancelled");
  return state === "rendering" ? msg("The film is being made") : msg("The film waits for its turn");
}
