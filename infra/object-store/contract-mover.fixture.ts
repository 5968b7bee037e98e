import { createHash } from "node:crypto";
import { readConfig } from "../config.ts";
import { openObjectStore } from "./open.ts";

/**
 * A process that moves one large object, for the contract: `contract-mover.fixture.ts put|stream <key> <bytes>` prints the object's hash and by
 * how many bytes its memory peaked above what it held before (for `put` beside the object itself). Wants `--expose-gc`.
 */
const [what, key = "", size = "0"] = process.argv.slice(2);
const store = openObjectStore(readConfig());
const sha256 = createHash("sha256");
const sweepEachBytes = 4 << 20;

/** Connections and code are there before memory is measured. */
async function warmUp(): Promise<void> {
  await store.put(`${key}-small`, Buffer.alloc(100_000));
  for await (const _ of (await store.stream(`${key}-small`))?.stream ?? []);
  await store.remove(`${key}-small`);
}

async function put(): Promise<number> {
  const bytes = Buffer.alloc(Number(size));
  for (let at = 0; at < bytes.length; at += 8) bytes.writeDoubleLE(at / 3, at);
  const before = held();
  let peak = before;
  // Whoever holds it a second time does so while it is written. The system's own peak would not do: a process starts with its parent's.
  const watching = setInterval(() => {
    peak = Math.max(peak, held());
  }, 5);
  const { ok } = await store.put(key, bytes, { ifNoneMatch: true });
  clearInterval(watching);
  if (!ok) throw new Error("Something has this key already");
  sha256.update(bytes);
  return peak - before;
}

async function stream(): Promise<number> {
  const before = held();
  const found = await store.stream(key);
  if (found?.size !== Number(size)) throw new Error(`Expected ${size} bytes, found ${found?.size}`);
  let peak = 0;
  let unswept = 0;
  for await (const chunk of found.stream as AsyncIterable<Buffer>) {
    sha256.update(chunk);
    unswept += chunk.length;
    if (unswept < sweepEachBytes) continue;
    unswept = 0;
    peak = Math.max(peak, held());
  }
  return peak - before;
}

/** Without rubbish, of which V8 lets 64 MiB gather before it sweeps. */
function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await warmUp();
const grownBy = what === "put" ? await put() : await stream();
console.log(JSON.stringify({ grownBy, sha256: sha256.digest("hex") }));
