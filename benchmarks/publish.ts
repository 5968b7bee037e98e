import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublication } from "@colloquy/command-api/publication/handlers.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { bigCourse } from "./support/big-course.ts";

const size = { topics: 300, blocks: 10_000 };
const rounds = 3;
const boundMs = 3_000;

/** A whole course published, first and after a change in one block, against only putting its text into the same store. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-publish-"));
  const server = await spawnEventStore(folder);
  const eventStore = openEventStore(server.url);
  const objectStore = openObjectStore(readConfig({ DATA_DIR: folder }));
  try {
    const publication = createPublication({ eventStore, objectStore });
    const [first, changed, baseline]: Taken[][] = [[], [], []];
    let bytes = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const courseId = `big-course-${round}`;
      // As it comes off the wire.
      const text = JSON.stringify(bigCourse(courseId, size.topics, size.blocks));
      bytes = text.length;
      const parsed = (): AuthoredCourse => JSON.parse(text) as AuthoredCourse;
      const publish = async (course: AuthoredCourse, requestId: string, base: { sequence: number; revisionId: string } | null) =>
        publication.publishCourse({
          courseId,
          course,
          base,
          requestId,
          accountId: "acc_owner",
          origin: "object-store",
          readAsset: async () => null,
        });
      let live = { sequence: 0, revisionId: "" };
      const whole = await timed(async () => {
        live = await publish(parsed(), "request-first", null);
      });
      const edited = parsed();
      const block = edited.topics[7]?.blocks[7];
      if (block) block.source = `${block.source} Edited.`;
      const again = await timed(() => publish(edited, "request-second", live));
      const plain = await timed(async () => {
        for (const [index, topic] of parsed().topics.entries())
          await objectStore.put(`plain/${round}/${index}`, Buffer.from(JSON.stringify(topic)), { ifNoneMatch: true });
      });
      if (round === 0) continue;
      first?.push(whole);
      changed?.push(again);
      baseline?.push(plain);
    }
    const row = (what: string, samples: Taken[] = [], of: keyof Taken = "ms") => {
      const [value, plain] = [samples, baseline ?? []].map((taken) =>
        percentile(
          taken.map((one) => one[of]),
          0.5,
        ),
      ) as [number, number];
      const bound = of === "ms" ? ` (bound ${boundMs / 1_000} s: ${value <= boundMs ? "holds" : "MISSED"})` : "";
      return { what: what + bound, value: milliseconds(value), baseline: milliseconds(plain), ratio: times(value / plain) };
    };
    return {
      title: `Publish: ${size.topics} topics, ${size.blocks.toLocaleString("en")} blocks, ${(bytes / 1e6).toFixed(1)} MB of JSON (median of ${rounds})`,
      baseline: "the same topics put into the same folder one after another, each synced to disk; no validation, no search index, no event",
      rows: [
        row("first revision", first),
        row("first revision, processor time of the publishing process", first, "processorMs"),
        row("next revision, one block changed", changed),
        row("next revision, processor time of the publishing process", changed, "processorMs"),
      ],
      note: "On a machine that others keep busy the clock tells of them; the processor time is the publication's own.",
    };
  } finally {
    await eventStore.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Taken {
  ms: number;
  /** Of this process, all its threads. */
  processorMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const [began, processor] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(processor);
  return { ms: performance.now() - began, processorMs: (user + system) / 1_000 };
}
