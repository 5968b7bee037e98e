import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { programUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { startTestBroker, type TestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const [, postgresql] = await enginesToTest();
const jars = await testBrokerHere();

interface Service {
  address: string;
  child: ChildProcess;
  said(): string;
  /** Starts it anew, where it was. */
  again(): Promise<string>;
}

/** Each service is given an address of its own, as on a machine of its own: none can be found by being on the same one. */
const host = (number: number): string => (process.platform === "linux" ? `127.0.0.${number}` : "127.0.0.1");

const begin = describeOn.bind(null, jars ? postgresql : { ...postgresql, absent: "there is no Kafka" });

begin("services started one by one as a deployment does, sharing nothing but PostgreSQL, Kafka, an event store and an S3", () => {
  let database: TemporaryDatabase;
  let broker: TestBroker;
  let bucket: S3Double;
  let browser: Browser;
  let folder: string;
  let url: string;
  const services = new Map<string, Service>();

  /** Starts a service with exactly these variables; resolves when it serves. */
  async function start(name: string, file: string, environment: Record<string, string>, at = "127.0.0.1"): Promise<string> {
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    const child = spawn(process.execPath, [join(home, file)], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_ENV: "development",
        LOCAL_MODELS: "off",
        LOG_LEVEL: "warn",
        DATA_DIR: dataDir,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)));
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, "line"), once(child, "exit").then(() => [null])])) as [string | null];
    if (line === null) throw new Error(`${name} ended before it served: ${said}`);
    const address = `http://${at}:${(JSON.parse(line) as { port: number }).port}`;
    const again = (): Promise<string> => start(name, file, { ...environment, COMMAND_API_PORT: new URL(address).port }, at);
    services.set(name, { address, child, said: () => said, again });
    return address;
  }
  const addressOf = (name: string): string => services.get(name)?.address ?? "";

  before(async function () {
    this.timeout(300_000);
    folder = mkdtempSync(join(tmpdir(), "colloquy-alone-"));
    const [made, started, objects, chromium] = await Promise.all([
      postgresql.create(),
      startTestBroker(jars ?? ""),
      startS3Double(),
      openBrowser(),
      // The query API wants to know what its pages load.
      ensureBuilt(),
    ]);
    [database, broker, bucket, browser] = [made, started, objects, chromium];
    // What an operator makes once and hands to the services that need it.
    openLedgerSigner({ DATA_DIR: join(folder, "made-once") }).keys();
    const ledgerKeys = join(folder, "ledger-keys");
    copyFileSync(join(folder, "made-once/secrets/ledger-keys"), ledgerKeys);
    const secrets = { SESSION_SECRET: randomBytes(32).toString("hex"), ACCOUNT_SECRET: randomBytes(32).toString("hex") };

    // Its port is in everybody's links, so it is chosen before anybody begins.
    const [port = 0] = await freePorts(1);
    url = `http://localhost:${port}`;
    const [store, model] = await Promise.all([
      start("event-store", "infra/event-store/embedded/main.ts", { EVENTSTORE_PORT: "0" }),
      start("demo-model", "infra/demo/model/main.ts", { DEMO_MODEL_WORD_MS: "4" }),
    ]);
    const events = { EVENTSTORE_URL: programUrl(join(folder, "event-store"), { port: Number(new URL(store).port), tls: true }) };
    const kafka = { KAFKA_BROKERS: broker.address, KAFKA_PARTITIONS: "3" };
    const tables = { DATABASE_URL: database.config.DATABASE_URL };
    const people = { ...secrets, PUBLIC_URL: url, LEDGER_KEYS_FILE: ledgerKeys, DEMO_MODEL: "on" };
    const [projections, relay, commandApi] = await Promise.all([
      start("projections", "projections/main.ts", { ...events, ...kafka, ...tables, SERVICE_HOST: host(2) }, host(2)),
      start("relay", "infra/kafka/relay/main.ts", { ...events, ...kafka, SERVICE_HOST: host(3) }, host(3)),
      start(
        "command-api",
        "command-api/main.ts",
        { ...events, ...tables, ...bucket.environment, ...people, DEMO_MODEL_URL: `${model}/v1`, SERVICE_HOST: host(4) },
        host(4),
      ),
    ]);
    const [statusPort = 0] = await freePorts(1);
    const status = `http://${host(7)}:${statusPort}`;
    const inner = { COMMAND_API_URL: commandApi, PROJECTIONS_URL: projections, RELAY_URL: relay, FRONT_DOOR_STATUS_URL: status };
    const reads = { ...events, ...kafka, ...tables, ...bucket.environment, ...people, ...inner };
    const [queryApi] = await Promise.all([
      start("query-api", "query-api/main.ts", { ...reads, SERVICE_HOST: host(5) }, host(5)),
      start("second-query-api", "query-api/main.ts", { ...reads, SERVICE_HOST: host(6) }, host(6)),
    ]);
    await start("front-door", "infra/http/main.ts", {
      PORT: String(port),
      PUBLIC_URL: url,
      COMMAND_API_URL: commandApi,
      QUERY_API_URL: queryApi,
      SERVICE_HOST: host(7),
      FRONT_DOOR_STATUS_PORT: String(statusPort),
    });
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status, await words()).to.equal(200));
  });
  after(async () => {
    await browser?.close();
    for (const { child } of services.values()) child.kill("SIGKILL");
    await database?.drop();
    await broker?.remove();
    await bucket?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a failure is told with. */
  async function words(): Promise<string> {
    const ready = await fetch(`${url}/readyz`).then((response) => response.text(), String);
    return [ready, ...[...services].map(([name, { said }]) => `${name}: ${said()}`)].join("\n");
  }

  it("each reports liveness, and one of them readiness of all", async () => {
    for (const name of ["projections", "relay", "command-api", "query-api", "second-query-api", "front-door"])
      expect((await fetch(`${addressOf(name)}/healthz`)).status, name).to.equal(200);
    // Whoever takes too long to answer on a busy machine counts as gone, until it is asked again.
    await eventually(async () => {
      const body = (await (await fetch(`${url}/readyz`)).json()) as {
        relay: { state: string };
        dependencies: { name: string; ok: boolean }[];
      };
      expect(body.relay.state).to.equal("relaying");
      expect(body.dependencies).to.deep.include.members([{ ...body.dependencies.find(({ name }) => name === "command-api"), ok: true }]);
      const figures = await (await fetch(`${url}/metrics`)).text();
      for (const service of ["command-api", "projections", "relay", "front-door"])
        expect(figures).to.include(`colloquy_service_up{service="${service}"} 1`);
    });
  });

  it("a learner reads, asks, opens the source, and syncs", async () => {
    const mira = await openVisitor(browser);
    const { page } = mira;
    await page.goto(`${url}/courses/linear-maps/directions-that-stay/eigenvectors`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto(`${url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
    const question = "What is an eigenvector?";
    await page.getByRole("textbox", { name: "Your question" }).fill(question);
    await page.keyboard.press("Enter");
    const answer = page.getByRole("article", { name: question });
    await answer.getByRole("button", { name: "Regenerate" }).waitFor();
    expect(await answer.locator("a.cite").first().getAttribute("href")).to.match(/^\/courses\/linear-maps\//);

    const other = await openVisitor(browser);
    await other.page.goto(`${url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
    await other.page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: question }).click();
    await other.page.getByRole("article", { name: question }).locator("a.cite").first().waitFor();
    expect([...mira.complaints, ...other.complaints]).to.deep.equal([]);
  });

  it("changes of a device reach every query API through Kafka", async () => {
    const tomas = await learner(url, "learner2");
    const id = "conversation-alone-1";
    const { position } = await tomas.push([
      change("change-0001", id, "started", opening("Two readers")),
      change("change-0002", id, "turn_recorded", turn("turn-0001", "What is a basis?", "Vectors that span.")),
    ]);
    for (const at of [url, addressOf("second-query-api")])
      await eventually(async () => {
        const { status, body } = await (await learner(at, { cookie: tomas.cookie })).get(`/api/conversations/${id}?after=${position}`);
        expect([status, (body as { conversation?: { title: string } }).conversation?.title]).to.deep.equal([200, "Two readers"]);
      });
  });

  it("errors are explained while one is gone, until another replaces it", async () => {
    const { child, again } = services.get("command-api") as Service;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    expect(await gone).to.deep.equal([0, null]);
    const refused = await fetch(`${url}/api/ai/models`);
    expect(refused.status).to.equal(503);
    expect(refused.headers.get("content-type")).to.include("application/problem+json");
    expect((await fetch(`${url}/courses`)).status).to.equal(200);
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).to.equal(503));
    await again();
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status, await words()).to.equal(200));
    expect((await fetch(`${url}/api/ai/models`)).status).to.not.equal(503);
  });

  it("each stops in order on request", async () => {
    for (const [name, { child, said }] of services) {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      expect(await gone, `${name}: ${said()}`).to.deep.equal([0, null]);
      services.delete(name);
    }
  });
});
