import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readConfig } from "@colloquy/infra/config.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";

const object = { bytes: 4_096, warmup: 100, count: 500 };
const writers = { at: 16, each: 50 };
const large = 64 << 20;

/** The S3 client against our double, a process of its own that keeps objects in memory; beside it the durable folder, same calls. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-objects-"));
  const double = await spawnDouble();
  try {
    const folderFigures = await measure(openObjectStore(readConfig({ DATA_DIR: folder })));
    const figures = await measure(openObjectStore(readConfig({ ...double.environment, DATA_DIR: folder })));
    const row = (what: string, read: (figures: Figures) => number, text: (value: number) => string) => {
      const [value, baseline] = [read(figures), read(folderFigures)];
      return { what, value: text(value), baseline: text(baseline), ratio: times(value / baseline) };
    };
    const objectsEachSecond = (value: number): string => `${Math.round(value).toLocaleString("en")} objects/s`;
    const mebibytesEachSecond = (value: number): string => `${Math.round(value).toLocaleString("en")} MiB/s`;
    return {
      title: `Object store: S3 over HTTP (objects of ${object.bytes / 1_024} KiB)`,
      baseline: "the same calls on the folder, which syncs to disk; the S3 is our double on this machine, in memory, signatures checked",
      rows: [
        row("conditional create, median", ({ create }) => percentile(create, 0.5), milliseconds),
        row("conditional create, 99th percentile", ({ create }) => percentile(create, 0.99), milliseconds),
        row("conditional replace, median", ({ replace }) => percentile(replace, 0.5), milliseconds),
        row("create that is lost, median", ({ lost }) => percentile(lost, 0.5), milliseconds),
        row(`conditional create, ${writers.at} at once`, ({ together }) => together, objectsEachSecond),
        row("get, median", ({ get }) => percentile(get, 0.5), milliseconds),
        row("get, 99th percentile", ({ get }) => percentile(get, 0.99), milliseconds),
        row(`list ${object.count + object.warmup} keys`, ({ list }) => list, milliseconds),
        row(`put ${large >> 20} MiB`, ({ putLarge }) => putLarge, mebibytesEachSecond),
        row(`stream ${large >> 20} MiB`, ({ streamLarge }) => streamLarge, mebibytesEachSecond),
      ],
    };
  } finally {
    await double.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of each call, or what is done each second. */
interface Figures {
  create: number[];
  replace: number[];
  lost: number[];
  get: number[];
  list: number;
  together: number;
  putLarge: number;
  streamLarge: number;
}

async function measure(store: ObjectStore): Promise<Figures> {
  const each = async (count: number, work: (number: number) => Promise<unknown>): Promise<number[]> => {
    const taken: number[] = [];
    for (let number = 0; number < count; number += 1) taken.push(await timed(() => work(number)));
    return taken;
  };
  const key = (number: number): string => `courses/benchmark/units/${number}`;
  const create = async (at: string): Promise<string> => {
    const put = await store.put(at, randomBytes(object.bytes), { ifNoneMatch: true });
    if (!put.ok) throw new Error(`${at} was there already`);
    return put.etag;
  };
  const all = object.count + object.warmup;
  const created = (await each(all, (number) => create(key(number)))).slice(object.warmup);
  const lost = await each(object.count, (number) => store.put(key(number), randomBytes(object.bytes), { ifNoneMatch: true }));
  const got = (await each(all, (number) => store.get(key(number)))).slice(object.warmup);
  const listed = await each(5, () => Array.fromAsync(store.list("courses/benchmark/")));
  let etag = await create("courses/benchmark/live.json");
  const replaced = await each(object.count, async () => {
    const put = await store.put("courses/benchmark/live.json", randomBytes(object.bytes), { ifMatch: etag });
    if (!put.ok) throw new Error("A replacement was lost without a rival");
    etag = put.etag;
  });
  const together = await timed(() =>
    Promise.all(Array.from({ length: writers.at }, (_, writer) => each(writers.each, (number) => create(`together/${writer}/${number}`)))),
  );
  const bytes = randomBytes(large);
  const put = await timed(() => store.put("large", bytes));
  const streamed = await timed(async () => {
    for await (const _ of (await store.stream("large"))?.stream ?? []);
  });
  const mebibytesEachSecond = (taken: number): number => ((large >> 20) * 1_000) / taken;
  return {
    create: created,
    replace: replaced,
    lost,
    get: got,
    list: percentile(listed, 0.5),
    together: (writers.at * writers.each * 1_000) / together,
    putLarge: mebibytesEachSecond(put),
    streamLarge: mebibytesEachSecond(streamed),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function spawnDouble(): Promise<{ environment: Record<string, string>; stop(): Promise<void> }> {
  const main = fileURLToPath(import.meta.resolve("@colloquy/infra/object-store/s3-double.ts"));
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    environment: JSON.parse(line) as Record<string, string>,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
