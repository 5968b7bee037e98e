import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { checkKey, folderOfPrefix, type ObjectStore, resolveRange, type WriteCondition } from "./store.ts";

/** Names that no key can have, so that they never collide with an object. */
const workFolder = ".work";
const lockFile = ".lock.db";
/** How long a writer waits for the lock; each holder keeps it for about a millisecond. */
const lockTimeoutMs = 5_000;
/** Unfinished files this old belong to a process that died. */
const abandonedAfterMs = 3_600_000;

/**
 * Objects as files of a folder. A new object is linked into place, which fails if one exists; a replacement is renamed over the old one.
 * Compare-and-replace holds the folder's lock: a lock of the operating system, taken by SQLite, that a crash releases.
 */
export function folderObjectStore(root: string): ObjectStore {
  let prepared: Promise<DatabaseSync> | undefined;
  const prepare = (): Promise<DatabaseSync> => {
    prepared ??= prepareFolder(root).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, ...key.split("/").map(fileName));
  };

  /** Runs synchronous work while holding the lock. */
  async function exclusively<Result>(work: () => Result): Promise<Result> {
    const lock = await prepare();
    lock.exec("BEGIN IMMEDIATE");
    try {
      return work();
    } finally {
      lock.exec("COMMIT");
    }
  }

  async function write(path: string, bytes: Uint8Array, condition: WriteCondition | undefined): Promise<boolean> {
    const unfinished = join(root, workFolder, randomUUID());
    try {
      await writeDurably(unfinished, bytes);
      if (condition && "ifNoneMatch" in condition) return await linkNew(unfinished, path);
      return await exclusively(() => {
        if (condition && etagAt(path) !== condition.ifMatch) return false;
        renameSync(unfinished, path);
        return true;
      });
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  return {
    async get(key) {
      const bytes = await readFile(pathOf(key)).catch(absent);
      return bytes && { bytes, etag: etagOf(bytes) };
    },

    async put(key, bytes, condition) {
      const path = pathOf(key);
      await prepare();
      if (condition && "ifMatch" in condition && !(await stat(path).catch(absent))) return { ok: false };
      await mkdir(dirname(path), { recursive: true });
      if (!(await write(path, bytes, condition))) return { ok: false };
      await syncFolder(dirname(path));
      return { ok: true, etag: etagOf(bytes) };
    },

    list: (prefix) => listKeys(root, prefix),

    async stream(key, range) {
      const file = await open(pathOf(key)).catch(absent);
      if (!file) return null;
      try {
        const { size } = await file.stat();
        const { start, end } = resolveRange(size, range);
        if (end >= start) return { stream: file.createReadStream({ start, end }), size, start, end };
        await file.close();
        return { stream: Readable.from([]), size, start, end };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async remove(key) {
      const path = pathOf(key);
      await exclusively(() => rmSync(path, { force: true }));
    },
  };
}

async function prepareFolder(root: string): Promise<DatabaseSync> {
  const work = join(root, workFolder);
  await mkdir(work, { recursive: true });
  for (const name of await readdir(work)) {
    const path = join(work, name);
    const found = await stat(path).catch(absent);
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
  return new DatabaseSync(join(root, lockFile), { timeout: lockTimeoutMs });
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** False if something has the name already. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Makes new names in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function etagAt(path: string): string | null {
  try {
    return etagOf(readFileSync(path));
  } catch (error) {
    return absent(error);
  }
}

const etagOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function* listKeys(root: string, prefix: string): AsyncGenerator<string> {
  for await (const key of walk(root, folderOfPrefix(prefix))) if (key.startsWith(prefix)) yield key;
}

async function* walk(root: string, folder: string): AsyncGenerator<string> {
  const path = join(root, ...folder.split("/").map(fileName));
  const entries = (await readdir(path, { withFileTypes: true }).catch(absent)) ?? [];
  const named = entries
    .filter((entry) => !entry.name.startsWith("."))
    .map((entry) => ({ folder: entry.isDirectory(), key: `${folder}${keyPart(entry.name)}${entry.isDirectory() ? "/" : ""}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const entry of named) {
    if (entry.folder) yield* walk(root, entry.key);
    else yield entry.key;
  }
}

/** Capitals are escaped, because some file systems do not distinguish `A` from `a`. */
const fileName = (part: string): string => part.replaceAll(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`);
const keyPart = (name: string): string => name.replaceAll(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** Null for a file that does not exist; rethrows other errors. */
function absent(error: unknown): null {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}
