import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { readyResponse } from "@colloquy/schemas/health.ts";
import { expect } from "chai";
import express from "express";
import { change, mira, type ServedReading, serveReading, started } from "../served.fixture.ts";
import { readyRoutes } from "./routes.ts";

async function listening(app: ReturnType<typeof express>) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `GET /readyz on ${engine.name}`, () => {
    let served: ServedReading;
    beforeEach(async () => {
      served = await serveReading(engine);
    });
    afterEach(() => served.close());

    it("names the store, the database and each projection's lag", async () => {
      await served.get(`/api/conversations?after=${await served.push(mira, started("Pipes"))}`);
      let body = { ready: false } as Record<string, unknown>;
      const behind = () => (body.projections as { lagMs: number }[] | undefined)?.some(({ lagMs }) => lagMs > 0) ?? true;
      while (!body.ready || behind()) body = (await (await served.get("/readyz", null)).json()) as typeof body;
      expect(body).to.have.nested.property("eventStore.ok", true);
      expect(body).to.have.nested.property("database.ok", true);
      const rows = body.projections as { name: string; ok: boolean; lagMs: number }[];
      expect(rows.map(({ name, ok, lagMs }) => [name, ok, lagMs])).to.deep.equal([
        ["conversations", true, 0],
        ["sync", true, 0],
      ]);
    });

    it("tells how many render workers there are, and which of them lack something, as the command API knows it", async () => {
      const renderWorkers = { count: 2, inWeakerIsolation: 1, withoutEncoder: 0 };
      const api = express().use(aliveRoutes(() => ({ renderWorkers })));
      const commandApi = await listening(api);
      const { store, database } = served.models;
      const query = await listening(express().use(readyRoutes({ store, database, commandApi: commandApi.address })));
      try {
        const body = readyResponse.parse(await (await fetch(`${query.address}/readyz`)).json());
        expect(body.renderWorkers).to.deep.equal(renderWorkers);
      } finally {
        for (const { server } of [commandApi, query]) server.close();
      }
    });

    it("needs required dependencies, not optional ones", async () => {
      await served.get(`/api/conversations?after=${await served.push(mira, started("Pipes"))}`);
      const ask = async () => readyResponse.parse(await (await served.get("/readyz", null)).json());
      while (!(await ask()).ready);
      served.broken.add("identity");
      // A busy machine may be a moment late with something else.
      let without = await ask();
      while (!without.ready) without = await ask();
      expect(without.dependencies.map(({ name, ok, required }) => [name, ok, required])).to.deep.equal([
        ["object-store", true, true],
        ["identity", false, false],
      ]);
      served.broken.add("object-store");
      expect((await served.get("/readyz", null)).status).to.equal(503);
    });

    it("shows the lag of stopped projections", async () => {
      await served.get(`/api/conversations?after=${await served.push(mira, started("Pipes"))}`);
      await served.models.stopProjections();
      await served.push(mira, change("pinned"));
      const lags = async () => readyResponse.parse(await (await served.get("/readyz", null)).json()).projections.map(({ lagMs }) => lagMs);
      let seen = await lags();
      while (seen.some((lagMs) => lagMs === 0)) seen = await lags();
      expect(seen).to.have.length(2);
    });

    it("is alive but not ready without its store", async () => {
      await served.get("/api/conversations");
      await served.models.store.close();
      expect((await served.get("/readyz", null)).status).to.equal(503);
      expect(await (await served.get("/healthz", null)).json()).to.deep.equal({ schemaVersion: 1, status: "ok" });
    });
  });
}
