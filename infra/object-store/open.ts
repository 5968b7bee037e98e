import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { folderObjectStore } from "./folder.ts";
import { type ObjectStore, UnsafeObjectStore } from "./store.ts";

/**
 * The store of published courses: the folder `DATA_DIR/objects`, made at the first write.
 * Before its first conditional write it is put to the test, once, and refused when it does not keep conditions.
 */
export function openObjectStore(config: Pick<Config, "DATA_DIR">): ObjectStore {
  return probedBeforeUse(folderObjectStore(join(config.DATA_DIR, "objects")));
}

/** Lets no conditional write through to a store that ignores conditions. */
export function probedBeforeUse(store: ObjectStore): ObjectStore {
  let probe: Promise<void> | undefined;
  return {
    ...store,
    async put(key, bytes, condition) {
      if (condition) {
        probe ??= probeConditionalWrites(store);
        await probe.catch((error: unknown) => {
          // A store that could not be reached may be asked again; one that failed the test stays refused.
          if (!(error instanceof UnsafeObjectStore)) probe = undefined;
          throw error;
        });
      }
      return store.put(key, bytes, condition);
    },
  };
}

/** @throws {UnsafeObjectStore} naming the condition the store ignores: some S3 look-alikes accept every write. */
export async function probeConditionalWrites(store: ObjectStore): Promise<void> {
  const key = `probes/${randomUUID()}`;
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const expect = (holds: boolean, what: string): void => {
    if (!holds) throw new UnsafeObjectStore(`The object store does not honour conditional writes: ${what}`);
  };
  try {
    expect(!(await store.put(key, bytes("0"), { ifMatch: "0".repeat(64) })).ok, "it replaced an object that was not there");
    const created = await store.put(key, bytes("1"), { ifNoneMatch: true });
    expect(created.ok, "it refused to create an object");
    expect(!(await store.put(key, bytes("2"), { ifNoneMatch: true })).ok, "it created an object twice");
    expect(!(await store.put(key, bytes("3"), { ifMatch: "0".repeat(64) })).ok, "it replaced an object that had changed");
    expect(
      created.ok && (await store.put(key, bytes("4"), { ifMatch: created.etag })).ok,
      "it refused to replace an object that had not changed",
    );
  } finally {
    await store.remove(key);
  }
}
