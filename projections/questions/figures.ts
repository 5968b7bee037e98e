/** Figures of classical test theory over the answers to a course's questions. */

/** A question as one learner met it once. */
export interface GivenAnswer {
  accountId: string;
  blockId: string;
  digest: string;
  /** Padded positions of the events; `answered` is empty until then. */
  asked: string;
  answered: string;
  correct: boolean;
  /** Empty without help. */
  help: string;
  choices: readonly string[];
}

export interface QuestionFigures {
  /** How often it was asked. */
  asked: number;
  /** Learners who answered it at least once. */
  learners: number;
  /** Of them, those who were right at the first try, without help. */
  right: number;
  /**
   * Corrected point-biserial correlation (Henrysson 1963) of the first try with the share of right first tries on the learner's other
   * questions of the course; null if too few learners answered others, or all of them did equally well.
   */
  discrimination: number | null;
  /** Learners whose first answer took a choice, by its id. */
  choices: ReadonlyMap<string, number>;
}

/** Names one version of a question. */
export const versionKey = ({ blockId, digest }: Pick<GivenAnswer, "blockId" | "digest">): string => `${blockId} ${digest}`;

/** Help that a learner asks for: the answer then is not right at the first try. After any other, as when its key was shown, it says nothing. */
const askedHelp = new Set(["", "hint", "explanation", "asked"]);

/**
 * The figures of each version that enough learners have answered. Pure.
 * @param least figures of fewer different learners are left out
 */
export function questionFigures(answers: readonly GivenAnswer[], least: number): Map<string, QuestionFigures> {
  const firsts = firstTries(answers);
  const scores = scoresOf(firsts);
  const asked = Map.groupBy(answers, versionKey);
  const figures = new Map<string, QuestionFigures>();
  for (const [key, tries] of Map.groupBy(firsts, versionKey)) {
    if (tries.length < least) continue;
    const rests = tries.flatMap((one) => {
      const { right = 0, count = 0 } = scores.get(one.accountId) ?? {};
      return count > 1 ? [{ own: Number(isRight(one)), rest: (right - Number(isRight(one))) / (count - 1) }] : [];
    });
    const choices = new Map<string, number>();
    for (const id of tries.flatMap((one) => [...new Set(one.choices)])) choices.set(id, (choices.get(id) ?? 0) + 1);
    figures.set(key, {
      asked: asked.get(key)?.length ?? 0,
      learners: tries.length,
      right: tries.filter(isRight).length,
      discrimination:
        rests.length < least
          ? null
          : correlation(
              rests.map(({ own }) => own),
              rests.map(({ rest }) => rest),
            ),
      choices,
    });
  }
  return figures;
}

const isRight = ({ correct, help }: GivenAnswer): boolean => correct && help === "";

/** The first answer of each learner to each version, where it says something. */
function firstTries(answers: readonly GivenAnswer[]): GivenAnswer[] {
  const given = answers
    .filter(({ answered }) => answered !== "")
    .toSorted((one, other) => (one.answered < other.answered ? -1 : one.answered > other.answered ? 1 : 0));
  const first = new Map<string, GivenAnswer>();
  for (const answer of given) {
    const key = `${answer.accountId} ${versionKey(answer)}`;
    if (!first.has(key)) first.set(key, answer);
  }
  return [...first.values()].filter(({ help }) => askedHelp.has(help));
}

/** How many first tries of each learner were right, and of how many. */
function scoresOf(firsts: readonly GivenAnswer[]): Map<string, { right: number; count: number }> {
  const scores = new Map<string, { right: number; count: number }>();
  for (const one of firsts) {
    const { right, count } = scores.get(one.accountId) ?? { right: 0, count: 0 };
    scores.set(one.accountId, { right: right + Number(isRight(one)), count: count + 1 });
  }
  return scores;
}

/** Pearson's correlation; null if one side does not vary. */
function correlation(one: readonly number[], other: readonly number[]): number | null {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(one), mean(other)];
  const sum = (of: (index: number) => number): number => one.reduce((total, _, index) => total + of(index), 0);
  const deviation = (values: readonly number[], middle: number) => (index: number) => (values[index] ?? 0) - middle;
  const [da, db] = [deviation(one, a), deviation(other, b)];
  const spread = Math.sqrt(sum((index) => da(index) ** 2) * sum((index) => db(index) ** 2));
  return spread < 1e-12 ? null : sum((index) => da(index) * db(index)) / spread;
}
