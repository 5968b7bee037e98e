import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Failure, parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { type Config, offersExplainers, readConfig } from "@colloquy/infra/config.ts";
import { StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { AlreadyRunning } from "@colloquy/infra/event-store/embedded/server.ts";
import { type ReachedEventStore, reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { ObjectStoreRefused, ObjectStoreUnavailable, UnsafeObjectStore } from "@colloquy/infra/object-store/store.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { createPublication } from "../handlers.ts";
import { importCourse } from "./import-course.ts";
import { ImportError } from "./importer.ts";
import { filmsText, reportText } from "./report.ts";

const usage = `Usage: npm run course:import -- <folder> --id <course id> [--title "<title>"]

Imports a Carpentries Workbench lesson, an mdBook or a Colloquy course folder and publishes it,
whether the program is running or not. Importing the same folder again keeps the ids of what is the same.`;

/** The publisher of imports, in the events: whoever has a shell on the machine. */
const operator = "course-import";

const readArguments = (given: string[]): { folder: string; courseId: string; title?: string } =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: { id: { type: "string" }, title: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) throw new UsageError("");
    const [folder, ...rest] = positionals;
    if (!folder) throw new UsageError("Name the folder to import.");
    if (rest.length > 0) throw new UsageError(`One folder at a time: ${rest.join(" ")} is too much. (A title with spaces needs quotes.)`);
    if (values.id === undefined) throw new UsageError("Give the course an id: --id my-course");
    if (!id.safeParse(values.id).success)
      throw new UsageError(`"${values.id}" cannot be an id: use 8 to 64 letters, digits, "_" or "-", for instance --id shell-novice`);
    return { folder: resolve(folder), courseId: values.id, ...(values.title !== undefined && { title: values.title }) };
  });

async function reach(config: Config): Promise<ReachedEventStore> {
  try {
    return await reachEventStore(config);
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    throw new ImportError(`${error.message} Try again in a moment.`, { cause: error });
  }
}

async function run(given: string[]): Promise<number> {
  const { folder, courseId, title } = readArguments(given);
  const config = readConfig();
  const { store, running, publicUrl, close } = await reach(config);
  try {
    const publication = createPublication({ eventStore: store, objectStore: openObjectStore(config) });
    const options = {
      publication,
      folder,
      courseId,
      origin: "object-store" as const,
      accountId: operator,
      ...(title !== undefined && { title }),
    };
    const result = await importCourse(options);
    console.log(
      reportText(result, `${publicUrl ?? config.publicUrl}/courses/${courseId}${running ? "" : " (once the program runs: npm start)"}`),
    );
    console.log(filmsText(courseId, config.EXPLAINER_COURSE_IDS, offersExplainers(config, courseId)));
    return 0;
  } finally {
    await close();
  }
}

/** What is said of an error that is known here: what became of the import, and why. */
function known(error: unknown): Failure | null {
  if (error instanceof ImportError) return { message: `Nothing was imported.\n${error.message}`, code: 1 };
  if (error instanceof StoreUnavailable)
    return { message: `The event store cannot be reached: ${error.message}\nNothing was imported.`, code: 1 };
  const refused = [UnsafeObjectStore, ObjectStoreRefused, ObjectStoreUnavailable, ProblemError].some((kind) => error instanceof kind);
  return refused && error instanceof Error ? { message: `Nothing was published. ${error.message}`, code: 1 } : null;
}

await runTool(usage, run, known);
