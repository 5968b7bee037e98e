import { type ClientProblem, titleOf } from "../api/problems.ts";
import { formatDate, msg, said } from "../messages/page.ts";

/** `retry`: the same may be sent again. */
interface ProblemWords {
  title: string;
  advice: string;
  retry: boolean;
}

/** What a person reads of a problem. */
export function wordsOf(problem: ClientProblem): ProblemWords {
  const { code, detail, retryAfterSeconds } = problem;
  if (code === "storyboard_rejected")
    return {
      title: msg("No storyboard passed the review"),
      advice: msg(
        "It was mended once and looked at again. What the review found stands below; another kind of film may fit this page better.",
      ),
      retry: true,
    };
  if (code === "quota_exhausted") {
    const again = retryAfterSeconds
      ? formatDate(new Date(Date.now() + retryAfterSeconds * 1_000), { weekday: "long", hour: "numeric", minute: "2-digit" })
      : null;
    return {
      title: msg("You have drawn up as many films as you may today"),
      advice: again
        ? msg("You can draw up the next one from {when} on. Those you have can be watched and changed.", { when: again })
        : msg("You can draw up the next one tomorrow. Those you have can be watched and changed."),
      retry: false,
    };
  }
  return { title: titleOf(problem), advice: detail ? said(detail) : "", retry: problem.retryable || code === "unavailable" };
}

/** What a person reads whose changed scenes were not taken: they are all still there, and so is the storyboard as it was. */
export function wordsOfEdit(problem: ClientProblem): ProblemWords {
  if (problem.code === "storyboard_rejected")
    return {
      title: msg("Your changes did not pass the review"),
      advice: msg(
        "Nothing is lost: they are kept below, and the storyboard stands as it was checked last. What was found stands at its scene too. Change that and check again, or leave all changes.",
      ),
      retry: false,
    };
  if (problem.code === "stale_session")
    return {
      title: msg("The film moved on elsewhere meanwhile"),
      advice: msg(
        "You see it now as it stands. What you changed is kept below as long as the storyboard is the same; look it over and check again.",
      ),
      retry: false,
    };
  const { detail, retryable } = problem;
  return {
    title: titleOf(problem),
    advice: `${msg("Your changes were not checked yet. They are kept below.")} ${detail ? said(detail) : ""}`.trim(),
    retry: retryable || problem.code === "unavailable",
  };
}

/** What a person reads of a course that films were made of, and are not any more. */
export const noneMade = () => ({
  title: msg("No films of this course"),
  advice: msg("None are made of it any more. Those that are there can be watched."),
});

/** What a person reads whose wish about a film that is drawn up was refused: the quota there is of films that wait, not of storyboards. */
export function wordsOfWish(problem: ClientProblem): ProblemWords {
  if (problem.code === "unknown_reference")
    return {
      title: msg("The film moved on elsewhere meanwhile"),
      advice: msg("You see it now as it stands. Look whether the mistake is still there, and report it again."),
      retry: false,
    };
  if (problem.code === "not_allowed") return { ...noneMade(), retry: false };
  if (problem.code !== "quota_exhausted") return wordsOf(problem);
  return {
    title: msg("Too many of your films wait to be made"),
    advice: msg("Have this one made once another is ready, or cancel one."),
    retry: false,
  };
}
