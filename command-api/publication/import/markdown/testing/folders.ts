import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";

/** Writes files into a folder. Earlier ones are removed first, because file systems flush a file that is overwritten to the disk. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, content);
  }
}

/** Writes files into a folder of their own, hands it over, and removes it. */
export async function inFolder<Result>(
  files: Record<string, string | Uint8Array>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), "colloquy-import-"));
  try {
    writeFiles(folder, files);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder of the real courses, which lie beside the checkout; null, said on the terminal, where they are not. */
export function realCourse(name: string): string | null {
  const folder = fileURLToPath(new URL(`../../../../../../shared/data/courses/${name}`, import.meta.url));
  if (existsSync(folder)) return folder;
  console.warn(
    `      !! DID NOT RUN: the import of the real course ${name}, which is not beside the checkout (../shared/data/courses/${name})`,
  );
  return null;
}

/** The blocks of a course, parsed; fails on the first that cannot be. */
export function parsedBlocks(course: AuthoredCourse, slug?: string): ParsedBlock[] {
  return course.topics
    .filter((topic) => slug === undefined || topic.slug === slug)
    .flatMap((topic) => topic.blocks)
    .map((block) => {
      const parsed = parseBlock(block);
      if (!parsed.ok) throw new Error(`${block.id}: ${JSON.stringify(parsed.errors)}\n${block.source}`);
      return parsed.block;
    });
}

/** What is wrong with a course; empty when it may be published. */
export function faultsOf(course: AuthoredCourse): string[] {
  const result = validateCourse(course);
  return result.ok ? [] : result.fields.map(({ path: at, message }) => `${at}: ${message}`);
}

export const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4"/></svg>';
