import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { coursesResponse } from "@colloquy/schemas/courses/revision.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The whole program, started like `npm start`, with its own data folder. */
export interface Program {
  url: string;
  dataDir: string;
  /** Its output so far. */
  output(): string;
  /** Runs a command-line tool of the project on the same data and returns its output. */
  tool(file: string, ...args: string[]): Promise<string>;
  /** Kills a process like a crash; named by its file, such as "query-api/main.ts". */
  kill(part: string): void;
  /** Kills it if it is running; otherwise returns false. */
  killIfRunning(part: string): boolean;
  /** Resolves when `/readyz` is 200. */
  ready(): Promise<void>;
  /** Stops the program; `start` continues with the same data and address. */
  halt(): Promise<void>;
  /** Starts it again after `halt`; `environment` is added to the previous one. */
  start(environment?: Record<string, string>): Promise<void>;
  /** `halt`, then `start`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the program; `environment` is added to the default one. */
export async function startProgram(environment: Record<string, string> = {}): Promise<Program> {
  const dataDir = mkdtempSync(join(tmpdir(), "colloquy-journey-"));
  const [port = 0] = await freePorts(1);
  // A real bucket is for the contract tests of object stores; journeys must not publish into it.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("S3_"));
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(inherited),
    NODE_ENV: "development",
    // Whatever runs on the developer's machine.
    LOCAL_MODELS: "off",
    PORT: String(port),
    EVENTSTORE_PORT: "0",
    // Journeys that need videos turn them on.
    RENDER_WORKERS: "off",
    DATA_DIR: dataDir,
    ...environment,
  };
  let output = "";
  const begin = (more: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, ["infra/start.js"], { cwd: root, env: { ...env, ...more }, stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    return child;
  };
  const end = async (): Promise<void> => {
    if (launcher.exitCode !== null) return;
    const ended = new Promise((resolve) => launcher.once("exit", resolve));
    launcher.kill("SIGTERM");
    await ended;
  };
  const hasCourses = async (): Promise<boolean> => {
    const response = await fetch(`${url}/api/courses`).catch(() => null);
    return response?.ok === true && coursesResponse.parse(await response.json()).courses.length >= demonstrationCourses.length;
  };
  let launcher = begin();
  const url = `http://localhost:${port}`;
  const program: Program = {
    url,
    dataDir,
    output: () => output,
    tool: (file, ...args) => run(file, args, env),
    kill(part) {
      if (!program.killIfRunning(part)) throw new Error(`${part} is not running:\n${output}`);
    },
    killIfRunning(part) {
      const pid = childOf(launcher, part);
      if (pid) process.kill(pid, "SIGKILL");
      return pid !== undefined;
    },
    async ready() {
      for (let tries = 0; tries < 1_500; tries += 1) {
        if (launcher.exitCode !== null) throw new Error(`the program ended:\n${output}`);
        const response = await fetch(`${url}/readyz`).catch(() => null);
        // The demonstration courses are published once the program is ready.
        if (response?.ok && (env.DEMO_COURSES === "off" || (await hasCourses()))) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`the program is not ready after minutes:\n${output}`);
    },
    halt: end,
    async start(more) {
      launcher = begin(more);
      await program.ready();
    },
    async restart() {
      await program.halt();
      await program.start();
    },
    async stop() {
      await end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  await program.ready();
  return program;
}

function run(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`${file} ended with ${code}:\n${output}`))));
  });
}

function childOf(launcher: ChildProcess, part: string): number | undefined {
  const rows = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(launcher.pid)], { encoding: "utf8" }).split("\n");
  return (
    Number(
      rows
        .find((row) => row.includes(part))
        ?.trim()
        .split(/\s+/)[0],
    ) || undefined
  );
}
