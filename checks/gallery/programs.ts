import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "../../journeys/program.ts";
import { sessionSecret } from "./accounts.ts";

/** What a render worker shows to be let in: the gallery is one itself, where a film has to wait or to fail. */
export const workerToken = "the gallery makes films itself, when it must";

const importer = "command-api/publication/import/cli.ts";
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** A lesson that is not part of the project: real prose, where it is at hand. */
const lesson = path("../../../shared/data/courses/shell-novice");
export const hasLesson = existsSync(lesson);

/** The courses of the everyday program besides the demonstration's own, by id: the folder each is made of. */
const courses: Record<string, string> = {
  "every-block": path("./every-block"),
  "edited-maps": path("../../infra/demo/courses/linear-maps"),
  ...(hasLesson && { "shell-novice": lesson }),
};

const kinds = {
  /** Everything there is, and a model that writes at once. */
  everyday: { environment: { DEMO_MODEL_WORD_MS: "1" }, courses },
  /** A model that writes slowly enough to be looked at. */
  slow: { environment: { DEMO_MODEL_WORD_MS: "600" }, courses: {} },
  /** Nothing yet: no course, no model. */
  bare: { environment: { DEMO_MODEL: "off", DEMO_COURSES: "off" }, courses: {} },
  /** One whose courses were taken from under it. */
  broken: { environment: { DEMO_MODEL: "off" }, courses: {} },
};

export type ProgramName = keyof typeof kinds;

/** The programs the scenes need, each started when the first of them asks. */
export function programs(): { of(name: ProgramName): Promise<Program>; stop(): Promise<void> } {
  const running = new Map<ProgramName, Promise<Program>>();
  const begin = async (name: ProgramName): Promise<Program> => {
    const { environment, courses: brought } = kinds[name];
    const program = await startProgram({ SESSION_SECRET: sessionSecret, RENDER_WORKER_TOKEN: workerToken, ...environment });
    try {
      for (const [id, folder] of Object.entries(brought)) await program.tool(importer, folder, "--id", id);
    } catch (error) {
      await program.stop();
      throw error;
    }
    return program;
  };
  return {
    of(name) {
      const program = running.get(name) ?? begin(name);
      running.set(name, program);
      return program;
    },
    async stop() {
      for (const program of running.values()) await program.then((one) => one.stop()).catch(() => undefined);
    },
  };
}
