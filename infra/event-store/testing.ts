import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewEvent } from "./events.ts";

/** What the tests of the event store share. */

/** A folder of its own; `remove` when done. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "colloquy-event-store-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
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
  throw new Error(`Expected a rejection with an error, got ${JSON.stringify(value)}`);
}

export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
