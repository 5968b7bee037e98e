import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { LogFile } from "./log-file.ts";
import { programFolder } from "./plan.ts";

export interface UserInterface {
  /** Resolves when the pages' scripts and styles are built and current. Rejects with the last words of the build when they cannot be. */
  ready: Promise<void>;
  stop(): void;
}

/**
 * Lets the `ui` room look whether what it built is current, and build it when it is not. It runs as its own process, because this room
 * may not import that one; it tells its progress in lines of `{"progress":"…"}`.
 */
export function ensureUserInterface(options: {
  env: Record<string, string | undefined>;
  log: LogFile;
  onProgress(text: string): void;
  /** Another main than `ui/build.ts`. */
  file?: string;
}): UserInterface {
  const build: ChildProcess = spawn(process.execPath, [options.file ?? join(programFolder, "ui/build.ts"), "--ensure"], {
    cwd: programFolder,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lastLines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    const onLine = (line: string): void => {
      const progress = progressOf(line);
      if (progress !== null) {
        options.onProgress(progress);
        return;
      }
      options.log.write(line);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
    };
    for (const stream of [build.stdout, build.stderr]) if (stream) createInterface({ input: stream }).on("line", onLine);
    build.once("error", reject);
    build.once("close", (code) => (code === 0 ? resolve() : reject(new Error(lastLines.join("\n") || `exit code ${code}`))));
  });
  return { ready, stop: () => void build.kill() };
}

function progressOf(line: string): string | null {
  if (!line.startsWith("{")) return null;
  try {
    const told: unknown = JSON.parse(line);
    return typeof told === "object" && told !== null && "progress" in told && typeof told.progress === "string" ? told.progress : null;
  } catch {
    return null;
  }
}
