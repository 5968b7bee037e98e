import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { NewEvent } from "./events.ts";

/** What the tests of the event store share. */

/** A folder of its own; `remove` when done. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "colloquy-event-store-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A disk of a few megabytes, mounted at a folder. */
export interface SmallDisk {
  /** Fills it to the last byte. */
  fill(): void;
  /** Takes away what filled it. */
  empty(): void;
  /** Makes it four times as large. */
  grow(): void;
  remove(): void;
}

/** Mounts a small disk (tmpfs), which root may do on Linux; null where that is not allowed, which it says loudly. */
export function smallDisk(folder: string, bytes = 6 * 1024 * 1024): SmallDisk | null {
  const mount = (...given: string[]): void => void execFileSync("mount", [...given, folder], { stdio: "ignore" });
  try {
    mount("-t", "tmpfs", "-o", `size=${bytes},mode=700`, "tmpfs");
  } catch {
    console.warn("      !! DID NOT RUN: mounting a small disk is not allowed here (it takes root on Linux).");
    return null;
  }
  const filler = join(folder, "filler");
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail > 0) writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: "a" });
    },
    empty: () => rmSync(filler),
    grow: () => mount("-o", `remount,size=${bytes * 4}`),
    remove: () => void execFileSync("umount", [folder]),
  };
}

/** Whether files could be made immutable (`+i`) or not so (`-i`): that takes root on Linux and a file system that knows it. Says loudly when not. */
export function immutable(mark: "+i" | "-i", file: string): boolean {
  try {
    execFileSync("chattr", [mark, file], { stdio: "ignore" });
    return true;
  } catch {
    if (mark === "+i")
      console.warn("      !! DID NOT RUN: files cannot be made immutable here (it takes root on Linux, and ext4 or the like).");
    return false;
  }
}

export function newEvent(data: object, id: string = crypto.randomUUID()): NewEvent {
  return { id, type: "Noted", data, metadata: { accountId: "acc_test", requestId: id, correlationId: "test" } };
}

/** The first `count` things of a sequence, or all there are. */
export async function collect<Item>(items: AsyncIterable<Item>, count = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const collected: Item[] = [];
  if (count <= 0) return collected;
  for await (const item of items) if (collected.push(item) >= count) break;
  return collected;
}

/** What a promise is rejected with. @throws when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const value = await promise.then(
    (fulfilled) => ({ fulfilled }),
    (error: unknown) => ({ error }),
  );
  if ("error" in value && value.error instanceof Error) return value.error;
  throw new Error(`Expected a rejection with an error, got ${inspect(value)}`);
}

export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
