import type { Standing } from "@colloquy/schemas/tutor/mastery-standing.ts";
import type { Decision, ObjectiveMastery, Step, TutorMessage, TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { formatDate, formatNumber, msg } from "../messages/page.ts";
import { decisionText } from "./decisions.ts";
import { hintText, replyText } from "./localized-text.ts";

/** That the session went on elsewhere, and what of this window was not sent. */
export const movedText = (unsent: string | null): string =>
  [
    msg("tutor.sessionContinuedAnotherWindowCurrentState"),
    ...(unsent ? [msg("tutor.typedNotSent", { text: `\u2068${unsent}\u2069` })] : []),
  ].join(" ");

type AnswerMessage = Extract<TutorMessage, { kind: "answer" }>;

/** What an answer came to, with its icon and the class of its colour. */
export function verdictOf({ correct, compared, disputed }: Pick<AnswerMessage, "correct" | "compared" | "disputed">) {
  if (disputed) return { name: "bad", icon: nothing, words: msg("tutor.notCounted") };
  if (compared) return { name: "compared", icon: icons.page, words: msg("tutor.compareWithCourse") };
  return correct
    ? { name: "good", icon: icons.check, words: msg("common.right") }
    : { name: "bad", icon: icons.close, words: msg("common.notRight") };
}

/** The announcement of what a turn changed. Pure. */
export function newsText(before: TutorSession | null, after: TutorSession): string {
  const fresh = after.messages.slice(before?.messages.length ?? 0);
  const words: string[] = [];
  for (const message of fresh) {
    if (message.kind === "answer")
      words.push(message.compared ? msg("tutor.compareWithCourse") : message.correct ? msg("tutor.right") : msg("tutor.notRight"));
    if (message.kind === "hint") words.push(msg("tutor.hint", { text: hintText(message.text).text.replace(/\[(.*?)\]\([^)]*\)/g, "$1") }));
    if (message.kind === "asked" && message.reply !== null)
      words.push(msg("tutor.tutorReplied", { text: plain(replyText(message.reply)) }));
    if (message.kind === "explanation") words.push(msg("tutor.explainedNotCounted"));
    if (message.kind === "self_report") words.push(msg("tutor.notedCountsNothingUntil"));
    if (message.kind === "teaching")
      words.push(message.nothingElse ? msg("tutor.nothingElseToTeach") : msg("tutor.taught2", { title: message.title }));
    if (message.kind === "decision" && announcedDecisions.has(message.decision)) words.push(decisionText(message, after));
  }
  if (after.phase === "completed") words.push(msg("tutor.theSessionIsComplete"));
  else if (after.current && after.current.itemId !== before?.current?.itemId) words.push(msg("tutor.aNewQuestionWaits"));
  return words.join(" ");
}
/** A reply as it is read out: without marks of Markdown and citations. */
const plain = (markdown: string): string => markdown.replace(/\[\^\d+\]|[*_`#]/g, "").trim();
const announcedDecisions = new Set<Decision>(["advance", "replan", "wait", "pause", "dispute", "replace", "return"]);

/** The line below a step: its progress. */
export function stepWords(step: Step, session: TutorSession): string {
  if (step.state === "mastered") return evidenceCount(step, session);
  if (step.state === "skipped") return session.practice ? msg("tutor.practised") : msg("tutor.leftLaterNotMastered");
  if (step.state === "current") {
    if (session.paused) return msg("tutor.pausedHere");
    const { current } = session;
    return current?.kind === "check" ? msg("tutor.question", { number: current.attempt }) : msg("tutor.beingTaught");
  }
  const [first] = step.prerequisites.flatMap((id) => session.path.find(({ stepId }) => stepId === id) ?? []);
  return first ? msg("tutor.after", { title: first.title }) : "";
}

function evidenceCount({ objectiveIds }: Step, { mastery }: TutorSession): string {
  const counts = mastery.filter(({ objectiveId }) => objectiveIds.includes(objectiveId)).flatMap(({ evidence }) => evidence);
  const unaided = counts.filter(({ correct, aided, disputed }) => correct && !aided && !disputed);
  const isConfirmed = mastery.every(({ objectiveId, standing }) => !objectiveIds.includes(objectiveId) || standing === "confirmed");
  const values = { right: unaided.length, all: counts.length };
  return isConfirmed ? msg("tutor.masteredRightWithoutHelp", values) : msg("tutor.provisionalRightWithoutHelp", values);
}

/** The line below an objective's bar: the answers behind its mastery. */
export function masteryWords({ standing, dueAt, evidence, tooFewQuestions }: ObjectiveMastery): string {
  if (standing === "confirmed") return msg("tutor.masteryConfirmed");
  if (standing === "provisional") {
    const now = msg("tutor.masteredForNow");
    return dueAt === undefined ? now : `${now} · ${msg("tutor.confirmFrom", { time: dueTime(dueAt) })}`;
  }
  const counting = evidence.filter(({ disputed, compared }) => !disputed && !compared);
  if (!counting.length && evidence.some(({ compared }) => compared)) return msg("audit.compared");
  if (!counting.length) return msg(tooFewQuestions ? "tutor.tooFewQuestions" : "tutor.nothingAnsweredYet");
  const right = counting.filter(({ correct }) => correct).length;
  // Of practice nothing counts, which its session says.
  if (counting.every(({ counts }) => !counts)) return msg("tutor.ofRight", { right, all: counting.length });
  const uncounted = counting.filter(({ correct, aided, counts }) => correct && (aided || !counts)).length;
  if (counting.every(({ kind }) => kind === "probe")) return msg("tutor.fromFirstQuestionsOnly", { n: counting.length });
  return uncounted
    ? msg("tutor.ofRightSomeNotCounted", { right, all: counting.length, uncounted })
    : msg("tutor.ofRight", { right, all: counting.length });
}

const dueTime = (at: string): string => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });

export const percent = (probability: number): string => formatNumber(probability, { style: "percent" });

/** The session's phase, for the header. */
export function phaseWords({ phase, paused, path }: TutorSession): string {
  if (paused) return msg("tutor.paused");
  if (phase === "completed") return msg("tutor.complete");
  if (phase === "probing") return msg("tutor.firstQuestions");
  if (phase === "planning") return msg("tutor.planning");
  const at = path.findIndex(({ state }) => state === "current");
  return at === -1 ? msg("audit.teaching") : msg("tutor.stepOf", { at: at + 1, all: path.length });
}

/** A session in a list: its goal and progress. */
export function sessionWords({
  goal,
  courseTitle,
  phase,
  paused,
  mastered,
  confirmed,
  objectives,
  startedAt,
}: TutorSessionSummary): string {
  const state =
    phase === "completed"
      ? msg("tutor.completeSession")
      : paused
        ? msg("tutor.pausedSession")
        : msg("tutor.masteredAndConfirmed", { mastered: msg("tutor.ofMastered", { mastered, all: objectives }), confirmed });
  // A session carried over from another has the same goal, so the date tells them apart.
  return `${goal || courseTitle} · ${state} · ${formatDate(new Date(startedAt), { dateStyle: "medium", timeStyle: "short" })}`;
}

const standingNames = {
  none: "ledger.notMasteredYet",
  provisional: "common.masteredForNow",
  confirmed: "common.masteryConfirmed",
} as const;
/** Whether mastery is provisional or confirmed, in words. */
export const standingWords = (standing: Standing): string => msg(standingNames[standing]);
