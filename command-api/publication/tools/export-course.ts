import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Asset, AuthoredCourse, ContainerRef, Topic } from "@colloquy/schemas/courses/authored.ts";
import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import { stringify } from "yaml";
import { escapedSource } from "../import/block-marks.ts";

/** A course that cannot be written into a folder; the message says why. */
export class ExportRefused extends Error {
  override name = "ExportRefused";
}

/**
 * A course as files of Colloquy's own folder format (docs/teach/course-format.md), by path. Importing them gives the same course with the same
 * ids; white space around a block's source aside. Assets are not among them: `exportCourse` writes their bytes.
 */
export function courseFiles(course: AuthoredCourse): Map<string, string> {
  const places = coursePlaces(course);
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const nameOf = (topicId: string): string => places.get(topicId)?.path ?? topicId;
  const contents = (refs: readonly ContainerRef[]): unknown[] =>
    refs.map(({ kind, id }) => {
      const collection = collections.get(id);
      if (kind === "topic" || !collection) return nameOf(id);
      const { slug, title, summary, children } = collection;
      return { collection: slug, id, title, ...(summary !== undefined && { summary }), contents: contents(children) };
    });
  const { courseId, title, summary, language, license, root } = course.manifest;
  const elsewhere = course.assets.map(({ path }) => path).filter((path) => !path.startsWith("assets/"));
  const settings = {
    id: courseId,
    title,
    summary,
    language,
    ...(license !== undefined && { license }),
    ...(elsewhere.length > 0 && { files: elsewhere }),
    contents: contents(root),
  };
  const files = new Map([["course.yaml", yaml(settings)]]);
  for (const topic of course.topics) files.set(`topics/${nameOf(topic.id)}.md`, topicFile(topic));
  return files;
}

const yaml = (value: object): string => stringify(value, { lineWidth: 0 });

function topicFile({ id, slug, title, summary, objectives, blocks }: Topic): string {
  const front = { id, slug, title, ...(summary !== undefined && { summary }), ...(objectives.length > 0 && { objectives }) };
  const parts = blocks.map((block) => `<!-- ${block.type} ${block.id} -->\n${escapedSource(block.source)}\n`);
  return [`---\n${yaml(front)}---\n`, ...parts].join("\n");
}

/**
 * Writes a course into a folder that is empty or not there yet.
 * @throws {ExportRefused} for a folder that holds something, and a file whose bytes are lost
 */
export async function exportCourse(
  course: AuthoredCourse,
  folder: string,
  readAsset: (asset: Asset) => Promise<Uint8Array | null>,
): Promise<{ files: number }> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new ExportRefused(`${folder} cannot be written into: ${error.message}`, { cause: error });
  });
  if (there.length > 0) throw new ExportRefused(`${folder} is not empty. Name a folder that is not there yet.`);
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  };
  const files = courseFiles(course);
  for (const [path, text] of files) await write(path, text);
  for (const asset of course.assets) {
    const bytes = await readAsset(asset);
    if (!bytes) throw new ExportRefused(`The bytes of ${asset.path} are missing from the object store.`);
    await write(asset.path, bytes);
  }
  return { files: files.size + course.assets.length };
}
