import { courseQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import { type AuthoredCourse, blockTypes } from "@colloquy/schemas/courses/authored.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { PublishResult } from "../handlers.ts";
import type { ImportedPlace, ImportNote } from "./importer.ts";

export interface ImportResult {
  format: string;
  course: AuthoredCourse;
  report: ImportNote[];
  published: PublishResult;
}

const blockWords: Record<(typeof blockTypes)[number], string> = {
  "core.theory": "text",
  "core.key-points": "key points",
  "core.callout": "callouts",
  "core.code": "code",
  "core.figure": "figures",
  "core.diagram": "diagrams",
  "core.math": "formulas",
  "core.table": "tables",
  "core.exercise": "exercises",
  "core.question": "questions",
};
/** Places named of one kind of note; the rest are counted. */
const placesShown = 6;

/** What an import did, for a person at a terminal. */
export function reportText({ format, course, report, published }: ImportResult, courseUrl: string): string {
  const { topics, collections, assets } = course;
  const blocks = topics.flatMap((topic) => topic.blocks);
  const counts = blockTypes.flatMap((type) => {
    const count = blocks.filter((block) => block.type === type).length;
    return count > 0 ? [`${count} ${blockWords[type]}`] : [];
  });
  const inBank = courseQuestions(topics).filter(({ question }) => question.place === "bank").length;
  const objectives = topics.reduce((sum, topic) => sum + topic.objectives.length, 0);
  return [
    `${course.manifest.title} (${format})`,
    `  ${counted(topics.length, "topic")}, ${counted(collections.length, "collection")}, ${counted(objectives, "objective")}, ${counted(blocks.length, "block")}, ${counted(assets.length, "picture")}`,
    `  blocks: ${counts.join(", ")}`,
    inBank > 0
      ? `  question bank: ${counted(inBank, "question")}, which can show mastery in Tutor`
      : "  question bank: empty. In Tutor only questions with “place: bank” can show mastery, and those of a model that can check questions.",
    ...notesText(report),
    published.changed
      ? `Published as revision ${published.sequence}.`
      : `Nothing has changed since revision ${published.sequence}; it stays live.`,
    ...(published.restored > 0 ? [`Missing from the object store and written again: ${counted(published.restored, "object")}.`] : []),
    courseUrl,
  ].join("\n");
}

/**
 * What can be done with the imported courses besides reading, and how videos of the rest are allowed.
 * @param filmed the courses that may be filmed by the program's configuration
 * @param rest the imported courses that may not
 */
export function filmsText(courseIds: readonly string[], filmed: readonly string[], rest: readonly string[]): string {
  const always = `Asking, quizzes and Tutor work on ${courseIds.length === 1 ? "it" : "them"}`;
  if (rest.length === 0) return `${always}, and films are made of ${courseIds.length === 1 ? "it" : "them"} (EXPLAINER_COURSE_IDS).\n`;
  const which = courseIds.length === 1 ? "it" : rest.length < courseIds.length ? rest.join(", ") : "them";
  return `${always}. For films of ${which} start the program with EXPLAINER_COURSE_IDS=${[...filmed, ...rest].join(",")} (or * for every course).\n`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function notesText(report: ImportNote[]): string[] {
  if (report.length === 0) return ["  Everything was taken over."];
  const kinds = new Map<string, ImportNote[]>();
  for (const note of report) {
    const kind = `${note.what} → ${note.done}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), note]);
  }
  return [
    `  ${counted(report.length, "thing")} could not be taken over as written:`,
    ...[...kinds].flatMap(([kind, notes]) => {
      const places = notes.slice(0, placesShown).map(placeOf);
      const more = notes.length > placesShown ? ` and ${notes.length - placesShown} more` : "";
      const count = notes.reduce((sum, note) => sum + (note.count ?? 0), 0);
      return [`  - ${count ? `${count} ` : ""}${kind}`, `      ${places.join(", ")}${more}`];
    }),
  ];
}

const placeOf = ({ file, line, count }: ImportNote): string =>
  count === undefined ? (line === undefined ? file : `${file}:${line}`) : `${file} (${count})`;

/** Parts of a course by the words that people use for them. */
const courseParts: Readonly<Record<string, string>> = {
  topics: "the pages of the course",
  collections: "the parts of the course",
  assets: "the pictures of the course",
  "manifest.root": "the table of contents",
  "manifest.title": "the title of the course",
  "manifest.summary": "the summary of the course",
  "manifest.courseId": "the id of the course",
  "manifest.language": "the language of the course",
  "manifest.license": "the licence of the course",
};

/** Errors of a course with their places: the file and line of an imported folder where they are known, else the path in the course. */
export function fieldsText(fields: readonly FieldError[], course: AuthoredCourse | null, places: readonly ImportedPlace[] = []): string {
  return fields
    .map(({ path, message }) => {
      const [, t = "", b, line] = /^topics\.(\d+)(?:\.blocks\.(\d+)(?:\.source(?::(\d+))?)?)?/.exec(path) ?? [];
      const topic = course?.topics[Number(t)];
      const block = b === undefined ? undefined : topic?.blocks[Number(b)];
      const place = t === "" ? undefined : places[Number(t)];
      const at = place && block ? place.lineOf(Number(b), Number(line ?? 1)) : undefined;
      const where = t !== "" && topic ? ` (${topic.title}${block ? `, ${block.type} ${block.id}` : ""})` : "";
      return `  ${place ? `${place.file}${at ? `:${at}` : ""}` : (courseParts[path] ?? path)}${where}: ${message}${adviceOn(path, message)}`;
    })
    .join("\n");
}

/** What to do about a course that exceeds a limit. */
function adviceOn(path: string, message: string): string {
  if (!/^at most /.test(message)) return "";
  if (/^(?:topics|collections|manifest\.root|collections\.\d+\.children)$/.test(path))
    return ". Import its parts as courses of their own, each from its own folder.";
  if (/\.blocks$/.test(path)) return ". (These are the blocks of a page.) Make two pages of it.";
  if (/\.source$/.test(path)) return ". Divide this part.";
  return path === "assets" ? ". Import its parts as courses of their own." : ". Shorten it.";
}
