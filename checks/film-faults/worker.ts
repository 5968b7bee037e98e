import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../render-service/main.ts", import.meta.url));

/** A render worker as a process of its own, started again at will in the same folder. */
export interface Worker {
  /** What it has logged. */
  log: string[];
  start(): void;
  /** As `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
}

export function renderWorker({ url, token, folder }: { url: string; token: string; folder: string }): Worker {
  const log: string[] = [];
  let child: ChildProcess | null = null;
  const worker: Worker = {
    log,
    start() {
      const { PATH = "" } = process.env;
      const env = { PATH, RENDER_API_URL: url, RENDER_WORKER_TOKEN: token, RENDER_FOLDER: folder, RENDER_WORKERS: "1" };
      child = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => log.push(...text.split("\n").filter(Boolean)));
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
  worker.start();
  return worker;
}
