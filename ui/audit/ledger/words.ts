import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { decisionWords } from "@colloquy/schemas/tutor/words.ts";
import { formatDate, list, marked, msg, plural } from "../../messages/page.ts";
import { decisionSaid } from "../../tutor/decisions.ts";
import { percent } from "../../tutor/words.ts";
import type { FaultCode } from "./check.ts";

type Question = Extract<TutorMessage, { kind: "question" }>;

/** What an event was, in a word or two. */
export function kindWords(entry: EvidenceEntry): string {
  switch (entry.kind) {
    case "opened":
      return msg("Beginning");
    case "probe":
      return msg("First question");
    case "check":
      return entry.film ? msg("Closing question of a film") : msg("Check");
    case "hint":
      return msg("Hint");
    case "explanation":
      return msg("Explanation");
    case "self_report":
      return msg("What you said");
    case "plan":
      return msg("Plan");
    case "adapt":
      return msg("Decision");
  }
}

/** What happened, in a sentence for the learner whose session it is. */
export function sentenceOf(entry: EvidenceEntry, session: TutorSession): string {
  const about = list(entry.objectiveIds.flatMap((id) => titleIn(session, id) ?? []).map(quoted));
  switch (entry.kind) {
    case "opened":
      return plural(
        entry.opening?.objectives.length ?? 0,
        "The session began, with {n} thing to learn.",
        "The session began, with {n} things to learn.",
      );
    case "probe":
    case "check":
      return [
        entry.carriedFrom
          ? msg("Taken over from an earlier session whose question stands on unchanged text.")
          : entry.correct
            ? msg("You answered a question about {about}, and were right.", { about })
            : msg("You answered a question about {about}, and were not right.", { about }),
        ...(entry.aided
          ? [
              entry.film
                ? msg("It counts less: the film had just shown it.")
                : msg("It counts less: you had help, or had seen the question before."),
            ]
          : []),
        ...(entry.gradedBy === "model" ? [msg("A model graded it against fixed criteria.")] : []),
      ].join(" ");
    case "hint":
      return msg("You asked for a hint. From then on, an answer to this question counted less.");
    case "explanation":
      return msg("You asked for the explanation. From then on, an answer to this question counted less.");
    case "self_report":
      return entry.knows
        ? msg("You said that you know {about} already. It is noted and moves nothing.", { about })
        : msg("You said that you do not know {about} yet. It is noted and moves nothing.", { about });
    case "plan":
      return entry.verified
        ? plural(
            entry.steps?.length ?? 0,
            "A path of {n} step was planned, verified against the course and begun.",
            "A path of {n} steps was planned, verified against the course and begun.",
          )
        : msg("A path was proposed and refused: it could not be verified against the course.");
    case "adapt":
      return decisionIn(entry, session);
  }
}

function decisionIn({ decision, reason, stepId }: EvidenceEntry, session: TutorSession): string {
  return decision && reason
    ? decisionSaid({ decision, reason, stepId: stepId ?? null, text: decisionWords(decision, reason, "") }, session)
    : msg("The tutor decided how to go on.");
}

/** How an answer counted, for the learner who gave it; an auditor is told the rule with its numbers. */
export function countedWords({ kind, correct, aided }: EvidenceEntry): string {
  if (kind === "opened") return msg("Everything begins at a cautious guess; your answers move it from there.");
  if (correct === undefined) return msg("It moved nothing: only answers that were graded do.");
  if (aided) return msg("It was weighed as an answer given with help, which says less about what you know.");
  return correct
    ? msg("A right answer speaks for your knowing this. It is allowed for that it may have been a lucky guess.")
    : msg("A wrong answer speaks against your knowing this. It is allowed for that it may have been a slip.");
}

/** How far an event moved each objective it was about. */
export function movesOf(
  { objectiveIds, masteryBefore, masteryAfter }: EvidenceEntry,
  session: TutorSession,
): { title: string; words: string; rose: boolean }[] {
  return objectiveIds.flatMap((id) => {
    const [before, after] = [masteryBefore[id], masteryAfter[id]];
    if (before === undefined || after === undefined || before === after) return [];
    const words = msg("{before} → {after}", { before: percent(before), after: percent(after) });
    return { title: titleIn(session, id) ?? "", words, rose: after > before };
  });
}

/** A course's own words within a sentence of ours; they may be written from the other side. */
const quoted = (title: string): string => msg("“{title}”", { title: `\u2068${title.replace(/\.$/, "")}\u2069` });

const titleIn = ({ mastery }: TutorSession, objectiveId: string): string | undefined =>
  mastery.find((one) => one.objectiveId === objectiveId)?.title;

/** What an answer's question was, as it was asked. */
export const questionOf = ({ itemId }: EvidenceEntry, { messages }: TutorSession): Question | undefined =>
  messages.find((message): message is Question => message.kind === "question" && message.itemId === itemId);

const faults = {
  unreadable: marked("This line is not an entry in its proper form."),
  order: marked("An entry is missing, doubled or out of its place."),
  chain: marked("The entry does not follow from the one before it."),
  hash: marked("The entry was altered after it was written."),
  opening: marked("The ledger does not begin with its opening entry."),
  mastery: marked("The mastery that is stated is not what the answers come to."),
  session: marked("A signature belongs to another session."),
  checkpoints: marked("A signature is missing, doubled or out of its place."),
  size: marked("A signature is about another number of entries."),
  root: marked("A signature is about other entries."),
  signature: marked("The signature does not fit what it stands under."),
  untrusted: marked("It is signed by a key that this service does not know."),
  truncated: marked("Its end is missing: something was cut off."),
  trailing: marked("Something stands behind its last signature."),
} satisfies Record<FaultCode, string>;

export const faultWords = (code: FaultCode): string => msg(faults[code]);

export const momentWords = (at: string): string => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });
