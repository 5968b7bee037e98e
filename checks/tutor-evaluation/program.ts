import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "@colloquy/infra/config.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import type { Response } from "express";

const home = fileURLToPath(new URL("../../", import.meta.url));
const secret = "the secret of an evaluation's sessions, which nobody else has";

/** The whole program as `npm start` runs it: front door, command API, event store, read models, demonstration model. */
export interface EvaluatedProgram {
  url: string;
  /** What is not for learners' eyes, such as answer keys, is read here and never asked of the service. */
  store: EventStore;
  /** A learner's cookie, made here rather than at the sign-in page. */
  cookieOf(accountId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it over an empty folder, with the demonstration courses and those of `folders` (by course id). */
export async function startEvaluatedProgram(folders: Readonly<Record<string, string>>): Promise<EvaluatedProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), "colloquy-evaluation-"));
  const [port = 0] = await freePorts(1);
  const own = { DATA_DIR: dataDir, PORT: String(port), EVENTSTORE_PORT: "0", SESSION_SECRET: secret, LOG_LEVEL: "error" };
  const env = { ...process.env, NODE_ENV: "development", LOCAL_MODELS: "off", DEMO_MODEL_WORD_MS: "0", ...own };
  const url = `http://localhost:${port}`;
  const launcher = spawn(process.execPath, ["infra/start.js"], { cwd: home, env, stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(launcher, "exit");
  // It does not outlive an evaluation that is broken off.
  process.once("exit", () => launcher.kill("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  const end = async (): Promise<void> => {
    launcher.kill("SIGTERM");
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const until = async (fits: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 3_000; tries += 1) {
      if (launcher.exitCode !== null) throw new Error("the program ended");
      if (await fits().catch(() => false)) return;
      await pause(100);
    }
    throw new Error("the program is not ready after five minutes");
  };
  try {
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    for (const [courseId, folder] of Object.entries(folders)) {
      const tool = spawn(process.execPath, ["command-api/publication/import/cli.ts", folder, "--id", courseId], {
        cwd: home,
        env,
        stdio: "ignore",
      });
      const [code] = (await once(tool, "exit")) as [number | null];
      if (code !== 0) throw new Error(`${folder} could not be imported`);
    }
    const courseIds = ["linear-maps", "learning-to-learn", ...Object.keys(folders)];
    for (const courseId of courseIds) await until(async () => (await fetch(`${url}/api/courses/${courseId}`)).ok);
  } catch (error) {
    await end();
    throw error;
  }
  const { store, close } = await reachEventStore(readConfig({ DATA_DIR: dataDir }));
  const config = readConfig({ SESSION_SECRET: secret, PUBLIC_URL: url });
  return {
    url,
    store,
    async cookieOf(accountId) {
      let cookie = "";
      const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as Response;
      await sessions(config).issue(response, { accountId, name: "A simulated learner", roles: ["learner"] });
      return cookie;
    },
    async stop() {
      await close();
      await end();
    },
  };
}
