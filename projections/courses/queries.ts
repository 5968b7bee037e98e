import { positionOf } from "@colloquy/infra/database/positions.ts";
import { type CourseListing, courseListing } from "@colloquy/schemas/courses/revision.ts";
import type { Kysely } from "kysely";
import type { CourseTables } from "./tables.ts";

export type { CourseTables } from "./tables.ts";

export interface CourseCatalogue {
  /** Every published course, most recently published first. */
  list(): Promise<CourseListing[]>;
  get(courseId: string): Promise<CourseListing | null>;
}

export function courseCatalogue(database: Kysely<CourseTables>): CourseCatalogue {
  return {
    async list() {
      const rows = await database.selectFrom("courses").selectAll().orderBy("position", "desc").orderBy("course_id").execute();
      return rows.map(listingOf);
    },
    async get(courseId) {
      const row = await database.selectFrom("courses").selectAll().where("course_id", "=", courseId).executeTakeFirst();
      return row ? listingOf(row) : null;
    },
  };
}

function listingOf(row: CourseTables["courses"]): CourseListing {
  return courseListing.parse({
    courseId: row.course_id,
    title: row.title,
    summary: row.summary,
    language: row.language,
    origin: row.origin,
    sequence: Number(row.sequence),
    revisionId: row.revision_id,
    topics: Number(row.topics),
    publishedAt: row.published_at,
    position: positionOf(row.position) ?? "0",
  });
}
