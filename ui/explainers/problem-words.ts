import { en } from "@colloquy/messages/en.ts";
import { type ClientProblem, problemTitle } from "../api/problems.ts";
import { formatDate, fromEnglish, msg } from "../messages/page.ts";

/** `retry`: the same request may be sent again. */
interface ProblemWords {
  title: string;
  advice: string;
  retry: boolean;
}

/** The text for a problem. */
export function wordsOf(problem: ClientProblem): ProblemWords {
  const { code, detail, retryAfterSeconds } = problem;
  if (code === "storyboard_rejected")
    return {
      title: msg("explainer.noStoryboardPassedReview"),
      advice: msg("explainer.mendedOnceLookedAgain"),
      retry: true,
    };
  // The limit of a model has its own words.
  if (code === "quota_exhausted" && detail !== en["explainer.modelLimitUsedUp"]) {
    const again = retryAfterSeconds
      ? formatDate(new Date(Date.now() + retryAfterSeconds * 1_000), { weekday: "long", hour: "numeric", minute: "2-digit" })
      : null;
    return {
      title: msg("explainer.reachedTodaysLimitVideos"),
      advice: again ? msg("explainer.canDrawUpNextOne", { when: again }) : msg("explainer.canDrawUpNext"),
      retry: false,
    };
  }
  return { title: problemTitle(problem), advice: detail ? fromEnglish(detail) : "", retry: problem.retryable || code === "unavailable" };
}

/** The text when edits were rejected; the edits and the old storyboard are kept. */
export function wordsOfEdit(problem: ClientProblem): ProblemWords {
  if (problem.code === "storyboard_rejected")
    return {
      title: msg("explainer.changesDidNotPassReview"),
      advice: msg("explainer.changesKeptBelowStoryboardKeepsLast"),
      retry: false,
    };
  if (problem.code === "stale_session")
    return {
      title: msg("explainer.videoChangedAnotherWindow"),
      advice: msg("explainer.seeNewestVersionChangesKeptBelow"),
      retry: false,
    };
  const { detail, retryable } = problem;
  return {
    title: problemTitle(problem),
    advice: `${msg("explainer.changesNotCheckedYetTheyKept")} ${detail ? fromEnglish(detail) : ""}`.trim(),
    retry: retryable || problem.code === "unavailable",
  };
}

/** The text for a course that no longer offers videos. */
export const noVideosText = () => ({
  title: msg("explainer.courseNoVideos"),
  advice: msg("explainer.noNewOnesMadeStillWatch"),
});

/** The text for a refused render request; its quota counts waiting videos, not storyboards. */
export function wordsOfRefusal(problem: ClientProblem): ProblemWords {
  if (problem.code === "unknown_reference")
    return {
      title: msg("explainer.videoChangedAnotherWindow"),
      advice: msg("explainer.seeNewestVersionIfMistakeStill"),
      retry: false,
    };
  if (problem.code === "not_allowed") return { ...noVideosText(), retry: false };
  if (problem.code !== "quota_exhausted") return wordsOf(problem);
  return {
    title: msg("explainer.tooManyFilmsWait"),
    advice: msg("explainer.oneMadeOnceAnother"),
    retry: false,
  };
}
