import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "../../journeys/program.ts";
import { type MachineUse, observedEnvironment, watchProcesses } from "../harness/process-usage.ts";
import { waitForCourse } from "../harness/program.ts";
import type { LoadOptions, Told, Window } from "./generator.ts";

const courseId = "linear-maps";
const generatorFile = fileURLToPath(new URL("generator.ts", import.meta.url));

/** A measured window, with the usage of the machine and of each process. */
export interface MeasuredWindow extends Window {
  use: MachineUse;
  /** Events that became true. */
  events: number;
}

export interface LoadTarget {
  program: Program;
  /** Runs a load; calls `onWindow` after each window and resolves with the last one. */
  load(options: Omit<LoadOptions, "url" | "secret" | "courseId">, onWindow?: (seen: MeasuredWindow) => void): Promise<MeasuredWindow>;
  /** Bytes on the disk by what they are. */
  sizes(): Record<string, number>;
  close(): Promise<void>;
}

/**
 * The whole program as `npm start` runs it, with its demonstration courses and model, each process told to tell of itself.
 * @param collect whether a look at the processes collects their garbage first, so that what lives is seen
 */
export async function startTarget({ collect = false }: { collect?: boolean } = {}): Promise<LoadTarget> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-load-"));
  const secret = randomBytes(32).toString("hex");
  const observed = observedEnvironment(folder, collect);
  const program = await startProgram({ ...observed, SESSION_SECRET: secret, LOG_LEVEL: "warn" });
  const close = async (): Promise<void> => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForCourse(program, courseId);
  } catch (error) {
    await close();
    throw error;
  }

  async function load(
    options: Omit<LoadOptions, "url" | "secret" | "courseId">,
    onWindow: (seen: MeasuredWindow) => void = () => undefined,
  ) {
    const all: LoadOptions = { ...options, url: program.url, secret, courseId };
    const generator = fork(generatorFile, [JSON.stringify(all)], { env: { ...process.env, ...observed }, stdio: "inherit" });
    const ended = once(generator, "exit");
    let look: Promise<() => Promise<MachineUse>> | undefined;
    let seen: MeasuredWindow | undefined;
    let windows = 0;
    let appended = 0;
    const over = Promise.withResolvers<void>();
    generator.on("message", async (told: Told) => {
      try {
        const before = appended;
        appended = await appendedEvents(program.url);
        if (told.kind === "measuring") look = watchProcesses(folder);
        if (told.kind === "measuring" || !look) return;
        seen = { ...told.window, events: appended - before, use: await (await look)() };
        onWindow(seen);
        windows += 1;
        if (windows === options.windows) over.resolve();
      } catch (error) {
        over.reject(error);
      }
    });
    generator.once("exit", (code) => over.reject(new Error(`the generator ended by itself with ${code}`)));
    try {
      await over.promise;
    } finally {
      generator.kill("SIGKILL");
      await ended;
    }
    if (!seen) throw new Error("nothing was measured");
    return seen;
  }

  const sizes = (): Record<string, number> => ({
    events: sizeOf(join(program.dataDir, "event-store")),
    "read models": sizeOfReadModels(program.dataDir),
    objects: sizeOf(join(program.dataDir, "objects")),
  });
  return { program, load, sizes, close };
}

/** How many events the command API has written since it began. */
async function appendedEvents(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^colloquy_event_store_appended_events_total\{service="command-api"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Bytes of a file, or of every file of a folder. */
export function sizeOf(path: string): number {
  const about = statSync(path, { throwIfNoEntry: false });
  if (!about?.isDirectory()) return about?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Bytes of the read models of a data folder, with what is not in the main file yet. */
export const sizeOfReadModels = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => name.startsWith("read-models.db"))
    .reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
