import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorMessage } from "@colloquy/schemas/tutor/session.ts";

/** A lesson that taught something. */
export const isLesson = (message: TutorMessage): message is Extract<TutorMessage, { kind: "teaching" }> =>
  message.kind === "teaching" && !message.nothingElse;

/** How a simulated learner behaves; what it has mastered is hidden from the tutor. */
export interface LearnerKind {
  name: string;
  /** Share of objectives it has at the beginning. */
  knows: number;
  /** Chance to get an objective from one teaching of it. */
  learns: number;
  /** Chance to lose an objective it has, at each teaching of another one. */
  forgets: number;
  /** Chance of a wrong answer on what it has. */
  slips: number;
  /** On what it does not have it chooses blindly, with this much better luck than chance: it rules choices out. */
  luck: number;
  /** Needs the objective before, too, or it cannot learn this one. */
  needsEarlier: boolean;
  /** Says "I know this" of everything, all the time. */
  claims: boolean;
  /** Has every question explained before it answers, then gives the answer it was shown. */
  fishes: boolean;
}

const plain: Omit<LearnerKind, "name"> = {
  knows: 0.5,
  learns: 0.35,
  forgets: 0,
  slips: 0.08,
  luck: 0,
  needsEarlier: false,
  claims: false,
  fishes: false,
};

/** The population of the evaluation. */
export const learnerKinds: readonly LearnerKind[] = [
  { ...plain, name: "beginner", knows: 0.1 },
  { ...plain, name: "halfway" },
  { ...plain, name: "advanced", knows: 0.9 },
  { ...plain, name: "careless", knows: 0.7, slips: 0.2 },
  { ...plain, name: "clever guesser", knows: 0.3, luck: 0.1 },
  { ...plain, name: "with gaps", knows: 0.4, needsEarlier: true },
  { ...plain, name: "forgetful", knows: 0.6, forgets: 0.1 },
  { ...plain, name: "guessing only", knows: 0, learns: 0 },
  { ...plain, name: "says it knows", knows: 0, learns: 0, claims: true },
  { ...plain, name: "answer-fisher", knows: 0, learns: 0, fishes: true },
];

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Learner {
  readonly kind: LearnerKind;
  has(objectiveId: string): boolean;
  /** Choices it gives, or null for a wrong text answer and an empty list for a right one. */
  answers(item: TutorItem): { correct: boolean; choiceIds: string[] };
  isTaught(objectiveIds: readonly string[]): void;
}

export function createLearner(kind: LearnerKind, objectiveIds: readonly string[], random: () => number): Learner {
  const mastered = new Set<string>();
  for (const [index, objectiveId] of objectiveIds.entries()) {
    const earlier = objectiveIds[index - 1];
    const possible = !kind.needsEarlier || earlier === undefined || mastered.has(earlier);
    if (possible && random() < kind.knows) mastered.add(objectiveId);
  }
  return {
    kind,
    has: (objectiveId) => mastered.has(objectiveId),
    answers(item) {
      const knows = mastered.has(item.objectiveId) ? random() >= kind.slips : random() < kind.luck;
      if (item.selection === "text") {
        // A model that grades takes about one blind answer in ten for right.
        const correct = knows || (!mastered.has(item.objectiveId) && random() < 0.1);
        return { correct, choiceIds: [] };
      }
      if (knows) return { correct: true, choiceIds: item.right };
      const choiceIds = blindly(item, random, mastered.has(item.objectiveId));
      return { correct: same(choiceIds, item.right), choiceIds };
    },
    isTaught(taught) {
      for (const objectiveId of taught) {
        const earlier = objectiveIds[objectiveIds.indexOf(objectiveId) - 1];
        if (kind.needsEarlier && earlier !== undefined && !mastered.has(earlier)) continue;
        if (random() < kind.learns) mastered.add(objectiveId);
      }
      for (const objectiveId of [...mastered]) if (!taught.includes(objectiveId) && random() < kind.forgets) mastered.delete(objectiveId);
    },
  };
}

/** A choice made without knowing; who slips does not hit the right one by it. */
function blindly(item: TutorItem, random: () => number, slipping: boolean): string[] {
  const ids = item.choices.map(({ choiceId }) => choiceId);
  const count = item.selection === "single" ? 1 : 1 + Math.floor(random() * (ids.length - 1));
  for (;;) {
    const chosen = ids.toSorted(() => random() - 0.5).slice(0, count);
    if (!slipping || !same(chosen, item.right)) return chosen;
  }
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one));
