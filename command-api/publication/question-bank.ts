import { sha256 } from "@colloquy/infra/ledger/chain.ts";
import { questionOf } from "@colloquy/infra/object-store/course-questions.ts";
import { type GivenAnswer, questionFigures, versionKey } from "@colloquy/projections/questions/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { promptCode, promptLine, withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import type { BankQuestion } from "@colloquy/schemas/publication/questions.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";

const { promptLength, codeLength } = bounds.publication.questions;

/** The questions of a published course in reading order, each with the figures of its present version. Pure. */
export function questionBank(course: Pick<AuthoredCourse, "topics">, answers: readonly GivenAnswer[]): BankQuestion[] {
  const figures = questionFigures(answers, bounds.publication.learnersCounted);
  const digests = new Map<string, Set<string>>();
  for (const { blockId, digest } of answers) digests.set(blockId, (digests.get(blockId) ?? new Set()).add(digest));
  return course.topics.flatMap((topic) =>
    topic.blocks.flatMap((block) => {
      const question = questionOf(block);
      if (!question) return [];
      const digest = versionOf(block);
      const code = promptCode(question).slice(0, codeLength);
      const found = figures.get(versionKey({ blockId: block.id, digest }));
      return {
        blockId: block.id,
        topicId: topic.id,
        topicTitle: topic.title,
        objective: objectiveOf(topic, question),
        kind: question.kind,
        level: question.level,
        place: question.place,
        retired: question.retired ?? false,
        prompt: promptLine(question).slice(0, promptLength),
        ...(code !== "" && { code }),
        version: digest,
        earlierVersions: [...(digests.get(block.id) ?? [])].filter((one) => one !== digest).length,
        figures: found
          ? {
              asked: found.asked,
              learners: found.learners,
              right: found.right,
              discrimination: found.discrimination,
              choices: choicesOf(question, found.choices),
            }
          : null,
      };
    }),
  );
}

/** The digest of a question's source. Retiring a question is no other version of it: its figures stay. */
const versionOf = ({ source }: Block): string => sha256(withHeaderField(source, "retired", ""));

function objectiveOf({ objectives }: Topic, { objective }: Question): BankQuestion["objective"] {
  const found = objective === undefined && objectives.length === 1 ? objectives[0] : objectives.find(({ id }) => id === objective);
  return found ? { objectiveId: found.id, text: found.text } : null;
}

/** How many learners took each choice, in the author's order. */
function choicesOf(question: Question, taken: ReadonlyMap<string, number>): NonNullable<BankQuestion["figures"]>["choices"] {
  if (!("choices" in question)) return [];
  return question.choices.map(({ markdown, correct }) => ({
    text: markdown.slice(0, promptLength),
    correct,
    learners: taken.get(partId(markdown)) ?? 0,
  }));
}
