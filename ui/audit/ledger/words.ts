import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { decisionWords } from "@colloquy/schemas/tutor/words.ts";
import { formatDate, list, msg } from "../../messages/page.ts";
import { decisionText } from "../../tutor/decisions.ts";
import { percent } from "../../tutor/words.ts";
import type { FaultCode } from "./check.ts";

type Question = Extract<TutorMessage, { kind: "question" }>;

/** A short label of an event. */
export function kindWords(entry: EvidenceEntry): string {
  switch (entry.kind) {
    case "opened":
      return msg("ledger.start");
    case "probe":
      return msg("ledger.firstQuestion");
    case "check":
      return entry.film ? msg("ledger.closingQuestionFilm") : msg("common.check");
    case "hint":
      return msg("common.hint");
    case "explanation":
      return msg("audit.explanation");
    case "asked":
      return msg("audit.askedBack");
    case "self_report":
      return msg("ledger.whatYouSaid");
    case "plan":
      return msg("audit.plan");
    case "adapt":
      return msg("audit.decision");
  }
}

/** A sentence about an event, for the learner. */
export function sentenceOf(entry: EvidenceEntry, session: TutorSession): string {
  const about = list(entry.objectiveIds.flatMap((id) => titleIn(session, id) ?? []).map(quoted));
  switch (entry.kind) {
    case "opened":
      return msg("ledger.sessionStartedObjectives", { n: entry.opening?.objectives.length ?? 0 });
    case "probe":
    case "check":
      return [
        entry.carriedFrom
          ? msg("ledger.takenOverEarlierSession")
          : entry.correct
            ? msg("ledger.answeredQuestionAboutRight", { about })
            : msg("ledger.answeredQuestionAboutRight2", { about }),
        ...(entry.aided && entry.correct ? [entry.film ? msg("ledger.notCountedVideo") : msg("ledger.notCountedHelp")] : []),
        ...(entry.gradedBy === "model" ? [msg("ledger.modelGradedAgainstFixed")] : []),
      ].join(" ");
    case "hint":
      return msg("ledger.askedHint");
    case "explanation":
      return msg("ledger.askedExplanation");
    case "asked":
      return entry.itemId === undefined ? msg("ledger.askedTutorAbout", { about }) : msg("ledger.askedTutorAboutQuestion");
    case "self_report":
      return entry.knows ? msg("ledger.saidKnowAlreadyNoted", { about }) : msg("ledger.saidDoKnowNoted", { about });
    case "plan":
      return entry.verified
        ? msg("ledger.pathStepsPlannedVerified", { n: entry.steps?.length ?? 0 })
        : msg("ledger.proposedPathRejectedCouldNotVerified");
    case "adapt":
      return decisionIn(entry, session);
  }
}

function decisionIn({ decision, reason, stepId, index }: EvidenceEntry, session: TutorSession): string {
  return decision && reason
    ? decisionText({ decision, reason, stepId: stepId ?? null, text: decisionWords(decision, reason, ""), receipt: index }, session)
    : msg("ledger.tutorDecidedHowGo");
}

/** How an answer counted, for the learner; auditors see the rule with its numbers. */
export function countedWords({ kind, correct, aided, evidence, objectiveIds, masteryBefore, masteryAfter }: EvidenceEntry): string {
  if (kind === "opened") return msg("ledger.everyObjectiveStartsCautiousEstimateAnswers");
  if (correct === undefined) return msg("ledger.movedNothingOnlyAnswers");
  if (evidence?.counts === false) return msg("tutor.practiceCountsNothing");
  // Under the first policy a right answer with help moved the estimate a little.
  const isRisen = objectiveIds.some((id) => (masteryAfter[id] ?? 0) > (masteryBefore[id] ?? 0));
  if (aided && correct && !isRisen) return msg("ledger.rightAnswerNotCounted");
  return correct ? msg("ledger.rightAnswerSpeaksKnowing") : msg("ledger.wrongAnswerSpeaksAgainst");
}

/** The change of mastery per objective. */
export function masteryChanges(
  { objectiveIds, masteryBefore, masteryAfter }: EvidenceEntry,
  session: TutorSession,
): { title: string; words: string; rose: boolean }[] {
  return objectiveIds.flatMap((id) => {
    const [before, after] = [masteryBefore[id], masteryAfter[id]];
    if (before === undefined || after === undefined || before === after) return [];
    const words = msg("audit.beforeAfter", { before: percent(before), after: percent(after) });
    return { title: titleIn(session, id) ?? "", words, rose: after > before };
  });
}

/** Isolates a course's words in a sentence, because their text direction may differ. */
const quoted = (title: string): string => msg("ledger.title", { title: `\u2068${title.replace(/\.$/, "")}\u2069` });

const titleIn = ({ mastery }: TutorSession, objectiveId: string): string | undefined =>
  mastery.find((one) => one.objectiveId === objectiveId)?.title;

/** The question of an answer. */
export const questionOf = ({ itemId }: EvidenceEntry, { messages }: TutorSession): Question | undefined =>
  messages.find((message): message is Question => message.kind === "question" && message.itemId === itemId);

const faults = {
  unreadable: "ledger.lineNotValidEntry",
  order: "ledger.entryMissingDoubledOut",
  chain: "ledger.entryDoesNotFollowOneBefore",
  hash: "ledger.entryAlteredAfterWritten",
  opening: "ledger.ledgerDoesBeginOpening",
  time: "ledger.timeRunsBackwards",
  policy: "ledger.parametersNotPolicys",
  item: "ledger.questionDoesNotMatchDigest",
  grade: "ledger.gradeDoesNotFollow",
  help: "ledger.helpDoesNotFollow",
  evidence: "ledger.answerWeighsOtherwise",
  mastery: "ledger.statedMasteryDoesNotMatchAnswers",
  decision: "ledger.decisionContradictsAnswers",
  session: "ledger.signatureBelongsAnotherSession",
  checkpoints: "ledger.signatureMissingDoubledOut",
  size: "ledger.signatureAboutAnotherNumber",
  root: "ledger.signatureAboutOtherEntries",
  signature: "ledger.signatureDoesNotMatchEntries",
  untrusted: "ledger.signedKeyServiceDoesNotKnow",
  early: "ledger.signedBeforeKeyMade",
  retired: "ledger.signedRetiredKey",
  truncated: "ledger.endMissingSomethingCut",
  trailing: "ledger.entriesAfterLastSignature",
} as const satisfies Record<FaultCode, string>;

export const faultWords = (code: FaultCode): string => msg(faults[code]);

export const momentWords = (at: string): string => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });
