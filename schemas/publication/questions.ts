import { z } from "zod";
import { bounds } from "../bounds.ts";
import { questionKinds, questionLevels, questionPlaces } from "../courses/blocks.ts";
import { id, payload } from "../payload.ts";

/** The query string of `GET /api/course-editor/questions`. */
export const questionBankQuery = z.strictObject({ course: id });

const count = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const objective = z.strictObject({ objectiveId: id, text: z.string() });
const shortText = z.string().max(bounds.publication.questions.promptLength);

/** How learners answered a version of a question. Counts learners, never names them. */
const figures = z.strictObject({
  /** How often it was asked. */
  asked: count,
  /** Learners who answered it; of each the first answer counts. */
  learners: count,
  /** Of them, those who were right at the first try, without help. */
  right: count,
  /** Point-biserial correlation with the learner's other answers, from -1 to 1; null where it cannot be computed. */
  discrimination: z.number().min(-1.000001).max(1.000001).nullable(),
  /** Of single and multiple choice, in the author's order. */
  choices: z.array(z.strictObject({ text: shortText, correct: z.boolean(), learners: count })),
});

export const bankQuestion = z.strictObject({
  blockId: id,
  topicId: id,
  topicTitle: z.string(),
  objective: objective.nullable(),
  kind: z.enum(questionKinds),
  level: z.enum(questionLevels),
  place: z.enum(questionPlaces),
  retired: z.boolean(),
  /** The prompt in one line, shortened. */
  prompt: shortText,
  /** The code in the prompt, shortened; absent where there is none. */
  code: z.string().max(bounds.publication.questions.codeLength).optional(),
  /** SHA-256 of its source, without its being retired. */
  version: digest,
  /** Versions before this one that were asked. */
  earlierVersions: count,
  /** Null while fewer than `bounds.publication.learnersCounted` learners have answered this version. */
  figures: figures.nullable(),
});
export type BankQuestion = z.infer<typeof bankQuestion>;

/**
 * A question that a model wrote for Tutor, and that at least `bounds.publication.learnersCounted` learners have answered. Owners add it to
 * the course, or retire it, by a block of their draft: it is then no longer listed, and no longer asked by models.
 */
export const generatedQuestion = z.strictObject({
  /** Digest of what was asked. */
  digest,
  topicId: id,
  topicTitle: z.string(),
  /** The last block that its answer follows from; null where the topic has none of them. */
  after: id.nullable(),
  objective: objective.nullable(),
  kind: z.enum(["single", "multiple", "free"]),
  prompt: shortText,
  choices: z.array(z.strictObject({ text: shortText, correct: z.boolean() })),
  /** Whether a second look found it fit to count; else it is practice. */
  looked: z.boolean(),
  asked: count,
  /** Learners who answered it; of each the first answer counts. */
  learners: count,
  right: count,
  /** The source of a block `core.question` of it. */
  source: z.string(),
});
export type GeneratedQuestion = z.infer<typeof generatedQuestion>;

/** `GET /api/course-editor/questions`: the questions of the live revision and those that models wrote, in reading order. */
export const questionBankResponse = payload({
  courseId: id,
  sequence: z.int().min(1),
  questions: z.array(bankQuestion),
  generated: z.array(generatedQuestion),
});
export type QuestionBankResponse = z.infer<typeof questionBankResponse>;
