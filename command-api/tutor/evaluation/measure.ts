import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "@colloquy/infra/config.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { openEmbeddings } from "@colloquy/infra/embeddings/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { meaningSearch, openPassageLibrary, shippedVectors } from "@colloquy/projections/passages/queries.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import { createPublication } from "../../publication/handlers.ts";
import { importCourse } from "../../publication/import/import-course.ts";
import { tutorCourses } from "../course.ts";
import { checkGoal } from "../goal.ts";
import { objectivesFor } from "../objectives.ts";
import type { Goal } from "./goals.ts";

export interface Selected {
  goal: Goal;
  chosen: readonly string[];
  missing: readonly string[];
  /** Neither wanted nor needed. */
  beside: readonly string[];
}

type Searched = Parameters<typeof checkGoal>[0];

/** Does something with the demonstration courses, as the service searches them; `byMeaning`: with the model that ships. */
async function onCourses<Result>(byMeaning: boolean, use: (searched: Searched) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "goals-"));
  const log = createLog("test", { LOG_LEVEL: "silent" });
  const embedded = await startEventStore({ dataDir: folder, port: 0 });
  const store = openEventStore(embedded.url);
  try {
    const objectStore = openObjectStore({ DATA_DIR: folder });
    const publication = createPublication({ eventStore: store, objectStore });
    const listings = new Map<string, CourseListing>();
    for (const course of demonstrationCourses) {
      const { published } = await importCourse({ publication, ...course, accountId: "acc_test_owner" });
      const { courseId, origin } = course;
      const { sequence, revisionId, position } = published;
      const common = { title: courseId, summary: "", language: "en", topics: 1, publishedAt: new Date().toISOString() };
      listings.set(courseId, { courseId, origin, sequence, revisionId, position, ...common });
    }
    const catalogue = { list: async () => [...listings.values()], get: async (id: string) => listings.get(id) ?? null };
    const config = readConfig({ DATA_DIR: folder, NODE_ENV: "development" });
    const embeddings = byMeaning ? openEmbeddings(config) : null;
    const meaning = embeddings && meaningSearch({ objectStore, log, shipped: shippedVectors, ...embeddings, questionMs: 10_000 });
    const library = openPassageLibrary({
      objectStore,
      catalogue,
      ...(meaning && { embedQuestion: meaning.embedQuestion, closeness: meaning.closeness }),
    });
    await library.references("");
    const stop = new AbortController();
    const keeping = meaning?.keepVectors(library, stop.signal);
    for (let progress = meaning?.progress(); progress && !(progress.current && progress.embedded === progress.passages); ) {
      await pause(100);
      progress = meaning?.progress();
    }
    const courses = tutorCourses({ objectStore, library });
    const result = await use({ library, courses });
    stop.abort();
    await keeping;
    return result;
  } finally {
    await store.close();
    await embedded.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Selects the objectives of each goal. */
export const selectAll = (goals: readonly Goal[], byMeaning: boolean): Promise<Selected[]> =>
  onCourses(byMeaning, async ({ library, courses }) => {
    const selected: Selected[] = [];
    for (const goal of goals) {
      const chosen = (await objectivesFor(library, await courses.live(goal.course), goal.goal, [])).map(({ objectiveId }) => objectiveId);
      selected.push({
        goal,
        chosen,
        missing: goal.wanted.filter((one) => !chosen.includes(one)),
        beside: chosen.filter((one) => !goal.wanted.includes(one) && !goal.needed.includes(one)),
      });
    }
    return selected;
  });

/** The goals, of pairs of a course and a goal, that the service takes for related to their course, searched by meaning. */
export const relatedOf = (pairs: readonly Pick<Goal, "course" | "goal">[]): Promise<string[]> =>
  onCourses(true, async (searched) => {
    const related: string[] = [];
    for (const { course, goal } of pairs)
      if ((await checkGoal(searched, { schemaVersion: 1, courseId: course, goal })).related) related.push(goal);
    return related;
  });

/** Goals whose wanted objectives were all selected, those with nothing beside the goal, and the shares of objectives. */
export function figuresOf(selected: readonly Selected[]) {
  const count = (list: readonly Selected[], of: (one: Selected) => number): number => list.reduce((sum, one) => sum + of(one), 0);
  return {
    goals: selected.length,
    complete: count(selected, ({ missing }) => (missing.length === 0 ? 1 : 0)),
    nothingBeside: count(selected, ({ beside }) => (beside.length === 0 ? 1 : 0)),
    wanted: count(selected, ({ goal }) => goal.wanted.length),
    found: count(selected, ({ goal, missing }) => goal.wanted.length - missing.length),
    chosen: count(selected, ({ chosen }) => chosen.length),
    beside: count(selected, ({ beside }) => beside.length),
  };
}
