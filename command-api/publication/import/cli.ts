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
import { recordOperatorCommand } from "@colloquy/infra/operator-record.ts";
import { createPublication } from "../handlers.ts";
import { completedId } from "./course-id.ts";
import { importCourse } from "./import-course.ts";
import { ImportError } from "./importer.ts";
import { filmsText, reportText } from "./report.ts";

const usage = `Usage: npm run course:import -- <folder> … [--id <course id>] [--title "<title>"] [--pages]

Imports each folder as a course and publishes it, whether the program is running or not: Carpentries Workbench lessons,
mdBooks, MkDocs and docsify sites, Jupyter Books, plain folders of Markdown pages, and Colloquy course folders.
Importing the same folder again keeps the ids of what is the same.

  --id      the course's id, for one folder; without it, the id is made from the title
  --title   the course's title, for one folder
  --pages   take all Markdown pages in the order of their names, even if a folder within is a course of its own`;

/** The publisher of imports, in the events: whoever has a shell on the machine. */
const operator = "course-import";

interface Call {
  folders: string[];
  courseId?: string;
  title?: string;
  asPages: boolean;
}

const readArguments = (given: string[]): Call =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        id: { type: "string" },
        title: { type: "string" },
        pages: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) throw new UsageError("");
    if (positionals.length === 0) throw new UsageError("Name the folder to import.");
    for (const option of ["id", "title"] as const)
      if (positionals.length > 1 && values[option] !== undefined)
        throw new UsageError(`--${option} is for one folder, and there are ${positionals.length}. (A title with spaces needs quotes.)`);
    if (values.id !== undefined && completedId(values.id) === null)
      throw new UsageError(`"${values.id}" cannot be an id: use up to 64 letters, digits, "_" or "-", for instance --id shell-novice`);
    const courseId = values.id === undefined ? undefined : completedId(values.id);
    return {
      folders: positionals.map((folder) => resolve(folder)),
      ...(courseId && { courseId }),
      ...(values.title !== undefined && { title: values.title }),
      asPages: values.pages === true,
    };
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
  const { folders, courseId, title, asPages } = readArguments(given);
  const config = readConfig();
  const { store, running, publicUrl, close } = await reach(config);
  const imported: string[] = [];
  let failed = 0;
  try {
    const publication = createPublication({ eventStore: store, objectStore: openObjectStore(config) });
    for (const folder of folders) {
      try {
        const result = await importCourse({
          publication,
          folder,
          origin: "object-store",
          accountId: operator,
          asPages,
          taken: imported,
          ...(courseId !== undefined && { courseId }),
          ...(title !== undefined && { title }),
        });
        const id = result.course.manifest.courseId;
        imported.push(id);
        recordOperatorCommand(config, "course:import", { courseId: id });
        console.log(
          reportText(result, `${publicUrl ?? config.publicUrl}/courses/${id}${running ? "" : " (once the program runs: npm start)"}`),
        );
      } catch (error) {
        const failure = folders.length > 1 ? known(error) : null;
        if (!failure) throw error;
        failed += 1;
        console.error(`${folder}: ${failure.message}`);
      }
      if (folders.length > 1) console.log("");
    }
    const rest = imported.filter((id) => !offersExplainers(config, id));
    if (imported.length > 0) console.log(filmsText(imported, config.EXPLAINER_COURSE_IDS, rest));
    if (failed > 0) console.error(`${failed} of ${folders.length} folders were not imported.`);
    return failed > 0 ? 1 : 0;
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
