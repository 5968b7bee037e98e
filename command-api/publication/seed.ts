import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { DemonstrationCourse } from "@colloquy/infra/demo/courses.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Publication } from "./handlers.ts";
import { importCourse } from "./import/import-course.ts";

/** The publisher of the demonstration courses, in the events. */
const seeder = "demonstration";

interface SeedOptions {
  courses: readonly DemonstrationCourse[];
  publication: Publication;
  /** Where a small file keeps what was seeded: `DATA_DIR`. */
  dataDir: string;
  log: Logger;
}

/**
 * Publishes the demonstration courses whose folders have changed since they were last published. A course that somebody has
 * edited since is theirs and is left alone. A course that cannot be published is logged; the others go on.
 */
export async function seedDemonstrationCourses({ courses, publication, dataDir, log }: SeedOptions): Promise<void> {
  const stateFile = join(dataDir, "demonstration-courses.json");
  const seeded = await readSeeded(stateFile);
  for (const { courseId, folder, origin } of courses) {
    try {
      const hash = await hashOf(folder);
      const live = await publication.live(courseId);
      if (live && seeded[courseId] === hash && !(await publication.isDamaged(courseId))) continue;
      if (live && live.publishedBy !== seeder) {
        log.info({ courseId }, "the demonstration course was edited here and is left as it is");
        continue;
      }
      const { published } = await importCourse({ publication, folder, courseId, origin, accountId: seeder });
      seeded[courseId] = hash;
      await writeSeeded(stateFile, seeded);
      if (published.changed) log.info({ courseId, sequence: published.sequence }, "demonstration course published");
    } catch (error) {
      log.error({ err: error, courseId }, "the demonstration course could not be published");
    }
  }
}

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
