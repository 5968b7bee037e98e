import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome, Reader } from "./outcome.ts";

/** One part of a test run: a process, and how to read its result from what it prints. */
export interface Stage {
  name: string;
  what: string;
  command: readonly [program: string, ...args: string[]];
  read: Reader;
  /** Processes that are busy at once. */
  jobs: number;
}

export interface StageResult extends Outcome {
  stage: Stage;
  seconds: number;
}

/** The tests start hundreds of processes of the same modules: Node keeps their compiled code here. */
const compileCache = fileURLToPath(new URL("../node_modules/.cache/colloquy/compiled", import.meta.url));

const heading = ({ name, what }: Stage): string => `\n━━ ${name}: ${what}\n`;

/** Runs one stage. `live` shows its output as it comes, else it is printed when the stage ends. Null: it was aborted. */
function run(stage: Stage, live: boolean, output: (text: string) => void, signal?: AbortSignal): Promise<StageResult | null> {
  const started = performance.now();
  process.stdout.write(live ? heading(stage) : `… ${stage.name} begins\n`);
  return new Promise((resolve) => {
    const [program, ...args] = stage.command;
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      // What can be aborted gets a process group, so that an abort also ends what it started.
      detached: signal !== undefined,
      env: { ...process.env, NODE_ENV: "test", FORCE_COLOR: "0", NODE_COMPILE_CACHE: compileCache },
    });
    const end = (): void => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    };
    signal?.addEventListener("abort", end);
    let text = "";
    const take = (chunk: string): void => {
      text += chunk;
      if (live) process.stdout.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    const close = (code: number | null): void => {
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) {
        resolve(null);
        return;
      }
      output(text);
      if (!live) process.stdout.write(`${heading(stage)}${text}`);
      resolve({ stage, ...stage.read(text, code), seconds: (performance.now() - started) / 1000 });
    };
    child.once("error", (error) => {
      take(error.message);
      close(null);
    });
    child.once("close", close);
  });
}

export interface RunOptions {
  /** Busy processes at once, over all stages. */
  room: number;
  /** Gets the whole output of each stage that ended. */
  output(text: string): void;
  /** Ends running stages and begins no more. */
  signal?: AbortSignal;
}

/** Runs stages in their order, as many at once as there is room for. A stage that was aborted or never began has no result. */
export async function runStages(stages: readonly Stage[], { room, output, signal }: RunOptions): Promise<StageResult[]> {
  const results: StageResult[] = [];
  const running = new Map<Stage, Promise<void>>();
  const busy = (): number => [...running.keys()].reduce((sum, { jobs }) => sum + jobs, 0);
  for (const stage of stages) {
    while (running.size > 0 && busy() + stage.jobs > room) await Promise.race(running.values());
    if (signal?.aborted) break;
    running.set(
      stage,
      run(stage, running.size === 0 && stage === stages.at(-1), output, signal).then((result) => {
        if (result) results.push(result);
        running.delete(stage);
      }),
    );
  }
  await Promise.all(running.values());
  return stages.flatMap((stage) => results.filter((result) => result.stage === stage));
}
