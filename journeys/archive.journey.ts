import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { startDemoModel } from "@colloquy/infra/demo/model/server.ts";
import { authorityFile, serverCertificate } from "@colloquy/infra/event-store/embedded/security/certificate.ts";
import { providerClient, serveProvider } from "@colloquy/infra/identity/testing/provider.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser } from "./browser.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const [, postgresql] = await enginesToTest();

describeOn(postgresql, "the archive for a server without internet", () => {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-archive-"));
  const variables = join(folder, "colloquy.env");
  /** What a service has whose system has no Node.js. */
  const environment = {
    PATH: "/usr/bin:/bin",
    LANG: "C.UTF-8",
    COLLOQUY_ENV: variables,
    NODE_EXTRA_CA_CERTS: authorityFile(join(folder, "provider")),
  };
  let unpacked: string;
  /** What an operator writes into the configuration. */
  let values: Record<string, string>;
  let database: TemporaryDatabase;
  let provider: Server;
  let model: Awaited<ReturnType<typeof startDemoModel>>;
  let server: ChildProcess;
  let output = "";
  let url: string;
  let browser: Browser;
  let page: Page;

  before(async () => {
    database = await postgresql.create();
    model = await startDemoModel({ port: 0, wordMs: 1 });
    const [port = 0, providerPort = 0] = await freePorts(2);
    url = `http://localhost:${port}`;
    const claims = { name: "Grace", realm_access: { roles: ["learner", "owner"] } };
    const { key, certificate: cert } = await serverCertificate(join(folder, "provider"));
    provider = await serveProvider({ port: providerPort, publicUrl: url, claims: () => claims, tls: { key, cert } });
    const catalog = join(folder, "providers.json");
    writeFileSync(catalog, JSON.stringify(modelService(`http://127.0.0.1:${model.port}/v1`)));
    values = {
      DATA_DIR: join(folder, "data"),
      PORT: String(port),
      EVENTSTORE_PORT: "0",
      PUBLIC_URL: url,
      OIDC_ISSUER: `https://localhost:${providerPort}`,
      ...providerClient,
      DATABASE_URL: database.config.DATABASE_URL,
      PROVIDER_CATALOG: catalog,
      P1_API_KEY: "a key of the journey",
      LOCAL_MODELS: "off",
    };
  });
  after(async () => {
    await browser?.close();
    if (server && server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
    await model?.close();
    if (provider) await closeServer(provider, 0);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]): string =>
    execFileSync(join(unpacked, "colloquy"), args, { env: environment, encoding: "utf8", cwd: "/" });

  it("is made by a command and unpacked elsewhere, without tests and packages for them", function () {
    this.timeout(900_000);
    const made = execFileSync("npm", ["run", "--silent", "package", "--", "--out", folder], { cwd: home, encoding: "utf8" });
    const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tar.gz"));
    expect(archive).to.equal(`colloquy-0.1.0-${process.platform}-${process.arch}.tar.gz`);
    expect(made).to.match(/\d+ MB, sha256 [0-9a-f]{64}\n$/);
    mkdirSync(join(folder, "elsewhere"));
    execFileSync("tar", ["-xzf", join(folder, archive), "-C", join(folder, "elsewhere")]);
    unpacked = join(folder, "elsewhere", archive.replace(".tar.gz", ""));
    const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /\.(test|fixture)\.ts$/.test(file) && !file.includes("node_modules"))).to.deep.equal([]);
    expect(files).to.include.members(["colloquy.service", "colloquy.env", "LICENSE", "docs/run/install.md"]);
    expect(files).not.to.include("node_modules/mocha");
    expect(files.filter((file) => /^node_modules\/(?!@colloquy\/).*\.d\.[mc]?ts$/.test(file))).to.deep.equal([]);
  });

  it("starts as the unit starts it, in production, with its own Node.js", async () => {
    const offered = readFileSync(join(unpacked, "colloquy.env"), "utf8").split("\n");
    const kept = offered.filter((line) => !Object.keys(values).some((name) => line.startsWith(`${name}=`)));
    writeFileSync(variables, [...kept, ...Object.entries(values).map(([name, value]) => `${name}="${value}"`), ""].join("\n"), {
      mode: 0o600,
    });
    const unit = readFileSync(join(unpacked, "colloquy.service"), "utf8");
    const [, command = ""] = /^ExecStart=\/opt\/colloquy\/(.*)$/m.exec(unit) ?? [];
    const [file = "", ...args] = command.split(" ");
    server = spawn(join(unpacked, file), args, { cwd: "/", env: environment, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [server.stdout, server.stderr]) stream?.on("data", (bytes: Buffer) => (output += bytes.toString()));
    await eventually(async () => {
      expect(server.exitCode, output).to.equal(null);
      const response = await fetch(`${url}/readyz`).catch(() => null);
      expect(response?.status, output).to.equal(200);
    });
    expect(run("projections", "status")).to.match(/conversations/);
    expect(run("doctor")).to.match(/no failures/);
  });

  it("lets somebody sign in at the provider, read, ask and open the source", async () => {
    browser = await openBrowser();
    page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1440, height: 900 } });
    await eventually(async () => expect(await (await fetch(`${url}/courses`)).text()).to.include("/courses/linear-maps"));
    await page.goto(`${url}/auth/login?return=/ai`);
    const question = "What is an eigenvector?";
    await page.getByRole("textbox", { name: "Your question" }).fill(question);
    await page.keyboard.press("Enter");
    const answer = page.getByRole("article", { name: question });
    await answer.getByRole("button", { name: "Regenerate" }).waitFor();
    await answer.locator("a.cite").first().click();
    await page.locator("mark.cited").first().waitFor();
  });

  it("publishes what an owner wrote", async () => {
    const status = await page.evaluate(async () => {
      const headers = { "content-type": "application/json", "x-course-publish": "1" };
      const source = await (await fetch("/api/course-editor/source?course=linear-maps")).json();
      source.course.topics[0].title = "Arrows from the archive";
      const { course, sequence, revisionId } = source;
      const change = { schemaVersion: 1, requestId: crypto.randomUUID(), courseId: "linear-maps", renamedIds: [], aliases: [] };
      const body = JSON.stringify({ ...change, base: { sequence, revisionId }, course });
      return (await fetch("/api/course-editor/publish", { method: "POST", headers, body })).status;
    });
    expect(status).to.equal(200);
    await eventually(async () => expect(await (await fetch(`${url}/courses/linear-maps`)).text()).to.include("Arrows from the archive"));
  });

  it("makes a video, isolated", async () => {
    await page.goto(`${url}/courses/linear-maps/arrows-and-maps/linear-maps`);
    await page.getByRole("link", { name: "Make a video of this page" }).click();
    const explainer = page.locator("colloquy-explainer");
    await explainer.getByRole("button", { name: /^Intuition/ }).click();
    await explainer.getByRole("button", { name: "Make the video", exact: true }).click({ timeout: 240_000 });
    await explainer.locator("video").waitFor({ timeout: 240_000 });
  });

  it("ends in order, and names a command that is not there", async () => {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect(await ended, output).to.deep.equal([0, null]);
    expect(() => run("test")).to.throw(/There is no command test here/);
  });
});

/** A service of the first slot at an address. */
const modelService = (baseUrl: string) => ({
  schemaVersion: 1,
  slots: [
    {
      slot: "p1",
      label: "Journey",
      baseUrl,
      credentials: ["P1_API_KEY"],
      timeouts: { connectMs: 5_000, firstTokenMs: 10_000, idleMs: 10_000, wholeMs: 120_000 },
      models: [
        {
          id: "demonstration",
          serviceId: "demonstration",
          name: "A model",
          contextTokens: 131_072,
          tutor: true,
          quiz: true,
          default: true,
          structuredOutput: "json_schema",
        },
      ],
    },
  ],
});
