import path from "node:path";
import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import type { ImportedCourse, Importer, ImportNote } from "../importer.ts";
import { assembleCourse } from "../markdown/assemble.ts";
import type { DraftEntry, DraftTopic } from "../markdown/draft.ts";
import { type Folder, joinPath, openFolder } from "../markdown/folder.ts";
import { asText, readPage } from "../markdown/front-matter.ts";
import { textOf } from "../markdown/lines.ts";
import { withoutMarks } from "../markdown/marks.ts";
import { createPage, type Dialect } from "../markdown/page.ts";
import { createPictures } from "../markdown/pictures.ts";
import { plainText } from "../markdown/plain-text.ts";
import { readTopic } from "../markdown/read-topic.ts";
import { pandocId } from "../markdown/slugs.ts";
import { carpentriesContainers } from "./containers.ts";
import { type Lesson, readLesson } from "./lesson.ts";
import { withoutLiquid } from "./liquid.ts";

const dialect: Dialect = { headingId: pandocId, math: "dollars", dashes: "both" };

/**
 * Imports a Carpentries Workbench lesson: the overview (index.md), the episodes in order, then collections with the pages for
 * learners, for instructors, and about the lesson. @throws {ImportError} when the folder holds no such lesson.
 */
export const importCarpentries: Importer = async (folderPath, { courseId, title, previous }): Promise<ImportedCourse> => {
  const report: ImportNote[] = [];
  const folder = openFolder(folderPath, report);
  const lesson = readLesson(folder, report);
  const pictures = createPictures(folder, {
    candidates: pictureFiles,
    pathOf: (file) => file.replace(/^episodes\//, ""),
    isSource: (file) => !file.startsWith("site/"),
  });
  const definitions = folder.files.has("links.md") ? folder.text("links.md") : "";

  const read = (file: string): DraftEntry[] => {
    const page = createPage({ file, dialect, report, image: pictures.image });
    const text = readPage(folder, page);
    if (!text) return [];
    const { values, lines } = text;
    if (isPlaceholder(asText(values.title), textOf(lines))) {
      page.note(undefined, "a page that still is the lesson template's placeholder", "left out");
      return [];
    }
    if (/\.Rmd$/i.test(file) && /^```\{r/m.test(textOf(lines)))
      page.note(undefined, "R code whose results are made when the lesson is built", "the code is imported, its results are not");
    const topic = readTopic(page, withoutLiquid(lines, page), {
      slug: slugOf(file),
      title: asText(values.title) && plainText(asText(values.title) ?? ""),
      fallbackTitle: titleOf(file),
      rule: carpentriesContainers,
      definitions,
    });
    if (topic.blocks.length === 0 && topic.objectives.length === 0) {
      page.note(undefined, "a page without content", "left out");
      return [];
    }
    const summary = timesOf(values);
    return [{ kind: "topic", topic: { ...topic, ...(summary && { summary }) } }];
  };
  const collection = (key: string, name: string, files: string[]): DraftEntry[] => {
    const children = files.flatMap(read);
    return children.length ? [{ kind: "collection", key, slug: slugFrom(name), title: name, children }] : [];
  };

  const overview = lesson.pages.overview.flatMap(read);
  const entries: DraftEntry[] = [
    ...overview,
    ...lesson.pages.episodes.flatMap(read),
    ...collection("learners", "For learners", [...lesson.pages.learners, ...lesson.pages.profiles]),
    ...collection("instructors", "For instructors", lesson.pages.instructors),
    ...collection("about", "About this lesson", lesson.pages.about),
  ];
  const manifest = {
    courseId,
    title: (title ?? lesson.title ?? path.basename(folderPath)).slice(0, 200),
    summary: summaryOf(overview),
    language: lesson.language,
    ...(lesson.license && { license: lesson.license }),
  };
  return assembleCourse({ manifest, entries, pictures, links: linkRules(lesson, folder), report }, previous);
};

/** A picture's path may be meant from its page, from the episodes, or from the top: the Workbench builds all pages into one folder. */
function pictureFiles(file: string, written: string): string[] {
  const fromPage = joinPath(file, written);
  const flat = written.replace(/^(?:\.{0,2}\/)+/, "").replace(/^episodes\//, "");
  return [...(fromPage === null ? [] : [fromPage]), `episodes/${flat}`, `learners/${flat}`, `instructors/${flat}`, flat];
}

function linkRules(lesson: Lesson, folder: Folder) {
  const { site } = lesson;
  return {
    site,
    otherPages: (stem: string): string[] => {
      const name = path.posix.basename(stem);
      return ["episodes", "learners", "instructors", "profiles"]
        .flatMap((under) => [`${under}/${name}.md`, `${under}/${name}.Rmd`])
        .concat(`${name}.md`);
    },
    fileAddress: (file: string): string | null => {
      if (!site || !path.posix.extname(file)) return null;
      const flat = file.replace(/^(?:episodes|learners|instructors|profiles)\//, "");
      const served = folder.files.has(file) || /^(?:data|files|fig)\//.test(flat);
      return served ? `${site}/${flat.split("/").map(encodeURIComponent).join("/")}` : null;
    },
  };
}

const slugOf = (file: string): string => (/^index\.R?md$/i.test(file) ? "overview" : slugFrom(path.posix.parse(file).name));

const titleOf = (file: string): string =>
  /^index\.R?md$/i.test(file) ? "Overview" : path.posix.parse(file).name.replaceAll(/[-_]+/g, " ");

const isPlaceholder = (title: string | undefined, text: string): boolean =>
  title === "FIXME" && /^\s*This is a placeholder file\.\s*Please add content here\.\s*$/.test(text);

/** How long an episode takes, as its front matter says (minutes). */
function timesOf(values: Record<string, unknown>): string | undefined {
  const { teaching, exercises } = values;
  if (typeof teaching !== "number" || teaching <= 0) return undefined;
  const practice = typeof exercises === "number" && exercises > 0 ? `, ${exercises} minutes of exercises` : "";
  return `${teaching} minutes of teaching${practice}.`;
}

/** The first paragraph of the overview. */
function summaryOf(overview: readonly DraftEntry[]): string {
  const [entry] = overview;
  const topic: DraftTopic | undefined = entry?.kind === "topic" ? entry.topic : undefined;
  const first = topic?.blocks.find((block) => block.type === "core.theory");
  const markdown = first?.type === "core.theory" ? first.data.markdown : "";
  const paragraph = markdown.split(/\n{2,}/).find((part) => !part.startsWith("#")) ?? "";
  return plainText(withoutMarks(paragraph)).slice(0, 1_000);
}
