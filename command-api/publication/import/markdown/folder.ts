import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { ImportError, type ImportNote } from "../importer.ts";
import { decodeText } from "./decode.ts";

/** The files of an imported folder, by paths with `/`. Nothing outside of it is read, not even by a symbolic link. */
export interface Folder {
  files: ReadonlySet<string>;
  /** Whether a file may be read from the folder, even one in a hidden folder, which `files` leaves out. */
  holds(file: string): boolean;
  /**
   * A file's text; what is not UTF-8 is reported.
   * @throws {ImportError} for a file that lies elsewhere, is too large for a page, is binary (`NotText`) or in an unknown encoding; for one
   * that is gone, the system's error.
   */
  text(file: string): string;
  /** @throws {ImportError} for a file that lies elsewhere; for one that is gone, the system's error. */
  bytes(file: string): Uint8Array;
}

const skipped = new Set(["node_modules", "renv"]);
/** Folders of version control, which may hold passwords: never read. */
const secret = new Set([".git", ".hg", ".svn", ".jj"]);
/** Larger files are no pages, and larger folders no courses. */
const limits = { textBytes: 8_388_608, files: 20_000 };

/** @param report receives the files that are not UTF-8 and the symbolic links that are not followed. @throws {ImportError} when there is no such folder. */
export function openFolder(folder: string, report: ImportNote[] = []): Folder {
  let root: string;
  try {
    root = realpathSync(folder);
    if (!statSync(root).isDirectory()) throw new ImportError(`${folder} is a file. Name the folder that holds the course.`);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`There is no folder ${folder}.`, { cause: error });
  }
  const files = new Set<string>();
  const recoded = new Set<string>();
  collect(root, "", files, report);
  const bytes = (file: string): Uint8Array => {
    const full = realpathSync(path.join(root, file));
    if (!isInside(root, full)) throw new ImportError(`${file} leads out of the folder.`);
    return readFileSync(full);
  };
  return {
    files,
    holds: (file) => files.has(file) || leadsToFile(root, file),
    bytes,
    text(file) {
      const read = bytes(file);
      if (read.byteLength > limits.textBytes)
        throw new ImportError(
          `${file} has ${read.byteLength} bytes, and a page at most ${limits.textBytes}. Divide it, or take it out of the folder.`,
        );
      const { text, encoding } = decodeText(file, read);
      if (encoding && !recoded.has(file))
        report.push({ file, what: `${encoding} instead of UTF-8`, done: "read as that; look at its accented letters" });
      if (encoding) recoded.add(file);
      return text;
    },
  };
}

/** A folder within a folder, with paths of its own. */
export function partOf(folder: Folder, path: string): Folder {
  const prefix = `${path}/`;
  return {
    files: new Set([...folder.files].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length))),
    holds: (file) => folder.holds(prefix + file),
    text: (file) => folder.text(prefix + file),
    bytes: (file) => folder.bytes(prefix + file),
  };
}

function collect(root: string, under: string, files: Set<string>, report: ImportNote[]): void {
  for (const entry of entriesOf(root, under)) {
    const name = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name) && !entry.name.startsWith(".")) collect(root, name, files, report);
    } else if (entry.isFile() || (entry.isSymbolicLink() && leadsToFile(root, name))) files.add(name);
    else if (entry.isSymbolicLink() && !skipped.has(entry.name) && !entry.name.startsWith("."))
      report.push({ file: name, what: "a symbolic link to a folder or out of the course's folder", done: "left out" });
    if (files.size > limits.files)
      throw new ImportError(`The folder holds more than ${limits.files} files. Name the folder of one course.`);
  }
}

function entriesOf(root: string, under: string): Dirent[] {
  try {
    return readdirSync(path.join(root, under), { withFileTypes: true });
  } catch (error) {
    throw new ImportError(`The folder ${path.join(root, under)} cannot be read.`, { cause: error });
  }
}

const isInside = (root: string, full: string): boolean =>
  full === root ||
  (full.startsWith(root + path.sep) &&
    !full
      .slice(root.length + 1)
      .split(path.sep)
      .some((name) => secret.has(name.toLowerCase())));

function leadsToFile(root: string, name: string): boolean {
  try {
    const full = realpathSync(path.join(root, name));
    return isInside(root, full) && statSync(full).isFile();
  } catch {
    return false;
  }
}

/** A path as written on a page, seen from the folder's top; null when it leads out of the folder. */
export function joinPath(fromFile: string, written: string): string | null {
  const base = written.startsWith("/") ? "" : path.posix.dirname(fromFile);
  const joined = path.posix.normalize(path.posix.join(base, written.replace(/^\/+/, "")));
  return joined === ".." || joined.startsWith("../") ? null : joined.replace(/^\.\//, "");
}

/** Percent-encoded text as it was meant; what is not well encoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
