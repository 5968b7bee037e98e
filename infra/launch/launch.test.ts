import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { skipTest } from "../skip-test.fixture.ts";
import { programFolder } from "./plan.ts";

/** A part as simple as can be: serves, tells its name and process, and writes its end into a file. */
const partSource = `
import { createServer } from "node:http";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { serveAsChild } from "${programFolder}infra/process/serve-as-child.ts";
const [name, variable] = NAMES;
const note = (what) => appendFileSync(join(process.env.DATA_DIR, "notes"), what + " " + name + "\\n");
if (process.env.UNWILLING === name) { console.error("not with this store"); process.exit(78); }
while (process.env.HELD_UP === name && !existsSync(join(process.env.DATA_DIR, "go"))) await new Promise((resolve) => setTimeout(resolve, 20));
if (process.env.BROKEN === name) { console.error("the wheel fell off"); process.exit(7); }
const server = createServer((request, response) => {
  if (request.url.startsWith("/api/ai/throw")) setTimeout(() => { throw new TypeError("the wheel is square"); });
  else if (request.url.startsWith("/api/die")) process.kill(process.pid, "SIGKILL");
  else if (request.url.startsWith("/api/stream")) response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\\n\\n");
  else response.end(JSON.stringify({ name, pid: process.pid, argv: process.argv, port: process.env.PORT, store: process.env.EVENTSTORE_URL ?? null, status: process.env.FRONT_DOOR_STATUS_PORT }));
});
server.listen(Number(process.env[variable]), "127.0.0.1", () => {
  note("up");
  serveAsChild({ port: server.address().port, close: () => { if (process.env.STUCK === name) { note("stuck"); return new Promise(() => {}); } note("down"); server.closeAllConnections(); } });
});
`;

/** Stands for infra/start.js, with such parts instead of the real ones. */
const launcherSource = `
import { readConfig } from "${programFolder}infra/config.ts";
import { StartError, launch } from "${programFolder}infra/launch/launch.ts";
import { stopOnSignals } from "${programFolder}infra/launch/stopping.ts";
let launched = null;
stopOnSignals(() => launched);
try {
  const patience = process.env.PATIENCE && JSON.parse(process.env.PATIENCE);
  await launch(readConfig(), (started) => { launched = started; }, { parts: PARTS, userInterface: USER_INTERFACE, ...(patience && { patience }) });
  console.log("LAUNCHED " + launched.port);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.log("CANNOT START " + error.message);
  process.exit(1);
}
`;
const kinds = [
  { name: "event-store", variable: "EVENTSTORE_PORT" },
  { name: "projections", variable: "PROJECTIONS_PORT" },
  { name: "command-api", variable: "COMMAND_API_PORT" },
  { name: "query-api", variable: "QUERY_API_PORT" },
];

describe("the launcher", () => {
  let folder: string;
  let started: ChildProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "launcher-"));
    started = [];
    const parts = kinds.map(({ name, variable }) => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, partSource.replace("NAMES", JSON.stringify([name, variable])));
      return { name, title: name, variable, file };
    });
    writeFileSync(
      join(folder, "build.mjs"),
      `console.log('{"progress":"Building the pages"}'); process.exit(process.env.BROKEN === "build" ? 1 : 0);`,
    );
    const source = launcherSource
      .replace("PARTS", JSON.stringify(parts))
      .replace("USER_INTERFACE", JSON.stringify(join(folder, "build.mjs")));
    writeFileSync(join(folder, "launcher.ts"), source);
  });

  afterEach(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "close");
    }
    await until(() => living().length === 0);
    rmSync(folder, { recursive: true, force: true });
  });

  function start(environment: Record<string, string> = {}): { child: ChildProcess; lines: string[]; outcome: Promise<string> } {
    const child = spawn(process.execPath, [join(folder, "launcher.ts")], {
      env: { ...process.env, PORT: "0", EVENTSTORE_PORT: "0", DATA_DIR: join(folder, "data"), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    started.push(child);
    const lines: string[] = [];
    const outcome = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        if (/^(LAUNCHED|CANNOT START)/.test(line)) outcome.resolve(line);
      });
    child.once("close", () => outcome.resolve(lines.join("\n")));
    return { child, lines, outcome: outcome.promise };
  }

  async function startWell(environment: Record<string, string> = {}) {
    const run = start(environment);
    const outcome = await run.outcome;
    expect(outcome).to.match(/^LAUNCHED \d+$/, run.lines.join("\n"));
    return { ...run, url: `http://127.0.0.1:${outcome.split(" ")[1]}` };
  }

  const notes = (): string[] =>
    existsSync(join(folder, "data/notes")) ? readFileSync(join(folder, "data/notes"), "utf8").trim().split("\n") : [];
  const who = async (url: string) =>
    (await (await fetch(url)).json()) as { name: string; pid: number; argv: string[]; port: string; store: string; status: string };
  /** The processes of this test's parts that are still there. */
  function living(): number[] {
    return pids.filter((pid) => {
      try {
        process.kill(pid, 0);
        return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false;
      }
    });
  }
  let pids: number[] = [];
  async function remember(url: string): Promise<void> {
    pids = [(await who(`${url}/`)).pid, (await who(`${url}/api/ai/models`)).pid];
  }

  it("starts every part, says where things are, and stops them in order", async () => {
    const { child, lines, url } = await startWell();
    await remember(url);
    const command = await who(`${url}/api/ai/models`);
    expect(command.name).to.equal("command-api");
    expect((await who(`${url}/courses`)).name).to.equal("query-api");
    expect(`http://127.0.0.1:${command.port}`).to.equal(url);
    expect(command.store).to.match(/^esdb:\/\/admin:[^@]+@localhost:\d+\?tls=true&tlsCAFile=/);
    const told = lines.join("\n");
    expect(told).to.contain("Building the pages").and.to.contain(`http://localhost:${command.port}`).and.to.contain("event-store");
    const stream = await fetch(`${url}/api/stream`);
    const status = `http://127.0.0.1:${command.status}`;
    expect(await (await fetch(`${status}/status`)).json()).to.deep.equal({ schemaVersion: 1, frontDoor: { phase: "ready" } });
    expect(await (await fetch(`${status}/metrics`)).text()).to.match(/colloquy_front_door_streams_open 1/);

    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).to.equal(0);
    expect(await stream.text()).to.equal(": here\n\n");
    const downs = notes().filter((note) => note.startsWith("down"));
    expect(downs.slice(0, 2)).to.have.members(["down command-api", "down query-api"]);
    expect(downs.slice(2)).to.deep.equal(["down projections", "down event-store"]);
    expect(living()).to.deep.equal([]);
  });

  it("takes the two signals of one Ctrl-C under npm for one, and ends at once when asked again", async () => {
    const patient = await startWell();
    await remember(patient.url);
    patient.child.kill("SIGINT");
    patient.child.kill("SIGINT");
    expect((await once(patient.child, "close"))[0]).to.equal(0);
    expect(patient.lines.join("\n")).to.contain("Stopped.");
    expect(living()).to.deep.equal([]);

    const stuck = await startWell({ STUCK: "projections" });
    await remember(stuck.url);
    stuck.child.kill("SIGINT");
    await until(() => notes().includes("stuck projections"));
    await pause(700); // longer than two signals of one key press lie apart
    stuck.child.kill("SIGINT");
    expect((await once(stuck.child, "close"))[0]).to.equal(130);
    expect(stuck.lines.join("\n")).not.to.contain("Stopped.");
  });

  it("names the port that is taken, who has it, and how to choose another", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      for (const variable of ["PORT", "EVENTSTORE_PORT", "FRONT_DOOR_STATUS_PORT"]) {
        const run = start({ [variable]: String(port) });
        const outcome = await run.outcome;
        expect(outcome).to.contain("CANNOT START").and.to.contain(`Port ${port}`);
        expect(run.lines.join("\n")).to.match(new RegExp(`${variable}=(0|${port + 1}) npm start`));
        if (process.platform === "linux") expect(run.lines.join("\n")).to.contain(`process ${process.pid}`);
      }
    } finally {
      holder.close();
    }
    expect(notes()).to.deep.equal([]);
  });

  it("starts a part anew that has died, on the same port", async () => {
    const { lines, url } = await startWell();
    const before = await who(`${url}/api/ai/models`);
    await fetch(`${url}/api/die`, { method: "POST" }).catch(() => null);
    await until(async () => (await fetch(`${url}/api/ai/models`)).ok && (await who(`${url}/api/ai/models`)).pid !== before.pid);
    await remember(url);
    await until(() => lines.some((line) => line.includes("command-api: serving again")));
    expect(lines.join("\n")).to.contain("command-api: ended (signal SIGKILL)");
    expect(before.store).to.equal((await who(`${url}/api/ai/models`)).store);
  });

  it("says which error ended a part that is restarted", async () => {
    const { lines, url } = await startWell();
    await fetch(`${url}/api/ai/throw`).catch(() => null);
    await until(() => lines.some((line) => line.includes("command-api: serving again")));
    expect(lines.join("\n")).to.contain("command-api: ended (exit code 1, TypeError: the wheel is square); restarting");
    await remember(url);
  });

  it("says plainly what keeps failing, with its last words, and serves the rest", async () => {
    const { lines, url } = await startWell({ BROKEN: "projections" });
    await remember(url);
    const told = lines.join("\n");
    expect(told)
      .to.contain("projections: keeps failing (exit code 7)")
      .and.to.contain("the wheel fell off")
      .and.to.contain("projections.log");
    expect(told).to.match(/projections +not running/);
    expect((await who(`${url}/`)).name).to.equal("query-api");
    expect(readFileSync(join(folder, "data/logs/projections.log"), "utf8")).to.contain("the wheel fell off");
  });

  it("says calmly that a part is still starting, and warns of it only when that takes long", async () => {
    for (const [patience, said, unsaid] of [
      [{ stillMs: 1, slowMs: 600_000 }, "command-api: still starting", "not serving yet"],
      [{ stillMs: 600_000, slowMs: 1 }, "! command-api: not serving yet", "still starting"],
    ] as const) {
      rmSync(join(folder, "data/go"), { force: true });
      const { child, lines, outcome } = start({ HELD_UP: "command-api", PATIENCE: JSON.stringify(patience) });
      await until(() => lines.some((line) => line.includes(said)));
      expect(lines.join("\n")).not.to.contain(unsaid);
      writeFileSync(join(folder, "data/go"), "");
      expect(await outcome).to.match(/^LAUNCHED/);
      child.kill("SIGTERM");
      await once(child, "close");
    }
  });

  it("stops when a part refuses to start, in its words and without trying again", async () => {
    const run = start({ UNWILLING: "command-api" });
    expect(await run.outcome).to.contain("CANNOT START not with this store");
    expect(run.lines.join("\n")).not.to.contain("restarting");
  });

  it("says that a data folder cannot be, and ends", async function () {
    if (!existsSync("/proc/self")) return skipTest(this, "there is no /proc here");
    const run = start({ DATA_DIR: "/proc/colloquy" });
    expect(await run.outcome).to.contain("CANNOT START The data folder /proc/colloquy cannot be used");
  });

  it("stops when the pages cannot be built", async () => {
    const run = start({ BROKEN: "build" });
    expect(await run.outcome).to.contain("CANNOT START The pages could not be built");
  });

  it("takes its parts along when it is killed, and starts again at once afterwards", async () => {
    const first = await startWell();
    await remember(first.url);
    const killed = [...pids];
    expect(living()).to.deep.equal(killed);
    first.child.kill("SIGKILL");
    // Its own port is free once it is gone; its parts may take longer.
    await once(first.child, "exit");
    const second = await startWell({ PORT: new URL(first.url).port });
    await until(() => living().length === 0);
    // They went by themselves and in good order: each closed what it had open.
    await until(() => notes().filter((note) => note.startsWith("down")).length === kinds.length);
    await remember(second.url);
  });

  it("stops when the npm that runs it is gone", async () => {
    const shell = spawn("sh", ["-c", `"$NODE" "${join(folder, "launcher.ts")}"; true`], {
      env: {
        ...process.env,
        NODE: process.execPath,
        npm_lifecycle_event: "start",
        PORT: "0",
        EVENTSTORE_PORT: "0",
        DATA_DIR: join(folder, "data"),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(shell);
    const port = await new Promise<string>((resolve) => {
      createInterface({ input: shell.stdout }).on("line", (line) => line.startsWith("LAUNCHED") && resolve(line.split(" ")[1] ?? ""));
    });
    await remember(`http://127.0.0.1:${port}`);
    shell.kill("SIGTERM");
    await until(() => notes().filter((note) => note.startsWith("down")).length === kinds.length);
    await until(() => living().length === 0);
  });

  it("keeps secrets out of command lines", async () => {
    const { url } = await startWell({ SESSION_SECRET: "s".repeat(40), P1_API_KEY: "key-of-p1" });
    await remember(url);
    expect((await who(`${url}/`)).argv.join(" ")).not.to.match(/key-of-p1|ssss/);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}
