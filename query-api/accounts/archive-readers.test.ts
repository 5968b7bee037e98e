import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { projection as explainers } from "@colloquy/projections/explainers/projection.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { projection as tutor } from "@colloquy/projections/tutor/projection.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Problem } from "@colloquy/schemas/errors.ts";
import { expect } from "chai";
import { Router } from "express";
import { archiveRoutes } from "./archive.ts";

const accountOf = { mira: "acc_mira0001", tomas: "acc_tomas001" } as const;
/** More than a connection takes from a service while its reader reads nothing, and nothing makes it smaller. */
const filling = randomBytes(8_000_000).toString("base64");

describe("the reader of an archive", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "archive-readers-"));
  let models: TemporaryReadModels;
  let server: Server | undefined;
  let url: string;

  before(async () => {
    const [engine] = await enginesToTest();
    if (!engine) throw new Error("no engine to test on");
    models = await temporaryReadModels(engine, [conversations, explainers, sync, tutor]);
  });
  after(async () => {
    await models.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (server) await closeServer(server, 0);
  });

  const serve = async (slowMs: number, held = filling): Promise<void> => {
    const signedIn = Router().use((request, _response, next) => {
      request.account = { accountId: accountOf[request.get("x-who") as "mira"], name: "", roles: ["learner"] };
      next();
    });
    const cards = async () => ({ cards: [held], retired: [], seeds: [] }) as never;
    const { store, database } = models;
    const signer = openLedgerSigner({ DATA_DIR: folder });
    const routers = [signedIn, archiveRoutes({ database, store, signer, cards, slowMs, publicUrl: "https://colloquy.example" })];
    const app = createApp({ config: readConfig({ NODE_ENV: "test" }), log: createLog("test", { LOG_LEVEL: "silent" }), routers });
    const listening = await listen(app, 0);
    server = listening.server;
    url = `http://127.0.0.1:${listening.port}/api/account/archive`;
  };
  /** An archive that has begun, of which nothing is read. */
  const begin = async (who: keyof typeof accountOf = "mira"): Promise<IncomingMessage> => {
    const [response] = (await once(get(url, { agent: false, headers: { "x-who": who } }), "response")) as [IncomingMessage];
    response.on("error", () => undefined);
    return response;
  };
  const untilLetIn = async (): Promise<void> => {
    for (let status = 429; status === 429; ) {
      const again = await begin();
      status = again.statusCode ?? 0;
      again.destroy();
    }
  };

  it("gets one archive at a time, with Retry-After for the next", async () => {
    await serve(60_000);
    const first = await begin();
    expect(first.statusCode).to.equal(200);
    const refused = await fetch(url, { headers: { "x-who": "mira" } });
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([429, "5"]);
    expect(((await refused.json()) as Problem).detail).to.match(/archive of this account is already being written/);
    const others = await begin("tomas");
    expect(others.statusCode).to.equal(200);
    for (const one of [first, others]) one.destroy();
  });

  it("gets a bounded number per minute", async () => {
    await serve(60_000, "");
    const statuses: number[] = [];
    for (let asked = 0; asked <= bounds.archive.perMinute; asked += 1) {
      const sent = await fetch(url, { headers: { "x-who": "mira" } });
      await sent.arrayBuffer();
      statuses.push(sent.status);
    }
    expect(statuses).to.deep.equal([...Array<number>(bounds.archive.perMinute).fill(200), 429]);
  });

  it("may disconnect: the rest of the archive is released", async () => {
    await serve(60_000);
    const first = await begin();
    first.destroy();
    await untilLetIn();
  });

  it("is disconnected if it is too slow", async () => {
    await serve(50);
    const first = await begin();
    await untilLetIn();
    const ended = new Promise((resolve) => first.once("close", resolve));
    first.resume();
    await ended;
    expect(first.complete).to.equal(false);
  });
});
