import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { blockFacts, type FilmTopic, topicsOf } from "../explainers/storyboard/topics.ts";
import type { Brief, BriefPassage } from "../grounding/brief-text.ts";
import { wrapPassages } from "../grounding/prompt.ts";
import { estimateTokens } from "../grounding/retrieve.ts";
import { importNative } from "../publication/import/native.ts";
import { buildSearchIndex } from "../publication/search-index.ts";

/** Sections of one page, as many as a small question brings. */
const mostPassages = 8;

/** A page of a demonstration course, as a topic for a storyboard and as what a model reads for an answer. */
export async function materialForModels(): Promise<{ topic: FilmTopic; brief: Brief }> {
  const shipped = demonstrationCourses.find(({ courseId }) => courseId === "linear-maps");
  if (!shipped) throw new Error("the demonstration course is not there");
  const { course } = await importNative(shipped.folder, { courseId: shipped.courseId, previous: null });
  const facts = new Map(course.topics.flatMap((one) => blockFacts(shipped.courseId, one)));
  const topics = [...topicsOf(buildSearchIndex(course, "model-check"), facts).values()];
  // A page that also the demonstration model has enough for.
  const topic = topics.find(({ topicId }) => topicId === "topic-linear-maps");
  if (!topic) throw new Error("the demonstration course has no topic");
  const passages = topic.passages.slice(0, mostPassages).map(
    (passage, index): BriefPassage => ({
      ...passage,
      key: `s${index + 1}`,
      courseId: topic.courseId,
      revisionId: topic.revisionId,
      score: 1,
      passageIds: [passage.passageId],
      markdown: passage.text,
    }),
  );
  const text = wrapPassages(passages);
  return {
    topic,
    brief: {
      passages,
      pages: 1,
      sections: passages.length,
      tokens: estimateTokens(text),
      looksAt: [],
      close: [],
      found: passages.map(({ key }) => key),
      text,
    },
  };
}
