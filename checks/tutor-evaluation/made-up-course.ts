import type { TutorCourse, TutorCourses } from "@colloquy/command-api/tutor/course.ts";
import type { PassageLibrary, RankedPassage } from "@colloquy/projections/passages/queries.ts";

/** A fact of a made-up course: a sentence, and a question on it whose choices are short. */
export interface Fact {
  objectiveId: string;
  subject: string;
  sentence: string;
  prompt: string;
  answer: string;
  /** Answers that are wrong here. */
  distractors: readonly string[];
}

export interface MadeUpCourse {
  facts: readonly Fact[];
  course: TutorCourse;
  library: PassageLibrary;
  courses: TutorCourses;
  /** The source that says a fact. */
  sourceIdOf(fact: Fact): string;
}

const syllables = [
  "ba",
  "do",
  "fi",
  "gu",
  "ke",
  "lo",
  "mi",
  "na",
  "pe",
  "ru",
  "sa",
  "ti",
  "vo",
  "wu",
  "za",
  "chi",
  "dra",
  "pli",
  "sto",
  "tre",
];

/** A course of objectives with so many facts each, in words that nobody knows beforehand. */
export function madeUpCourse(objectiveCount: number, factsPerObjective: number, random: () => number): MadeUpCourse {
  const word = (): string =>
    Array.from({ length: 3 }, () => syllables[Math.floor(random() * syllables.length)] ?? "ba").join("") + Math.floor(random() * 90 + 10);
  const objectiveIds = Array.from({ length: objectiveCount }, (_, index) => `objective-${index + 1}`);
  const facts = objectiveIds.flatMap((objectiveId) =>
    Array.from({ length: factsPerObjective }, (): Fact => {
      const [subject, place, manner, answer] = [word(), word(), word(), `${word()} ${word()}`];
      return {
        objectiveId,
        subject,
        answer,
        sentence: `Inside ${place} ${word()}, every ${subject} ${word()} ${manner} turns toward ${answer} before ${word()}.`,
        prompt: `Toward what does ${subject} ${manner} turn inside ${place}?`,
        distractors: Array.from({ length: 3 }, () => `${word()} ${word()}`),
      };
    }),
  );
  const passages = facts.map(
    ({ objectiveId, sentence }, index): RankedPassage => ({
      passageId: `passage-${index}`,
      sourceId: `source-${objectiveId}-${index}`,
      heading: objectiveId,
      text: sentence,
      role: "prose",
      courseId: "made-up-course",
      revisionId: "revision-01",
      score: 1,
      source: {
        sourceId: `source-${objectiveId}-${index}`,
        kind: "block",
        entityId: `block-${index}`,
        topicId: `topic-${objectiveId}`,
        href: `/courses/made-up-course/${objectiveId}#b${index}`,
        title: objectiveId,
        trail: ["A made-up course"],
      },
    }),
  );
  const course: TutorCourse = {
    courseId: "made-up-course",
    revisionId: "revision-01",
    title: "A made-up course",
    language: "en",
    objectives: objectiveIds.map((objectiveId) => ({
      objectiveId,
      title: `Explain ${objectiveId}`,
      topicId: `topic-${objectiveId}`,
      topicTitle: objectiveId,
      href: `/courses/made-up-course/${objectiveId}`,
      derived: false,
    })),
    passages,
    markdownOf: async () => new Map(),
    questions: [],
    practice: () => [],
    written: new Set(),
    shownOnPages: [],
    links: new Map(),
    digests: new Map(passages.map(({ sourceId }) => [sourceId, sourceId])),
    ranks: new Map(),
  };
  return {
    facts,
    course,
    sourceIdOf: ({ sentence }) => passages.find(({ text }) => text === sentence)?.sourceId ?? "",
    library: { search: async () => passages, closeness: async () => null, references: async () => [], resolve: async () => null },
    courses: {
      live: async () => course,
      liveRevision: async () => course.revisionId,
      usesSameText: async () => true,
      isRevision: async () => true,
    },
  };
}
