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
    /** When the running or last render was queued; "" without one. */
    queued_at: string;
    /** Revision of the last event applied. */
    version: number;
    /** Padded position of the last event applied. */
    position: string;
    /** 1: an owner of the course offers it to everyone. */
    offered: number;
    /** JSON of an ExplainerState. It contains the answer key, so it must not be sent as it is. */
    job: string;
  };
  /** Finished films, by the hash of their content. */
  explainer_films: {
    job_id: string;
    render_id: string;
    account_id: string;
    content_hash: string;
    /** 1: the learner edited the storyboard, so it is not only from the course. */
    edited: number;
    /** 1: somebody reported an error in it. */
    marked: number;
    /** JSON of a CachedFilm's artifacts, metrics and length. */
    film: string;
  };
  /** Which objects films need; several films may need the same object. */
  explainer_artifacts: { job_id: string; render_id: string; kind: string; sha256: string };
  explainer_corrections: {
    correction_id: string;
    job_id: string;
    course_id: string;
    topic_id: string;
    at: string;
    /** 1: an owner has settled it. */
    settled: number;
    /** Hash of the storyboard, for all settings; "" if it was not stored. */
    board_hash: string;
    /** JSON of a ReportedCorrection, for the course's owner. */
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

async function addOffered(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("explainer_jobs")
    .addColumn("offered", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex("explainer_jobs_offered").on("explainer_jobs").columns(["course_id", "offered"]).execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-settled", up: addSettled },
  { name: "3-board-hash", up: addBoardHash },
  { name: "4-offered", up: addOffered },
];
