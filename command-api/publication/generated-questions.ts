import { samenessOf, samenessOfWritten, writtenQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import { derivedObjectiveId, sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { type Generated, type GeneratedAnswer, questionFigures, versionKey } from "@colloquy/projections/questions/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { promptLine } from "@colloquy/schemas/courses/editing/question-source.ts";
import { explanationWords } from "@colloquy/schemas/courses/editing/question-templates.ts";
import { formatQuestion, parseQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import type { GeneratedQuestion } from "@colloquy/schemas/publication/questions.ts";

const { learnersCounted, questions } = bounds.publication;
const { promptLength } = questions;

/**
 * The questions that models wrote and enough learners answered in the very same words, in reading order. A model may repeat what one learner
 * wrote, so that nothing is listed that fewer were asked: an explanation, too, only if it is the same for so many. Those that the course has,
 * retired or not, are left out. Pure.
 */
export function generatedQuestions(
  course: Pick<AuthoredCourse, "manifest" | "topics">,
  answers: readonly GeneratedAnswer[],
): GeneratedQuestion[] {
  const { courseId } = course.manifest;
  const figures = questionFigures(answers, learnersCounted);
  const written = new Set(writtenQuestions(course.topics).map(samenessOfWritten));
  const groups = [...Map.groupBy(answers, versionKey)].flatMap(([key, asked]) => {
    const [first] = asked;
    const counted = figures.get(key);
    if (!first || !counted || written.has(samenessOf(first.generated.prompt, first.generated.choices))) return [];
    return { digest: first.digest, generated: first.generated, asked, counted };
  });
  return course.topics.flatMap(({ id: topicId, title: topicTitle, objectives, blocks }) =>
    groups.flatMap(({ digest, generated, asked, counted }) => {
      const objective = objectives.find(({ id }) => id === generated.objectiveId);
      if (!objective && (objectives.length > 0 || derivedObjectiveId(topicId) !== generated.objectiveId)) return [];
      const about = blocks.filter(({ id }) => generated.sourceIds.includes(sourceIdOf(courseId, id))).map(({ id }) => id);
      const question = questionFrom(generated, {
        objective: objective?.id,
        about: about.slice(-bounds.course.question.about),
        explanation: sharedExplanation(asked),
      });
      const source = formatQuestion(question);
      const read = parseQuestion(source);
      // What a block cannot hold as it was asked is no use to its owners.
      if (!read.ok || samenessOfWritten(read.data) !== samenessOfWritten(question)) return [];
      return {
        digest,
        topicId,
        topicTitle,
        after: about.at(-1) ?? null,
        objective: objective ? { objectiveId: objective.id, text: objective.text } : null,
        kind: question.kind as GeneratedQuestion["kind"],
        prompt: promptLine(question).slice(0, promptLength),
        choices: generated.choices.map(({ text, correct }) => ({ text: text.slice(0, promptLength), correct })),
        looked: asked.every((one) => one.generated.looked),
        asked: counted.asked,
        learners: counted.learners,
        right: counted.right,
        source,
      };
    }),
  );
}

/** The explanation that enough learners were shown, or words in its place that its owners are to write over. */
function sharedExplanation(asked: readonly GeneratedAnswer[]): string {
  const shown = Map.groupBy(asked, ({ generated }) => generated.explanation);
  return (
    [...shown].find(([text, own]) => text && new Set(own.map(({ accountId }) => accountId)).size >= learnersCounted)?.[0] ??
    explanationWords
  );
}

function questionFrom(
  { prompt, selection, choices, rubric, modelAnswer }: Generated,
  { objective, about, explanation }: { objective: string | undefined; about: string[]; explanation: string },
): Question {
  const common = {
    level: "recall" as const,
    about,
    place: "bank" as const,
    markdown: prompt,
    hints: [],
    ...(objective !== undefined && { objective }),
  };
  if (selection === "text") return { ...common, kind: "free", rubric, answer: modelAnswer };
  return { ...common, explanation, kind: selection, choices: choices.map(({ text, correct }) => ({ markdown: text, correct })) };
}
