import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { freePorts } from "../launch/ports.ts";

const run = promisify(execFile);
const servesWithinMs = 30_000;
/** Where Debian keeps PostgreSQL's own programs, a folder for each version, off the path. */
const debian = "/usr/lib/postgresql";

/** A PostgreSQL of a test run alone (trust authentication, nothing outlives it). */
export interface TemporaryCluster {
  /** Of the database `test`; the same after a restart. */
  url: string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Begins again on what it had written; resolves when it serves. */
  start(): Promise<void>;
  /** Ends it and removes its files; happens by itself when the process ends. */
  remove(): void;
}

/** The folder with its programs; null when this machine has none. */
function programs(): string | null {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...versions.map((version) => join(debian, version, "bin"))];
  return folders.find((folder) => ["initdb", "postgres", "pg_ctl"].every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Whom it runs as: PostgreSQL refuses root. */
async function owner(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string, user: string): Promise<number> => Number((await run("id", [flag, user])).stdout);
  const of = async (user: string) => ({ uid: await id("-u", user), gid: await id("-g", user) });
  return of("postgres").catch(() => of("nobody"));
}

/** Starts one in a temporary folder. @throws with its last words when it cannot be made, or when PostgreSQL is not installed. */
export async function startTemporaryCluster(): Promise<TemporaryCluster> {
  const bin = programs();
  if (!bin) throw new Error("PostgreSQL's initdb, postgres and pg_ctl are not installed");
  const { default: pg } = await import("pg");
  const folder = mkdtempSync(join(tmpdir(), "colloquy-postgres-"));
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const user = await owner();
    if (user) chownSync(folder, user.uid, user.gid);
    const as = { cwd: folder, ...user };
    await run(join(bin, "initdb"), ["-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"], as);
    const [port = 0] = await freePorts(1);
    const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off", "max_connections=200"].flatMap(
      (setting) => ["-c", setting],
    );
    let words = "";
    const begin = (): ChildProcess => {
      const begun = spawn(join(bin, "postgres"), ["-D", "data", ...settings], { ...as, stdio: ["ignore", "ignore", "pipe"] });
      begun.stderr.on("data", (bytes: Buffer) => (words = (words + bytes.toString()).slice(-2_000)));
      // It must not keep a test run from ending, which then ends it.
      begun.unref();
      (begun.stderr as unknown as { unref(): void }).unref();
      return begun;
    };
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    let child = begin();
    // In one go, because it is also done when the process ends; without the wait its files would come again.
    const remove = (): void => {
      process.off("exit", remove);
      if (!ended()) spawnSync(join(bin, "pg_ctl"), ["stop", "-D", "data", "-m", "immediate", "-w"], { ...as, stdio: "ignore" });
      clean();
    };
    process.on("exit", remove);
    const server = `postgres://postgres@127.0.0.1:${port}`;
    const serving = async (meanwhile: () => void, statement: string): Promise<void> => {
      for (const until = Date.now() + servesWithinMs; ; await pause(50)) {
        const client = new pg.Client({ connectionString: `${server}/postgres` });
        try {
          await client.connect();
          await client.query(statement);
          return await client.end();
        } catch (error) {
          await client.end().catch(() => undefined);
          meanwhile();
          if (!ended() && Date.now() < until) continue;
          remove();
          throw new Error(`a temporary PostgreSQL does not serve: ${words.trim() || error}`);
        }
      }
    };
    await serving(() => undefined, "create database test");
    return {
      url: `${server}/test`,
      remove,
      async kill() {
        if (ended()) return;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      },
      async start() {
        child = begin();
        // The processes of the one before hold its memory for a moment; until then another ends at once.
        await serving(() => {
          if (ended()) child = begin();
        }, "select 1");
      },
    };
  } catch (error) {
    clean();
    throw error;
  }
}
