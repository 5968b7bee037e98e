import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { validate } from "dockerfile-utils";
import { freePorts } from "../launch/ports.ts";
import { closeServer } from "../process/http-server.ts";
import { skipTest } from "../skip-test.fixture.ts";
import { imageEnvironment } from "./image.fixture.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const home = join(here, "../..");
const dockerfile = readFileSync(join(here, "Dockerfile"), "utf8");
const entrypoint = join(here, "entrypoint.sh");

describe("the image", () => {
  it("has a Dockerfile that a linter finds nothing in", () => {
    expect(validate(dockerfile).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).to.deep.equal([]);
    expect(validate("FROM node\nENTRYPOINT sh\nCMD x\nCMD y"), "the linter sees").to.not.deep.equal([]);
  });

  it("runs as nobody in particular, as the first process but one, without what only tests need", () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    const last = stages.at(-1) ?? "";
    expect(stages).to.have.length.of.at.least(3);
    for (const stage of stages) expect(stage.split("\n", 1)[0]).to.match(/^(node:24-\w+-slim|packages)( AS \w+)?$/);
    expect(last).to.match(/^USER (?!0\b)\d+:\d+$/m);
    expect(last).to.match(/^ENTRYPOINT \["\/usr\/bin\/tini", "--", "\/app\/infra\/docker\/entrypoint.sh"\]$/m);
    expect(last).to.match(/^HEALTHCHECK .*CMD \["node", "\/app\/infra\/docker\/healthy.ts"\]$/m);
    expect(dockerfile)
      .to.match(/npm ci --omit=dev/)
      .and.not.match(/chromium|:latest|^ADD /im);
  });

  it("installs the packages of every room", () => {
    const { workspaces } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { workspaces: string[] };
    expect([...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, room]) => room)).to.have.members(workspaces);
  });

  it("has every program that the render worker looks for", () => {
    const packages: Record<string, string> = { bwrap: "bubblewrap", "espeak-ng": "espeak-ng", ffmpeg: "ffmpeg" };
    // Of util-linux, which every Debian image has; Piper comes with its voices, which an operator adds.
    const others = ["unshare", "piper"];
    const worker = join(home, "render-service/worker");
    const sources = readdirSync(worker).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    const wanted = sources.flatMap((file) =>
      [...readFileSync(join(worker, file), "utf8").matchAll(/\binstalled\("([^"]+)"/g)].map(([, program = ""]) => program),
    );
    expect(wanted).to.have.members([...Object.keys(packages), ...others]);
    const [, named = ""] = /apt-get install -y --no-install-recommends (.*?) \\$/m.exec(dockerfile.split(/^FROM /m).at(-1) ?? "") ?? [];
    expect(named.split(" ")).to.include.members(Object.values(packages));
  });

  it("keeps data, secrets and version control out", () => {
    const left = readFileSync(join(here, "Dockerfile.dockerignore"), "utf8").split("\n");
    expect(left).to.include.members([".git", ".data", "infra/docker/secrets", "**/node_modules"]);
  });
});

/** The first of these that answers; an installed client may have no engine. */
const builder = ["docker", "podman"].find((command) => spawnSync(command, ["info"], { stdio: "ignore" }).status === 0);

describe("the image, built", () => {
  const image = "colloquy-image-test";

  it("starts a service that is healthy, and ends when told", async function () {
    if (!builder) return skipTest(this, "there is no container builder here");
    this.timeout(1_800_000);
    const run = (...args: string[]): string => execFileSync(builder, args, { cwd: home, encoding: "utf8" }).trim();
    run("build", "-q", "-f", "infra/docker/Dockerfile", "-t", image, ".");
    const settings = ["METRICS_TOKEN=a token of the image", "COMMAND_API_URL=http://127.0.0.1:1", "QUERY_API_URL=http://127.0.0.1:1"];
    const container = run("run", "-d", "--network", "none", ...settings.flatMap((setting) => ["-e", setting]), image, "front-door");
    try {
      const isHealthy = () => spawnSync(builder, ["exec", container, "node", "/app/infra/docker/healthy.ts"]).status === 0;
      for (const until = Date.now() + 120_000; !isHealthy(); ) {
        expect(Date.now(), run("logs", container)).to.be.below(until);
        await pause(500);
      }
      run("stop", container);
      expect(run("inspect", "--format", "{{.State.ExitCode}}", container)).to.equal("0");
    } finally {
      run("rm", "-f", container);
    }
  });
});

describe("the image's entry point", () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "colloquy-image-"));
    mkdirSync(join(folder, "secrets"));
  });
  afterEach(async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true });
  });
  const environment = (more: Record<string, string> = {}) => ({
    PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
    SECRETS_FOLDER: join(folder, "secrets"),
    TMPDIR: folder,
    ...imageEnvironment(),
    DATA_DIR: folder,
    ...more,
  });
  const run = (args: string[], more = {}): string =>
    execFileSync(entrypoint, args, { env: environment(more), encoding: "utf8", stdio: "pipe" });

  it("reads each secret from the file of its name, unless it is set", () => {
    writeFileSync(join(folder, "secrets/SESSION_SECRET"), 'it\'s $HOME `a` "secret"\n');
    writeFileSync(join(folder, "secrets/METRICS_TOKEN"), "from the file");
    writeFileSync(join(folder, "secrets/ledger-keys"), "{}");
    const told = run(["sh", "-c", 'printf "%s|%s" "$SESSION_SECRET" "$METRICS_TOKEN"'], { METRICS_TOKEN: "given" });
    expect(told).to.equal('it\'s $HOME `a` "secret"|given');
  });

  it("starts a main that is there for each service", () => {
    const text = readFileSync(entrypoint, "utf8");
    const named = [...text.matchAll(/^ {2}([a-z |-]+)\) set -- node (\S+) ;;$/gm)].flatMap(([, names = "", file = ""]) =>
      names.split(" | ").map((name) => file.replaceAll('"', "").replace("$service", name)),
    );
    expect(named).to.have.length(6);
    for (const file of named) expect(existsSync(join(home, file)), file).to.equal(true);
  });

  it("calls a worker alive as long as its file is young", () => {
    const healthy = (): number | null =>
      spawnSync(process.execPath, [join(here, "healthy.ts"), "render-worker"], { env: environment({ RENDER_FOLDER: folder }) }).status;
    expect(healthy()).to.equal(1);
    const file = join(folder, "alive");
    writeFileSync(file, "");
    expect(healthy()).to.equal(0);
    const old = new Date(Date.now() - 120_000);
    utimesSync(file, old, old);
    expect(healthy()).to.equal(1);
  });

  it("starts a service that says whether it is alive, and ends when told", async () => {
    const inner = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
    await once(inner, "listening");
    const address = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`;
    const [PORT = "", FRONT_DOOR_STATUS_PORT = ""] = (await freePorts(2)).map(String);
    const own = { PORT, FRONT_DOOR_STATUS_PORT, HOST: "127.0.0.1", SERVICE_HOST: "127.0.0.1", METRICS_TOKEN: "a token of the image" };
    const env = environment({ ...own, COMMAND_API_URL: address, QUERY_API_URL: address });
    child = spawn(entrypoint, ["front-door"], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout as NodeJS.ReadableStream, "data");
    const healthy = async (): Promise<number> => {
      const [code] = await once(spawn(process.execPath, [join(here, "healthy.ts")], { env, stdio: "ignore" }), "exit");
      return code as number;
    };
    expect(await healthy()).to.equal(0);
    const figures = await fetch(`http://127.0.0.1:${FRONT_DOOR_STATUS_PORT}/metrics`, {
      headers: { authorization: "Bearer a token of the image" },
    });
    expect(await figures.text()).to.match(/nodejs_eventloop_lag_p99_seconds\{service="front-door"\}/);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).to.deep.equal([0, null]);
    expect(await healthy()).to.equal(1);
    await closeServer(inner, 0);
  });
});
