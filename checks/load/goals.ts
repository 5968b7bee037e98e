/**
 * What a simulated learner does and how long they think, and what counts as good. Changed here, everything measured changes its meaning:
 * docs/reports/load.md says these figures beside the results.
 */

/** Words read in a minute: silent reading of English non-fiction (Brysbaert 2019, 190 studies, doi 10.1016/j.jml.2019.104047). */
export const wordsPerMinute = 238;

/**
 * Think times: medians in milliseconds, and the standard deviation of their logarithms. Log-normal, as times of answers to test items are
 * (van der Linden 2006, doi 10.3102/10769986031002181). Reading has the page's own words at `wordsPerMinute` as its median.
 */
export const think = {
  sigma: 0.6,
  /** Thinking of a question and typing its dozen words, at some 52 a minute (Dhakal et al. 2018, doi 10.1145/3173574.3174220). */
  question: 20_000,
  /** Reading an answer of some 120 words. */
  answer: 30_000,
  /** One item of a quiz or of the tutor: an estimate. */
  item: 25_000,
  /** Reading the tutor's teaching and deciding to go on: an estimate. */
  settle: 10_000,
} as const;

/** A session: the same for everybody, but for what is drawn. From and to are whole numbers, each as likely. */
export const session = {
  pages: { from: 3, to: 6 },
  questions: { from: 1, to: 2 },
  /** The share of sessions with a quiz, and with a tutor. */
  quizShare: 1,
  tutorShare: 0.5,
  tutorAnswers: { from: 2, to: 4 },
} as const;

/**
 * Milliseconds that 95 of 100 requests of a kind may take. A second is what a train of thought bears (Nielsen 1993, Usability Engineering,
 * chapter 5) where somebody waits with nothing new on the screen; what a page or a device does by itself gets less, because many of them
 * stand behind one another. What a model writes, word by word, is bounded as a whole.
 */
export const goals = {
  "sign in": 1_000,
  workspace: 500,
  list: 500,
  pull: 500,
  page: 500,
  revision: 500,
  push: 500,
  /** From a change's sending to its arrival on the same account's live stream. */
  live: 1_000,
  "first word": 1_000,
  answer: 15_000,
  quiz: 5_000,
  "tutor start": 3_000,
  /** Until the tutor says or asks something. */
  "tutor turn": 3_000,
  /** Letting go of a turn that was recorded. */
  release: 500,
} as const satisfies Record<string, number>;
export type Kind = keyof typeof goals;
export const kinds = Object.keys(goals) as Kind[];

/** Failed and refused requests of all requests: more is too much. */
export const failureShareLimit = 0.001;
/** A request that takes longer is given up and has failed. */
export const answerTimeoutMs = 30_000;
