import type { Decision, Reason } from "./session.ts";

/** Hints that the application makes itself, around words of the course: an interface says them in its reader's language (`framedHint`). */
export const whereHint = (place: string): string => `It stands in ${place}. Read it again, then decide.`;
export const ruledOutHint = (choice: string): string => `You can rule this out: ${choice}`;

/** The reply to a learner who asks back where the course holds nothing: an interface says it in its reader's language. */
export const courseSaysNoMore = "The course says nothing more about this.";

/** The reply to a learner who asks nothing, as with thanks. */
export const nothingAsked = "Good. Ask whenever something is unclear.";

/** What the application framed in a hint; null for a hint in a model's own words. */
export function framedHint(text: string): { kind: "where"; place: string } | { kind: "ruled-out"; choice: string } | null {
  const [, place] = /^It stands in (\[.*\]\([^()\s]*\))\. Read it again, then decide\.$/.exec(text) ?? [];
  if (place !== undefined) return { kind: "where", place };
  const [, choice] = /^You can rule this out: (.*)$/s.exec(text) ?? [];
  return choice === undefined ? null : { kind: "ruled-out", choice };
}

/** The objective of a topic that names none, and the topic in it; null for an objective in the course's words. */
export const derivedObjectiveTitle = (topic: string): string => `Say what “${topic}” teaches, and use it.`;
export const derivedTopic = (title: string): string | null => /^Say what “(.*)” teaches, and use it\.$/s.exec(title)?.[1] ?? null;

/** Why the session goes on as it does, in a sentence for the learner. */
export function decisionWords(decision: Decision, reason: Reason, step: string): string {
  // Some sentences begin with it.
  const named = step ? `“${step}”` : "This step";
  const within = step ? named : "this step";
  switch (decision) {
    case "teach":
      return reason === "another_angle" ? `${named} is explained in another way.` : `${named} is next: its prerequisites come before it.`;
    case "advance":
      if (reason === "mastered") return `Your answers show that you can do ${within}.`;
      if (reason === "practice_only")
        return `You have practised ${within}. Practice does not count towards mastery: that takes questions by the course's authors, or a model that can check questions.`;
      return reason === "no_new_question"
        ? `${named} is left for later: the tutor found no other question now that could count. It stays not mastered.`
        : `${named} is left for later: after several questions your answers do not show yet that you can do it. It stays marked as not mastered.`;
    case "reinforce":
      if (reason === "wrong_answer") return `Your answer to ${within} was not right yet, so it comes again.`;
      if (reason === "unchecked") return "The question could not be checked in time, so your answer did not count. Another one follows.";
      if (reason === "aided_answer") return "A right answer with help does not count towards mastery, so another question follows.";
      if (reason === "other_kind") return "Correct. Mastery also needs a right answer to a question of another kind.";
      if (reason === "other_objective") return "Correct. Another objective of this step comes next.";
      if (reason === "practice_next") return "Another objective of this step comes next.";
      return "Correct. One more question makes it more certain.";
    case "replan":
      return reason === "prerequisite_failed"
        ? `${named} depends on something you have not mastered yet, so the path is planned again.`
        : `${named} made too little progress this way, so the path is planned again.`;
    case "wait":
      return "No plan could be verified against the course. Choose Continue to try again.";
    case "pause":
      return "You paused. Everything is saved.";
    case "resume":
      return "You continued.";
    case "replace":
      return "You asked for another question. Nothing was counted.";
    case "dispute":
      return "You disputed a model's grade. It no longer counts; the next question has choices.";
    case "return":
      return "Your answer repeats a text that you were shown. Answer in your own words, with an example of your own.";
    case "complete":
      return reason === "mastered" ? "You have mastered everything on this path." : "The path is finished.";
  }
}
