import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A test file and how many imports lie between it and the nearest changed file; 0: it changed itself. */
export interface AffectedTest {
  file: string;
  distance: number;
}

const git = (root: string, ...args: string[]): string[] =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    .split("\0")
    .filter(Boolean);

/**
 * Paths, relative to `root`, that differ from where this branch left `base`: committed, uncommitted, untracked and deleted files.
 * @throws when there is no such branch
 */
export function changedFiles(root: string, base: string): string[] {
  const [fork = ""] = git(root, "merge-base", base, "HEAD").map((line) => line.trim());
  const tracked = git(root, "diff", "--name-only", "--no-renames", "-z", fork);
  return [...new Set([...tracked, ...git(root, "ls-files", "--others", "--exclude-standard", "-z")])].sort();
}

/** Every file of the project, as git sees it. */
export function projectFiles(root: string): string[] {
  const files = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z");
  return [...new Set(files)].filter((file) => existsSync(join(root, file)));
}

const isTest = (file: string): boolean => /\.(test|journey)\.ts$/.test(file);
/** The compiler erases them: what they name cannot change what a test does. */
const typeImports = /^(?:import|export) type [^;]*?;/gms;
const quoted = /["'`]((?:@colloquy\/|\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\.\w+)["'`]/g;
const imported = /(?:from|import\(?)\s*["']([^"']+)["']/g;

/**
 * The tests that a change of `changed` can reach, nearest first. A file reaches what it imports and every file that it names in quotes
 * (a program it starts, a style sheet it reads). Journeys count by their imports alone: each starts the whole program, so that
 * otherwise every change would reach all of them.
 * @param read gives the text of a project file
 */
export function affectedTests(changed: readonly string[], files: readonly string[], read: (file: string) => string): AffectedTest[] {
  const known = new Set([...files, ...changed]);
  const importers = new Map<string, string[]>();
  for (const file of files) {
    if (!/\.[cm]?[jt]s$/.test(file)) continue;
    const pattern = file.startsWith("journeys/") ? imported : quoted;
    for (const [, name = ""] of read(file).replace(typeImports, "").matchAll(pattern))
      for (const target of candidates(file, name)) if (known.has(target)) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map also visits what is added while it is walked: this is a breadth-first search.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return [...distances]
    .filter(([file]) => isTest(file) && files.includes(file))
    .map(([file, distance]) => ({ file, distance }))
    .sort((one, other) => one.distance - other.distance || one.file.localeCompare(other.file));
}

/** The project files that a name in a file's text may mean. */
function candidates(file: string, name: string): string[] {
  if (name.startsWith("@colloquy/")) return [name.slice("@colloquy/".length)];
  if (name.startsWith("/")) return [name.slice(1)];
  const relative = normalize(join(dirname(file), name));
  return name.startsWith(".") ? [relative] : [relative, name];
}

/** @returns `read` for `affectedTests` */
export const readerOf =
  (root: string) =>
  (file: string): string =>
    readFileSync(join(root, file), "utf8");
