import {
  type AuthoredCourse,
  type Block,
  blockTypes,
  type ContainerRef,
  type Objective,
  type Topic,
} from "@colloquy/schemas/courses/authored.ts";
import { textRules } from "@colloquy/schemas/courses/field-rules.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { issueWords } from "@colloquy/schemas/text/issue-words.ts";
import { type Document, isMap, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { AssetRefused, takeAsset } from "../assets.ts";
import { readMark, unescapedLine } from "./block-marks.ts";
import { idFrom } from "./ids.ts";
import { ImportError, type ImportedCourse, type ImportedPlace, type Importer, type ImportNote } from "./importer.ts";
import { type Folder, openFolder } from "./markdown/folder.ts";
import { pairSimilar, wordsOf } from "./similarity.ts";
import { yamlValue } from "./yaml-value.ts";

/*
 * Colloquy's own folder format: `course.yaml` says what the course contains, `topics/<name>.md` holds a topic each: front matter,
 * then blocks, each begun by a line `<!-- core.theory <block id> -->`; pictures lie under `assets/`. Docs: docs/teach/course-format.md.
 */

const name = z.string().regex(/^[A-Za-z0-9][\w-]*(?:\/[A-Za-z0-9][\w-]*)*$/, "expected the name of a file under topics/, without .md");
interface CollectionEntry {
  collection: string;
  id?: string | undefined;
  title: string;
  summary?: string | undefined;
  contents: (string | CollectionEntry)[];
}
const collectionEntry: z.ZodType<CollectionEntry> = z.strictObject({
  collection: z.string(),
  id: z.string().optional(),
  title: z.string(),
  summary: z.string().optional(),
  get contents() {
    return z.array(z.union([name, collectionEntry]));
  },
});
const courseFile = z.strictObject({
  id: z.string().optional(),
  title: z.string(),
  summary: z.string().default(""),
  language: z.string().default("en"),
  license: z.string().optional(),
  /** Pictures that do not lie under assets/, by their paths. */
  files: z.array(z.string().regex(textRules.assetPath.pattern, textRules.assetPath.expected.message)).default([]),
  contents: z.array(z.union([name, collectionEntry])).min(1, "a course needs at least one page"),
});
const frontMatter = z.strictObject({
  id: z.string().optional(),
  slug: z.string().optional(),
  title: z.string(),
  summary: z.string().optional(),
  objectives: z.array(z.union([z.string(), z.strictObject({ id: z.string(), text: z.string() })])).default([]),
});

/** Whether `importNative` can read a folder. */
export const isNativeCourse = (folder: Folder): boolean => folder.files.has("course.yaml");

/** Imports a folder in Colloquy's own format; its ids are the authors' and are kept as they are. @throws {ImportError} */
export const importNative: Importer = async (folderPath, { courseId, title, previous }): Promise<ImportedCourse> => {
  const problems: string[] = [];
  const report: ImportNote[] = [];
  const folder = openFolder(folderPath, report);
  const settings = readYaml(readText(folder, "course.yaml"), "course.yaml", 1, courseFile);
  const before = new Map(previous?.topics.map((topic) => [topic.id, topic]));
  const topics = new Map<string, Topic>();
  const places = new Map<string, ImportedPlace>();
  const collections: AuthoredCourse["collections"] = [];

  function contained(entries: (string | CollectionEntry)[], within: string): ContainerRef[] {
    const refs: ContainerRef[] = [];
    for (const entry of entries) {
      if (typeof entry === "string") {
        const known = topics.get(entry);
        const { topic, place } = known ? { topic: known, place: null } : readTopic(folder, entry, courseId, before, problems);
        if (place) places.set(entry, place);
        topics.set(entry, topic);
        refs.push({ kind: "topic", id: topic.id });
        continue;
      }
      const path = within ? `${within}/${entry.collection}` : entry.collection;
      const id = entry.id ?? idFrom("collection", courseId, path);
      const children = contained(entry.contents, path);
      collections.push({
        id,
        slug: entry.collection,
        title: entry.title,
        ...(entry.summary !== undefined && { summary: entry.summary }),
        children,
      });
      refs.push({ kind: "collection", id });
    }
    return refs;
  }

  const root = contained(settings.contents, "");
  const assets = readAssets(folder, settings.files, report);
  if (problems.length > 0) throw new ImportError(`The course has errors:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  for (const file of under(folder, "topics/"))
    if (file.endsWith(".md") && !topics.has(file.slice("topics/".length, -".md".length)))
      report.push({ file, what: "is not named in course.yaml", done: "left out" });
  return {
    course: {
      manifest: {
        courseId,
        title: title ?? settings.title,
        summary: settings.summary,
        language: settings.language,
        ...(settings.license !== undefined && { license: settings.license }),
        root,
      },
      collections,
      topics: [...topics.values()],
      assets: assets.map(({ asset }) => asset),
    },
    places: [...places.values()],
    assets: new Map(assets.map(({ asset, bytes }) => [asset.path, bytes])),
    report,
  };
};

const under = (folder: Folder, prefix: string): string[] => [...folder.files].filter((file) => file.startsWith(prefix)).sort();

const readBytes = (folder: Folder, file: string): Uint8Array => readFile(file, () => folder.bytes(file));

function readFile<Content>(file: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readText(folder: Folder, file: string): string {
  return readFile(file, () => folder.text(file)).replaceAll(/\r\n?/g, "\n");
}

function readYaml<Type extends z.ZodType>(text: string, file: string, firstLine: number, schema: Type): z.output<Type> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  const lineOf = (offset: number): number => firstLine - 1 + lines.linePos(offset).line;
  if (error) throw new ImportError(`${file}:${lineOf(error.pos[0])}: ${error.message.split("\n", 1)[0]}`, { cause: error });
  const result = schema.safeParse(held(document, file), { error: issueWords });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const node = document.getIn(issue.path as (string | number)[], true);
    const start = typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range) ? Number(node.range[0]) : 0;
    return `${file}:${lineOf(isMap(document.contents) ? start : 0)}: ${issue.path.map(String).join(".") || "the file"}: ${issue.message}`;
  });
  throw new ImportError(problems.join("\n"));
}

function held(document: Document, file: string): unknown {
  try {
    return yamlValue(document);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : String(cause);
    const advice = cause instanceof ReferenceError ? ' Put a text that begins with "*" in quotes.' : "";
    throw new ImportError(`${file}: ${why}.${advice}`, { cause });
  }
}

function readTopic(
  folder: Folder,
  file: string,
  courseId: string,
  before: Map<string, Topic>,
  problems: string[],
): { topic: Topic; place: ImportedPlace } {
  const path = `topics/${file}.md`;
  const lines = readText(folder, path).split("\n");
  const end = lines[0]?.trimEnd() === "---" ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---") : -1;
  if (end < 0) throw new ImportError(`${path}:1: expected front matter: a line "---", then id, slug, title, …, then a line "---"`);
  const front = readYaml(`${lines.slice(1, end).join("\n")}\n`, path, 2, frontMatter);
  const id = front.id ?? idFrom("topic", courseId, file);
  const sourcesBefore = new Map([...before.values()].flatMap((topic) => topic.blocks.map((block) => [block.id, block.source])));
  const blocks: Block[] = [];
  const starts: number[] = [];
  let open: { block: Block; start: number; lines: string[] } | null = null;
  const close = (): void => {
    if (!open) return;
    const source = trimLines(open.lines);
    const published = sourcesBefore.get(open.block.id);
    // Files do not keep white space around a source: what is published with it stays, so that an unchanged block makes no revision.
    const isUnchanged = published !== undefined && trimLines(published.split(/\r\n?|\n/)) === source;
    const block = { ...open.block, source: isUnchanged ? published : source };
    const parsed = parseBlock(block);
    const start =
      open.start +
      Math.max(
        open.lines.findIndex((line) => line.trim() !== ""),
        0,
      );
    if (!parsed.ok) for (const error of parsed.errors) problems.push(`${path}:${start + error.line}: ${error.message}`);
    starts.push(start);
    blocks.push(block);
  };
  for (const [index, line] of lines.entries()) {
    if (index <= end) continue;
    const mark = readMark(line);
    if (mark && "type" in mark) {
      close();
      open = { block: { ...mark, source: "" }, start: index + 1, lines: [] };
    } else if (mark) problems.push(`${path}:${index + 1}: "${mark.unknown}" is no type of block. There are: ${blockTypes.join(", ")}`);
    else if (open) open.lines.push(unescapedLine(line));
    else if (line.trim()) {
      problems.push(
        `${path}:${index + 1}: text before the first block. Begin a block with a line such as <!-- core.theory my-block-id -->`,
      );
      break;
    }
  }
  close();
  const topic = {
    id,
    slug: front.slug ?? (file.split("/").at(-1) ?? file).toLowerCase(),
    title: front.title,
    ...(front.summary !== undefined && { summary: front.summary }),
    objectives: objectivesOf(front.objectives, id, before.get(id)?.objectives ?? []),
    blocks,
  };
  return { topic, place: { file: path, lineOf: (index, line) => (starts[index] ?? 0) + line } };
}

function trimLines(lines: string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? "" : lines.slice(first).join("\n").trimEnd();
}

/** Objectives written as plain texts get ids that follow from the text, or keep the one the edited text had before. */
function objectivesOf(given: (string | Objective)[], topicId: string, before: Objective[]): Objective[] {
  const objectives = given.map((entry) =>
    typeof entry === "string" ? { id: idFrom("objective", topicId, entry.trim()), text: entry } : entry,
  );
  const ids = new Set(objectives.map(({ id }) => id));
  const written = new Set(given.flatMap((entry) => (typeof entry === "string" ? [] : [entry.id])));
  const known = new Set(before.map(({ id }) => id));
  const fresh = objectives.filter(({ id }) => !written.has(id) && !known.has(id));
  const kept = pairSimilar(
    fresh,
    before.filter(({ id }) => !ids.has(id)),
    ({ text }) => wordsOf(text),
    0.5,
  );
  return objectives.map((objective) => ({ ...objective, id: kept.get(objective)?.id ?? objective.id }));
}

function readAssets(folder: Folder, others: readonly string[], report: ImportNote[]): ReturnType<typeof takeAsset>[] {
  const pictures = under(folder, "assets/").filter((file) => !file.includes("/."));
  const files = [...new Set([...pictures, ...others])].sort();
  const assets: ReturnType<typeof takeAsset>[] = [];
  for (const file of files) {
    try {
      assets.push(takeAsset(file, readBytes(folder, file)));
    } catch (error) {
      if (!(error instanceof AssetRefused)) throw error;
      report.push({ file, what: error.message, done: "left out" });
    }
  }
  return assets;
}
