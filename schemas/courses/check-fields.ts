import { bounds } from "../bounds.ts";
import type { AuthoredCourse } from "./authored.ts";
import { type TextField, wrongText } from "./field-rules.ts";
import { type CourseError, remark } from "./remarks.ts";

/** The single fields of a course whose types are right: lengths, patterns, counts. */
export function checkFields({ manifest, collections, topics, assets }: AuthoredCourse): CourseError[] {
  const errors: CourseError[] = [];
  const text = (path: string, field: TextField, value: string | undefined): void => {
    const wrong = value === undefined ? null : wrongText(field, value);
    if (wrong) errors.push({ path, ...wrong });
  };
  const atMost = (path: string, count: number, most: number): void => {
    if (count > most) errors.push({ path, ...remark("too-many", { most, count }) });
  };
  const { course } = bounds;
  text("manifest.courseId", "id", manifest.courseId);
  text("manifest.title", "title", manifest.title);
  text("manifest.summary", "summary", manifest.summary);
  text("manifest.language", "language", manifest.language);
  text("manifest.license", "license", manifest.license);
  atMost("manifest.root", manifest.root.length, course.topics);
  atMost("collections", collections.length, course.collections);
  atMost("topics", topics.length, course.topics);
  atMost("assets", assets.length, course.assets);
  for (const [c, collection] of collections.entries()) {
    const path = `collections.${c}`;
    text(`${path}.id`, "id", collection.id);
    text(`${path}.slug`, "slug", collection.slug);
    text(`${path}.title`, "title", collection.title);
    text(`${path}.summary`, "summary", collection.summary);
    atMost(`${path}.children`, collection.children.length, course.topics);
  }
  for (const [t, topic] of topics.entries()) {
    const path = `topics.${t}`;
    text(`${path}.id`, "id", topic.id);
    text(`${path}.slug`, "slug", topic.slug);
    text(`${path}.title`, "title", topic.title);
    text(`${path}.summary`, "summary", topic.summary);
    atMost(`${path}.objectives`, topic.objectives.length, course.objectives);
    atMost(`${path}.blocks`, topic.blocks.length, course.blocksPerTopic);
    for (const [o, objective] of topic.objectives.entries()) {
      text(`${path}.objectives.${o}.id`, "id", objective.id);
      text(`${path}.objectives.${o}.text`, "objective", objective.text);
    }
    for (const [b, block] of topic.blocks.entries()) {
      text(`${path}.blocks.${b}.id`, "id", block.id);
      text(`${path}.blocks.${b}.source`, "source", block.source);
    }
  }
  for (const [a, asset] of assets.entries()) text(`assets.${a}.path`, "assetPath", asset.path);
  return errors;
}
