import { contentsOf } from "@colloquy/query-api/courses/contents.ts";
import { topicRenderer } from "@colloquy/query-api/courses/render-topic.ts";
import type { CourseRevision } from "@colloquy/query-api/courses/revisions.ts";
import type { RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { topicOf } from "./support/big-course.ts";

const blocks = 100;
const topics = 160;
const warmup = 60;
const bounds = { coldMs: 20, cachedMs: 2 };

/** A topic's text rendered on the server, its first time and out of the cache, against copying the HTML that comes out. */
export async function run(): Promise<Benchmark> {
  const all = Array.from({ length: topics }, (_, number) => topicOf(number, blocks));
  const manifest: RevisionManifest = {
    schemaVersion: 1,
    courseId: "big-course",
    sequence: 1,
    title: "Big",
    summary: "",
    language: "en",
    origin: "object-store",
    root: all.map(({ id }) => ({ kind: "topic", id })),
    collections: [],
    topics: all.map(({ id, slug, title }) => ({ id, slug, title, unit: "0".repeat(64) })),
    assets: [],
  };
  const byId = new Map(all.map((topic) => [topic.id, topic]));
  const revision = {
    manifest,
    contents: contentsOf(manifest),
    assets: new Map(),
    asset: async () => null,
    listing: { courseId: "big-course", revisionId: "revision-1" },
    topic: async (id: string) => byId.get(id),
  } as unknown as CourseRevision;
  const render = topicRenderer();
  const [cold, cached, copied]: [number[], number[], number[]] = [[], [], []];
  let processorMs = 0;
  for (const [index, { id }] of all.entries()) {
    const processor = process.cpuUsage();
    const first = await timed(() => render(revision, id));
    const { user, system } = process.cpuUsage(processor);
    const again = await timed(() => render(revision, id));
    const { html } = await render(revision, id);
    const copy = await timed(async () => Buffer.from(html));
    if (index < warmup) continue;
    processorMs += (user + system) / 1_000;
    cold.push(first);
    cached.push(again);
    copied.push(copy);
  }
  const plain = percentile(copied, 0.5);
  const row = (what: string, samples: number[], share: number, bound: number) => {
    const value = percentile(samples, share);
    const holds = value <= bound ? "holds" : "MISSED";
    return {
      what: `${what} (bound ${bound} ms: ${holds})`,
      value: milliseconds(value),
      baseline: milliseconds(plain),
      ratio: times(value / plain),
    };
  };
  return {
    title: `A reading page's text: a topic of ${blocks} blocks, rendered on the server (${topics - warmup} topics)`,
    baseline: "the finished HTML turned into bytes",
    rows: [
      row("cold, median", cold, 0.5, bounds.coldMs),
      { what: "cold, processor time, mean", value: milliseconds(processorMs / cold.length) },
      row("cold, 95th percentile", cold, 0.95, bounds.coldMs),
      row("from the cache, median", cached, 0.5, bounds.cachedMs),
      row("from the cache, 99th percentile", cached, 0.99, bounds.cachedMs),
    ],
    note: "On a machine that others keep busy the clock tells of them; the processor time is the rendering's own, all threads together.",
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
