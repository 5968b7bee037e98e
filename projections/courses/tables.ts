import type { SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface CourseTables {
  courses: {
    course_id: string;
    title: string;
    summary: string;
    language: string;
    origin: string;
    sequence: number;
    revision_id: string;
    topics: number;
    published_at: string;
    /** Padded position of the event that published the revision. */
    position: string;
  };
}

export const tables = ["courses"] as const satisfies (keyof CourseTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let courses = schema.createTable("courses").addColumn("course_id", "text", (column) => column.primaryKey());
  for (const name of ["title", "summary", "language", "origin", "revision_id", "published_at", "position"] as const)
    courses = courses.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["sequence", "topics"] as const) courses = courses.addColumn(name, "integer", (column) => column.notNull());
  await courses.execute();
}

export const migrations: Migration[] = [{ name: "1-courses", up: create }];
