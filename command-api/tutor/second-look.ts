import type { GeneratedGuess, GeneratedLook } from "@colloquy/schemas/generation/second-look.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { defaultEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { kept } from "@colloquy/schemas/tutor/probabilities.ts";
import { choosesRight } from "@colloquy/schemas/tutor/recompute.ts";
import type { GeneratedSelection, QuestionProblem } from "@colloquy/schemas/tutor/session.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { practiceEvidence } from "./items.ts";
import type { ShownToLook } from "./prompts.ts";
import { isReadOff } from "./shown-texts.ts";

/** What the application makes of a second look at written questions. Models only say what they find; what follows is decided here. Pure. */

/** A question as it may be asked, or what is wrong with it. */
export type Looked = { fit: true; item: TutorItem } | Refused;
export interface Refused {
  fit: false;
  item: TutorItem;
  problems: QuestionProblem[];
  reason: string;
  verifiedBy: WrittenBy;
}

/** A refusal in a line, for the model that writes another question. */
export const foundLine = ({ prompt, problems, reason }: { prompt: string; problems: readonly QuestionProblem[]; reason: string }): string =>
  `“${prompt}” was refused (${problems.join(", ")}). ${reason}`.trim();

/** A question as it is looked at: its choices in the order that the item has them, without its key. */
export function shownToLook(item: TutorItem, number: number, objective: string, passages: readonly TurnPassage[]): ShownToLook {
  const numbered = (texts: readonly string[]) => texts.map((text, index) => ({ number: index + 1, text }));
  return {
    number,
    objective,
    prompt: item.prompt,
    kind: item.selection as GeneratedSelection,
    choices: numbered(item.choices.map(({ text }) => text)),
    criteria: numbered(item.rubric),
    passages: passages.filter(({ sourceId }) => item.sourceIds.includes(sourceId)).map(({ key }) => key),
  };
}

/** The same choices in another order for each guess, so that no place in the list is a sign; numbers stay those of the item. */
export const turnedBy = <Choice>(choices: readonly Choice[], by: number): Choice[] => [
  ...choices.slice(by % Math.max(1, choices.length)),
  ...choices.slice(0, by % Math.max(1, choices.length)),
];

const numbersRight = ({ choices, right }: TutorItem): string[] =>
  choices.flatMap(({ choiceId }, index) => (right.includes(choiceId) ? String(index + 1) : []));

/** What is wrong with a question by one look; null where the look says nothing of it, or two things. */
export function problemsIn(item: TutorItem, number: number, look: GeneratedLook): { problems: QuestionProblem[]; reason: string } | null {
  const said = look.questions.filter(({ question }) => question === number);
  const [one] = said;
  if (!one || said.length > 1) return null;
  const follows = new Set(one.follows.map(String));
  const wanted = item.selection === "text" ? item.rubric.map((_, index) => String(index + 1)) : numbersRight(item);
  const problems: QuestionProblem[] = [];
  if (!one.testsObjective) problems.push("off_objective");
  if (!wanted.every((each) => follows.has(each))) problems.push("key_unsupported");
  if (item.selection !== "text" && [...follows].some((each) => !wanted.includes(each))) problems.push("other_choice_follows");
  if (one.givesItselfAway || isReadOff(item, [item.prompt])) problems.push("gives_itself_away");
  if (one.repeatsRevealed) problems.push("already_shown");
  return { problems, reason: one.reason.trim() };
}

/** How often guesses without the passages were right, of those that name choices of the question. */
export function rightGuesses(item: TutorItem, number: number, guesses: readonly GeneratedGuess[]): number {
  const right = numbersRight(item);
  return guesses.filter(({ answers }) => {
    const said = answers.filter(({ question }) => question === number);
    return said.length === 1 && choosesRight([...new Set(said[0]?.choices.map(String))], right);
  }).length;
}

/**
 * The guess rate of a question after so many guesses, of which so many were right: the mean of a Beta distribution that begins with the
 * policy's rate as one guess. It is never below the policy's. Where all guesses were right, nobody needs the passages.
 */
export function guessFound(usual: number, right: number, guesses: number): { guess: number; guessable: boolean } {
  return { guess: kept(Math.max(usual, (usual + right) / (1 + guesses))), guessable: guesses > 0 && right === guesses };
}

/** Practice, because nobody looked it over in time. */
export const unchecked = (item: TutorItem): Looked => ({
  fit: true,
  item: { ...item, evidence: practiceEvidence(item), unchecked: true },
});

/** A question by a look and guesses at it. */
export function lookedAt(
  item: TutorItem,
  number: number,
  { look, guesses, verifiedBy }: { look: GeneratedLook; guesses: readonly GeneratedGuess[]; verifiedBy: WrittenBy },
): Looked {
  const found = problemsIn(item, number, look);
  if (!found) return unchecked(item);
  const evidence = defaultEvidence({ selection: item.selection, choices: item.choices.length }, masteryParameters);
  const isGuessed = item.selection !== "text";
  const { guess, guessable } = isGuessed
    ? guessFound(evidence.guess, rightGuesses(item, number, guesses), guesses.length)
    : { guess: evidence.guess, guessable: false };
  const problems: QuestionProblem[] = guessable ? [...found.problems, "guessable"] : found.problems;
  if (problems.length > 0) return { fit: false, item, problems, reason: found.reason, verifiedBy };
  return { fit: true, item: { ...item, evidence: { ...evidence, guess }, verifiedBy } };
}
