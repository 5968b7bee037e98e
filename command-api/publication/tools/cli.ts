import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Failure, parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { type ObjectStore, ObjectStoreRefused, ObjectStoreUnavailable, UnsafeObjectStore } from "@colloquy/infra/object-store/store.ts";
import { recordOperatorCommand } from "@colloquy/infra/operator-record.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { createPublication, type Publication } from "../handlers.ts";
import { readCourseFolder } from "../import/import-course.ts";
import { ImportError } from "../import/importer.ts";
import { fieldsText } from "../import/report.ts";
import type { WrittenRevision } from "../revisions.ts";
import { ExportRefused, exportCourse } from "./export-course.ts";
import { changesText, revisionText } from "./revision-text.ts";
import { RollbackRefused, rollBack } from "./rollback.ts";

const usage = `Usage:
  npm run course:export -- <folder> --id <course id> [--revision <number>]
      Writes a course into a new folder of Markdown files, which course:import reads back as the same course.
  npm run course:validate -- <folder> [--id <course id>]
      Checks a folder as an import would, and publishes nothing.
  npm run course:validate -- --id <course id>
      Checks the live revision: its objects, and what they hold.
  npm run course:history -- --id <course id> [--last <number>]
      Lists the revisions: when, by whom, what changed.
  npm run course:rollback -- --id <course id> --to <number>
      Publishes an older revision as the next one.`;

/** The publisher of rollbacks, in the events: whoever has a shell on the machine. */
const operator = "course-rollback";
const commands = ["export", "validate", "history", "rollback"] as const;
/** Revisions whose changes are told, unless asked for more: each is read whole. */
const shownByDefault = 20;

interface Call {
  command: (typeof commands)[number];
  folder: string | null;
  courseId: string | null;
  number: number | null;
}

const readArguments = ([name, ...given]: string[]): Call =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        id: { type: "string" },
        revision: { type: "string" },
        last: { type: "string" },
        to: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    const command = commands.find((known) => known === name);
    if (values.help || name === undefined) throw new UsageError("");
    if (!command) throw new UsageError(`There is no tool ${name}.`);
    const [folder, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`One folder at a time: ${rest.join(" ")} is too much.`);
    if (command === "export" && folder === undefined) throw new UsageError("Name the folder to write.");
    if (folder !== undefined && (command === "history" || command === "rollback"))
      throw new UsageError(`course:${command} takes no folder.`);
    if (values.id !== undefined && !id.safeParse(values.id).success) throw new UsageError(`"${values.id}" is no id of a course.`);
    if (values.id === undefined && !(command === "validate" && folder !== undefined))
      throw new UsageError("Name the course: --id my-course");
    const option = { export: values.revision, history: values.last, rollback: values.to, validate: undefined }[command];
    if (command === "rollback" && option === undefined)
      throw new UsageError("Name the revision to go back to: --to 3 (course:history lists them).");
    if (option !== undefined && !/^[1-9]\d{0,8}$/.test(option)) throw new UsageError(`"${option}" is no number of a revision.`);
    return {
      command,
      folder: folder === undefined ? null : resolve(folder),
      courseId: values.id ?? null,
      number: option === undefined ? null : Number(option),
    };
  });

interface Tools {
  publication: Publication;
  objectStore: ObjectStore;
}

/** The live revision, or the one of a number. @throws {ExportRefused} */
async function revisionOf({ publication }: Tools, courseId: string, sequence: number | null): Promise<WrittenRevision> {
  const history = await publication.history(courseId);
  const published = sequence === null ? history.at(-1) : history.find((one) => one.sequence === sequence);
  if (!published)
    throw new ExportRefused(
      history.length === 0
        ? `The course ${courseId} was never published.`
        : `The course ${courseId} has revisions 1 to ${history.length}, no ${sequence}.`,
    );
  const written = await publication.read(published);
  if (!written) throw new ExportRefused(`Objects of revision ${published.sequence} of ${courseId} are missing from the object store.`);
  return written;
}

async function exportTo(tools: Tools, folder: string, courseId: string, sequence: number | null): Promise<number> {
  const written = await revisionOf(tools, courseId, sequence);
  const { files } = await exportCourse(
    written.course,
    folder,
    async ({ sha256 }) => (await tools.objectStore.get(courseKeys.asset(courseId, sha256)))?.bytes ?? null,
  );
  console.log(`Revision ${written.sequence} of ${written.course.manifest.title}: ${files} files in ${folder}`);
  return 0;
}

/** Said of a course that was checked; 1 when it has errors. */
function told(what: string, course: unknown): number {
  const result = validateCourse(course);
  if (result.ok)
    console.log(
      `${what} is valid: ${result.course.topics.length} topics, ${result.course.topics.reduce((sum, { blocks }) => sum + blocks.length, 0)} blocks.`,
    );
  else console.error(`${what} has errors:\n${fieldsText(result.fields, course as Parameters<typeof fieldsText>[1])}`);
  return result.ok ? 0 : 1;
}

async function validateLive(tools: Tools, courseId: string): Promise<number> {
  const { course, sequence } = await revisionOf(tools, courseId, null);
  const lost: string[] = [];
  for (const { path, sha256 } of course.assets) if (!(await tools.objectStore.get(courseKeys.asset(courseId, sha256)))) lost.push(path);
  for (const path of lost) console.error(`The bytes of ${path} are missing from the object store.`);
  return Math.max(told(`Revision ${sequence} of ${courseId}`, course), lost.length > 0 ? 1 : 0);
}

async function showHistory({ publication }: Tools, courseId: string, last: number): Promise<number> {
  const history = await publication.history(courseId);
  if (history.length === 0) throw new ExportRefused(`The course ${courseId} was never published.`);
  let before: WrittenRevision | null = null;
  const first = Math.max(history.length - last, 0);
  for (const [index, published] of history.entries()) {
    if (index < first - 1) continue;
    const written = await publication.read(published);
    if (index >= first) {
      const known = written !== null && (index === 0 || before !== null);
      console.log(
        revisionText(published, index === history.length - 1, known ? changesText(before?.course ?? null, written.course) : null),
      );
    }
    before = written;
  }
  return 0;
}

async function run(given: string[]): Promise<number> {
  const { command, folder, courseId, number } = readArguments(given);
  if (command === "validate" && folder !== null) {
    const { course } = await readCourseFolder(folder, { courseId: courseId ?? "some-course", previous: null });
    return told(folder, course);
  }
  const config = readConfig();
  const { store, close } = await reachEventStore(config);
  try {
    const objectStore = openObjectStore(config);
    const tools = { publication: createPublication({ eventStore: store, objectStore }), objectStore };
    const named = courseId ?? "";
    if (command === "export") return await exportTo(tools, folder ?? "", named, number);
    if (command === "validate") return await validateLive(tools, named);
    if (command === "history") return await showHistory(tools, named, number ?? shownByDefault);
    const { sequence, changed } = await rollBack({ ...tools, courseId: named, sequence: number ?? 0, accountId: operator });
    recordOperatorCommand(config, "course:rollback", { courseId: named, revision: String(number) });
    console.log(
      changed
        ? `Revision ${number} is published again, as revision ${sequence}.`
        : `Revision ${sequence}, which is live, has that content already.`,
    );
    return 0;
  } finally {
    await close();
  }
}

function known(error: unknown): Failure | null {
  const kinds = [ExportRefused, RollbackRefused, ImportError, UnsafeObjectStore, ObjectStoreRefused, ObjectStoreUnavailable, ProblemError];
  return error instanceof Error && kinds.some((kind) => error instanceof kind) ? { message: error.message, code: 1 } : null;
}

await runTool(usage, run, known);
