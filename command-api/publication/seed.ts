import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Backoff } from "@colloquy/infra/backoff.ts";
import type { DemonstrationCourse } from "@colloquy/infra/demo/courses.ts";
import { StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Publication } from "./handlers.ts";

/** The publisher of the demonstration courses, in the events. */
const seeder = "demonstration";

interface SeedOptions {
  courses: readonly DemonstrationCourse[];
  publication: Publication;
  /** Where a small file keeps what was seeded: `DATA_DIR`. */
  dataDir: string;
  log: Logger;
  signal: AbortSignal;
}

const retryMs = { firstMs: 500, longestMs: 30_000 };

/**
 * Publishes the demonstration courses whose folders have changed since they were last published. A course that somebody has
 * edited since is theirs and is left alone. A course that cannot be published is logged; the others go on. While the event store is away it
 * waits, however long that takes.
 */
export async function seedDemonstrationCourses({ courses, publication, dataDir, log, signal }: SeedOptions): Promise<void> {
  const stateFile = join(dataDir, "demonstration-courses.json");
  const seeded = await readSeeded(stateFile);
  const backoff = new Backoff(retryMs);
  const left = [...courses];
  for (let course = left.shift(); course && !signal.aborted; course = left.shift()) {
    const { courseId, folder, origin } = course;
    try {
      const hash = await hashOf(folder);
      const live = await publication.live(courseId);
      if (live && seeded[courseId] === hash && !(await publication.isDamaged(courseId))) continue;
      if (live && live.publishedBy !== seeder) {
        log.info({ courseId }, "the demonstration course was edited here and is left as it is");
        continue;
      }
      // Most starts import nothing.
      const { importCourse } = await import("./import/import-course.ts");
      const { published } = await importCourse({ publication, folder, courseId, origin, accountId: seeder });
      seeded[courseId] = hash;
      await writeSeeded(stateFile, seeded);
      if (published.changed) log.info({ courseId, sequence: published.sequence }, "demonstration course published");
      backoff.reset();
    } catch (error) {
      if (signal.aborted) return;
      if (isStoreAway(error)) {
        if (backoff.failures === 0) log.warn({ courseId }, "the demonstration courses are published when the event store is there");
        left.unshift(course);
        await backoff.pause(signal);
        continue;
      }
      log.error({ err: error, courseId }, "the demonstration course could not be published");
    }
  }
}

/** Also where the publication says so in its own words. */
const isStoreAway = (error: unknown): boolean =>
  error instanceof Error && (error instanceof StoreUnavailable || isAway(error) || isStoreAway(error.cause));
const isAway = (error: Error): boolean => error instanceof ProblemError && error.code === "unavailable";

/** One hash over the names and bytes of a folder's files. */
async function hashOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${relative(folder, file).replaceAll("\\", "/")}\0`).update(await readFile(file));
  return hash.digest("hex");
}

async function readSeeded(file: string): Promise<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
  } catch {
    // Missing or broken: the courses are imported once more, which changes nothing when they are live.
    return {};
  }
}

async function writeSeeded(file: string, seeded: Record<string, string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(seeded, null, 2)}\n`);
  await rename(draft, file);
}
