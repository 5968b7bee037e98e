import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { isMechanical } from "@colloquy/schemas/questions/mark.ts";
import type { CourseQuestion } from "@colloquy/schemas/quiz/quiz.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { QuizBank, QuizScope } from "../ask/answer.ts";
import type { AuthoredQuestion, TutorCourse, TutorCourses } from "./course.ts";
import { objectivesFor } from "./objectives.ts";
import { revealedBy } from "./questioned.ts";
import { type QuizzesOf, type SessionsOf, sessionsOfCourse } from "./revealed.ts";
import type { TutorSessions } from "./sessions.ts";
import { identified } from "./shown-texts.ts";

interface Needs {
  courses: Pick<TutorCourses, "live">;
  library: PassageLibrary;
  sessions: Pick<TutorSessions, "load">;
  sessionsOf: SessionsOf;
  quizzesOf: QuizzesOf;
  random(): number;
}

type Candidate = AuthoredQuestion & Pick<CourseQuestion, "key">;

/**
 * Chooses a course's own questions for a quiz: on what is attached, else on what the topic finds; those the learner never saw before the
 * others, of different kinds and objectives, none that waits for an answer in a session, and no two that share a statement. A quiz that is
 * not recorded gets only those that stand on pages anyway.
 */
export function quizBank({ courses, library, sessions, sessionsOf, quizzesOf, random }: Needs): QuizBank {
  /** When each question was shown last, by block; absent for one that never was. */
  async function lastShown(accountId: string, states: readonly TutorState[]): Promise<Map<string, string>> {
    const times = new Map<string, string>();
    const note = (blockId: string | undefined, at: string): void => {
      if (blockId !== undefined && (times.get(blockId) ?? "") < at) times.set(blockId, at);
    };
    for (const { asked, answers, items, updatedAt } of states)
      for (const itemId of [...asked, ...Object.keys(answers)]) note(items[itemId]?.authored?.blockId, updatedAt);
    for (const { at, quiz } of await quizzesOf(accountId))
      for (const question of quiz.questions) if ("key" in question) note(question.authored.blockId, at);
    return times;
  }

  return async (scope) => {
    const chosen: { course: TutorCourse; question: Candidate }[] = [];
    const statements: string[] = [];
    const written = new Set<string>();
    for (const courseId of courseIdsOf(scope)) {
      const course = await courses.live(courseId);
      for (const sameness of course.written) written.add(sameness);
      const wanted = await objectiveIdsIn(library, course, scope);
      const states = await sessionsOfCourse({ sessions, sessionsOf }, scope.accountId, courseId);
      const waiting = new Set(states.flatMap(({ current, items }) => (current === null ? [] : (items[current]?.authored?.blockId ?? []))));
      const times = await lastShown(scope.accountId, states);
      const rest = course.questions.flatMap((one): Candidate[] => {
        const { question: key } = one;
        const mayShow = scope.isKept || key.place !== "bank";
        return mayShow && isMechanicalQuestion(key) && wanted.has(one.objectiveId) && !waiting.has(one.blockId) ? [{ ...one, key }] : [];
      });
      while (chosen.length < scope.count && rest.length > 0) {
        const question = nextOf(rest, { times, chosen: chosen.map((one) => one.question), random });
        rest.splice(rest.indexOf(question), 1);
        const known = statements.map((text) => ({ id: text, text }));
        const own = revealedBy([{ key: question.key }]);
        const isRepeated = identified(
          own.map(({ text }) => text),
          known,
        ).some(({ id }) => statements.includes(id));
        if (isRepeated) continue;
        statements.push(...own.map(({ text }) => text));
        chosen.push({ course, question });
      }
    }
    return {
      written,
      chosen: chosen.map(({ course, question: { blockId, digest, key, sourceIds } }) => ({
        authored: { courseId: course.courseId, blockId, digest },
        key,
        passages: sourceIds.flatMap((sourceId) => course.passages.find((passage) => passage.sourceId === sourceId) ?? []),
      })),
    };
  };
}

const isMechanicalQuestion = (question: AuthoredQuestion["question"]): question is CourseQuestion["key"] => isMechanical(question.kind);

/** The courses that a quiz is about: those of what is attached, else the one that the topic finds first. */
function courseIdsOf({ references, passages }: QuizScope): string[] {
  const attached = [...new Set(references.map(({ courseId }) => courseId))];
  return attached.length > 0 ? attached : passages.slice(0, 1).map(({ courseId }) => courseId);
}

/** The objectives that a quiz is about: those of the attached pages, or what the topic finds in a whole course. */
async function objectiveIdsIn(library: PassageLibrary, course: TutorCourse, { references, topic }: QuizScope): Promise<Set<string>> {
  const own = references.filter(({ courseId }) => courseId === course.courseId);
  const topicIds = new Set(own.flatMap(({ passages }) => passages.flatMap(({ source }) => source.topicId ?? [])));
  const inScope = course.objectives.filter(({ topicId }) => own.length === 0 || topicIds.has(topicId));
  const isOnePage = own.length > 0 && topicIds.size === 1;
  const found = topic.trim() === "" || isOnePage ? [] : await objectivesFor(library, course, topic, []);
  const narrowed = inScope.filter(({ objectiveId }) => found.some((one) => one.objectiveId === objectiveId));
  return new Set((narrowed.length > 0 ? narrowed : inScope).map(({ objectiveId }) => objectiveId));
}

/** Of the questions that were shown least recently the one whose kind and objective occur least so far. */
function nextOf(
  rest: readonly Candidate[],
  { times, chosen, random }: { times: ReadonlyMap<string, string>; chosen: readonly Candidate[]; random(): number },
): Candidate {
  const shownAt = ({ blockId }: Candidate): string => times.get(blockId) ?? "";
  const [earliest = ""] = rest.map(shownAt).toSorted();
  const occurring = ({ key, objectiveId }: Candidate): number =>
    chosen.filter((one) => one.key.kind === key.kind).length + chosen.filter((one) => one.objectiveId === objectiveId).length;
  const ranked = rest
    .filter((one) => shownAt(one) === earliest)
    .map((question) => ({ question, rank: occurring(question) + random() / 2 }))
    .toSorted((one, other) => one.rank - other.rank);
  return (ranked[0]?.question ?? rest[0]) as Candidate;
}
