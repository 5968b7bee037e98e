import type { Decision, Reason } from "./session.ts";

/** Why the session goes on as it does, in a sentence for the learner. */
export function decisionWords(decision: Decision, reason: Reason, step: string): string {
  const named = step ? `“${step}”` : "this step";
  switch (decision) {
    case "teach":
      return reason === "another_angle" ? `${named} is taught from another side.` : `${named} comes next: what it needs comes before it.`;
    case "advance":
      return reason === "mastered"
        ? `Your answers show that you can do ${named}.`
        : `${named} is left for later: several explanations and questions have not helped yet. It stays marked as not mastered.`;
    case "reinforce":
      if (reason === "wrong_answer") return `Your answer to ${named} was not right yet, so it is looked at from another side.`;
      if (reason === "aided_answer") return "An answer given with help counts for less, so another question follows.";
      return "That was right. One more question makes sure that it was not luck.";
    case "replan":
      return reason === "prerequisite_failed"
        ? `${named} leans on something you have not mastered yet, so the path is planned anew.`
        : `${named} did not get further this way, so the path is planned anew.`;
    case "wait":
      return "No plan could be verified against the course. Go on to try once more.";
    case "pause":
      return "You paused. Everything is kept.";
    case "resume":
      return "You went on.";
    case "replace":
      return "You asked for another question. Nothing was counted.";
    case "dispute":
      return "You disputed a grade given by a model. It does not count any more; the next question is one with choices.";
    case "complete":
      return reason === "mastered" ? "You have mastered everything on this path." : "The path is at its end.";
  }
}
