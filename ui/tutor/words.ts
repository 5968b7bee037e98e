import type { Decision, ObjectiveMastery, Step, TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { formatDate, msg, plural } from "../messages/page.ts";
import { decisionSaid } from "./decisions.ts";
import { hintText } from "./framed.ts";

export const movedWords = (): string => msg("The session went on elsewhere. This is where it stands now.");

/** What is new after a turn, said once. Pure. */
export function newsWords(before: TutorSession | null, after: TutorSession): string {
  const fresh = after.messages.slice(before?.messages.length ?? 0);
  const words: string[] = [];
  for (const message of fresh) {
    if (message.kind === "answer") words.push(message.correct ? msg("Right.") : msg("Not right."));
    if (message.kind === "hint")
      words.push(msg("Hint: {text}", { text: hintText(message.text).text.replace(/\[(.*?)\]\([^)]*\)/g, "$1") }));
    if (message.kind === "explanation") words.push(msg("Explained. An answer to this question now counts less."));
    if (message.kind === "self_report") words.push(msg("Noted. It counts nothing until an answer shows it."));
    if (message.kind === "teaching") words.push(msg("Taught: {title}.", { title: message.title }));
    if (message.kind === "decision" && spoken.has(message.decision)) words.push(decisionSaid(message, after));
  }
  if (after.phase === "completed") words.push(msg("The session is complete."));
  else if (after.current && after.current.itemId !== before?.current?.itemId) words.push(msg("A new question waits."));
  return words.join(" ");
}
const spoken = new Set<Decision>(["advance", "replan", "wait", "pause", "dispute", "replace"]);

/** Below a step: how far it is, in words. */
export function stepWords(step: Step, session: TutorSession): string {
  if (step.state === "mastered") return evidenceCount(step, session);
  if (step.state === "skipped") return msg("left for later, not mastered");
  if (step.state === "current") {
    if (session.paused) return msg("paused here");
    const { current } = session;
    return current?.kind === "check" ? msg("question {number}", { number: current.attempt }) : msg("being taught");
  }
  const [first] = step.prerequisites.flatMap((id) => session.path.find(({ stepId }) => stepId === id) ?? []);
  return first ? msg("after “{title}”", { title: first.title }) : "";
}

function evidenceCount({ objectiveIds }: Step, { mastery }: TutorSession): string {
  const counts = mastery.filter(({ objectiveId }) => objectiveIds.includes(objectiveId)).flatMap(({ evidence }) => evidence);
  const unaided = counts.filter(({ correct, aided, disputed }) => correct && !aided && !disputed);
  return msg("mastered · {right} of {all} right without help", { right: unaided.length, all: counts.length });
}

/** Below the bar of an objective: what its mastery stands on. */
export function masteryWords({ mastered, masteredAt, evidence }: ObjectiveMastery): string {
  if (mastered) return masteredAt === undefined ? msg("Mastered") : msg("Mastered at event {event}", { event: String(masteredAt) });
  const counting = evidence.filter(({ disputed }) => !disputed);
  if (!counting.length) return msg("Nothing answered yet");
  const right = counting.filter(({ correct }) => correct).length;
  const aided = counting.filter((one) => one.aided).length;
  if (counting.every(({ kind }) => kind === "probe"))
    return plural(counting.length, "From {n} first question only", "From {n} first questions only");
  return aided
    ? msg("{right} of {all} right, {aided} counting less", { right, all: counting.length, aided })
    : msg("{right} of {all} right", { right, all: counting.length });
}

export const percent = (probability: number): string => msg("{percent} %", { percent: Math.round(probability * 100) });

/** What the tutor is at, for the head of the page. */
export function phaseWords({ phase, paused, path }: TutorSession): string {
  if (paused) return msg("Paused");
  if (phase === "completed") return msg("Complete");
  if (phase === "probing") return msg("First questions");
  if (phase === "planning") return msg("Planning");
  const at = path.findIndex(({ state }) => state === "current");
  return at === -1 ? msg("Teaching") : msg("Step {at} of {all}", { at: at + 1, all: path.length });
}

/** A session in a list: what it was for, and how far it came. */
export function sessionWords({ goal, courseTitle, phase, paused, mastered, objectives, startedAt }: TutorSessionSummary): string {
  const state =
    phase === "completed"
      ? msg("complete|session")
      : paused
        ? msg("paused|session")
        : msg("{mastered} of {all} mastered", { mastered, all: objectives });
  // One that goes on from another has the same goal.
  return `${goal || courseTitle} · ${state} · ${formatDate(new Date(startedAt), { dateStyle: "medium", timeStyle: "short" })}`;
}
