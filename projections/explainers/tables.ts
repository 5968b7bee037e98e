import type { CreateTableBuilder, SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface ExplainerTables {
  explainer_jobs: {
    job_id: string;
    account_id: string;
    course_id: string;
    topic_id: string;
    state: string;
    created_at: string;
    /** Of the render under way, or the last one; "" without one. */
    queued_at: string;
    /** Revision of the last event applied. */
    version: number;
    /** Padded position of the last event applied. */
    position: string;
    /** JSON of an ExplainerState: answer key included, so it never leaves as it is. */
    job: string;
  };
  /** Films that were made, by what they show and how. */
  explainer_films: {
    job_id: string;
    render_id: string;
    account_id: string;
    content_hash: string;
    /** 1: of a storyboard that its owner changed, so that it is not the course's alone. */
    edited: number;
    /** 1: somebody reported that it is wrong. */
    marked: number;
    /** JSON of a CachedFilm's artifacts, metrics and length. */
    film: string;
  };
  /** Which objects films need; the same bytes may be needed by many. */
  explainer_artifacts: { job_id: string; render_id: string; kind: string; sha256: string };
  explainer_corrections: {
    correction_id: string;
    job_id: string;
    course_id: string;
    topic_id: string;
    at: string;
    /** 1: an owner has dealt with it. */
    settled: number;
    /** Of what the film says and shows, in whichever settings; "" where that was not kept. */
    board_hash: string;
    /** JSON: what the course's owner reads of it. */
    correction: string;
  };
}

export const tables = [
  "explainer_jobs",
  "explainer_films",
  "explainer_artifacts",
  "explainer_corrections",
] as const satisfies (keyof ExplainerTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let jobs = schema.createTable("explainer_jobs").addColumn("job_id", "text", (column) => column.primaryKey());
  const texts = ["account_id", "course_id", "topic_id", "state", "created_at", "queued_at", "position", "job"] as const;
  for (const name of texts) jobs = jobs.addColumn(name, "text", (column) => column.notNull());
  await jobs.addColumn("version", "integer", (column) => column.notNull()).execute();
  await schema.createIndex("explainer_jobs_of_account").on("explainer_jobs").columns(["account_id", "created_at"]).execute();
  await schema.createIndex("explainer_jobs_of_state").on("explainer_jobs").columns(["state", "queued_at"]).execute();
  let films: CreateTableBuilder<string, string> = schema.createTable("explainer_films");
  for (const name of ["job_id", "render_id", "account_id", "content_hash", "film"] as const)
    films = films.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["edited", "marked"] as const) films = films.addColumn(name, "integer", (column) => column.notNull());
  await films.addPrimaryKeyConstraint("explainer_films_key", ["job_id", "render_id"]).execute();
  await schema.createIndex("explainer_films_of_content").on("explainer_films").columns(["content_hash"]).execute();
  let artifacts: CreateTableBuilder<string, string> = schema.createTable("explainer_artifacts");
  for (const name of ["job_id", "render_id", "kind", "sha256"] as const)
    artifacts = artifacts.addColumn(name, "text", (column) => column.notNull());
  await artifacts.addPrimaryKeyConstraint("explainer_artifacts_key", ["job_id", "render_id", "kind"]).execute();
  await schema.createIndex("explainer_artifacts_of_object").on("explainer_artifacts").columns(["sha256"]).execute();
  let corrections = schema.createTable("explainer_corrections").addColumn("correction_id", "text", (column) => column.primaryKey());
  for (const name of ["job_id", "course_id", "topic_id", "at", "correction"] as const)
    corrections = corrections.addColumn(name, "text", (column) => column.notNull());
  await corrections.execute();
  await schema.createIndex("explainer_corrections_of_course").on("explainer_corrections").columns(["course_id", "at"]).execute();
  await schema.createIndex("explainer_corrections_of_job").on("explainer_corrections").columns(["job_id"]).execute();
}

async function addSettled(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("explainer_corrections")
    .addColumn("settled", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function addBoardHash(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("explainer_corrections")
    .addColumn("board_hash", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await schema.createIndex("explainer_corrections_of_board").on("explainer_corrections").columns(["board_hash"]).execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-settled", up: addSettled },
  { name: "3-board-hash", up: addBoardHash },
];
