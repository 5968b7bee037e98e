import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePorts } from "@colloquy/infra/launch/ports.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

export interface WholeProgram {
  address: string;
  /** Resolves when every read model holds every event. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** The program as `npm start` runs it, over a data folder, without demonstration courses. @throws when it ends before it serves. */
export async function startWholeProgram(folder: string, environment: Record<string, string> = {}): Promise<WholeProgram> {
  const [port = 0] = await freePorts(1);
  const own = { DATA_DIR: folder, PORT: String(port), EVENTSTORE_PORT: "0", DEMO_COURSES: "off", LOG_LEVEL: "error" };
  const program = spawn(process.execPath, [join(home, "infra/start.js")], {
    cwd: home,
    env: { ...process.env, ...own, ...environment },
    stdio: "ignore",
  });
  const exited = once(program, "exit");
  const address = `http://127.0.0.1:${port}`;
  const until = async (fits: (status: number, body: unknown) => boolean): Promise<void> => {
    for (;;) {
      if (program.exitCode !== null) throw new Error(`the program ended with exit code ${program.exitCode}`);
      const response = await fetch(`${address}/readyz`).catch(() => null);
      const body: unknown = await response?.json().catch(() => null);
      if (response && fits(response.status, body)) return;
      await pause(20);
    }
  };
  const stop = async (): Promise<void> => {
    program.kill("SIGINT");
    await exited;
  };
  try {
    // Read models that are far behind make it unready, and are waited for by `caughtUp` alone.
    await until((status, body) => status === 200 || Array.isArray((body as { projections?: unknown } | null)?.projections));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    stop,
    caughtUp: () =>
      until((status, body) => {
        const { projections } = (body ?? {}) as { projections?: { lagMs: number }[] };
        return status === 200 && projections !== undefined && projections.every(({ lagMs }) => lagMs === 0);
      }),
  };
}
