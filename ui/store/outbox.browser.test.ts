import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { until } from "../workspace/testing/browser.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Outbox } from "./outbox.ts";

const conversationId = "conversation-1";
const change = (type = "renamed", data: object = { title: "A title" }): Change => ({
  changeId: uuidv7(),
  domain: "conversation",
  entityId: conversationId,
  type,
  at: new Date().toISOString(),
  data: data as Record<string, unknown>,
});

describe("the outbox", () => {
  let store: AccountStore;
  let service: PlayedService;
  let outbox: Outbox;
  beforeEach(async () => {
    store = await openAccountStore(`acc_${uuidv7()}`);
    service = new PlayedService();
    outbox = new Outbox(createApi(service.fetch), store, { firstMs: 5, mostMs: 30_000 });
  });
  afterEach(async () => {
    outbox.stop();
    await store.remove();
  });

  it("sends changes in the order they were made", async () => {
    const changes = Array.from({ length: 130 }, () => change());
    for (const one of changes) await outbox.add([one]);
    await outbox.send();
    expect(service.pushed.map((one) => one.changeId)).to.deep.equal(changes.map((one) => one.changeId));
    expect(outbox.status).to.deep.equal({ unsent: 0, state: "saved" });
    expect(await outbox.pending()).to.deep.equal([]);
  });

  it("waits while the service is down, reports it, and sends afterwards", async () => {
    service.pushFails = true;
    await outbox.add([change(), change()]);
    await until(() => outbox.status.state === "waiting", "the outbox says that it waits");
    expect(outbox.status.unsent).to.equal(2);
    service.pushFails = false;
    await until(() => outbox.status.state === "saved", "the changes are saved");
    expect(service.pushed).to.have.length(2);
  });

  it("survives the page: another one sends its changes once", async () => {
    service.unreachable = true;
    const lost = change();
    await outbox.add([lost]);
    await until(() => outbox.status.state === "waiting", "the first page waits");
    outbox.stop();
    service.unreachable = false;
    const later = new Outbox(createApi(service.fetch), store, { firstMs: 5, mostMs: 30_000 });
    await later.send();
    await later.send();
    expect(service.pushed.map((one) => one.changeId)).to.deep.equal([lost.changeId]);
    later.stop();
  });

  it("keeps changes after a lost acknowledgement; they are duplicates", async () => {
    const once = change();
    let cut = true;
    const api = createApi(async (path, init) => {
      const response = await service.fetch(path, init);
      if (!cut) return response;
      cut = false;
      throw new TypeError("Failed to fetch");
    });
    outbox = new Outbox(api, store, { firstMs: 5, mostMs: 30_000 });
    await outbox.add([once]);
    await outbox.send();
    expect(service.pushed).to.have.length(1);
    expect(await outbox.pending()).to.deep.equal([]);
  });

  it("continues after a rejected change", async () => {
    const bad = change("renamed", { title: "" });
    const good = [change(), change()];
    const refused: string[] = [];
    const api = createApi(async (path, init) => {
      if (!String(init?.body).includes(bad.changeId)) return service.fetch(path, init);
      const problem = { schemaVersion: 1, status: 400, code: "invalid_request", title: "Not valid.", requestId: "r", retryable: false };
      return new Response(JSON.stringify(problem), { status: 400, headers: { "content-type": "application/problem+json" } });
    });
    outbox = new Outbox(api, store, { firstMs: 5, mostMs: 30_000 });
    outbox.events.on("refused", ({ change: one }) => refused.push(one.changeId));
    await outbox.add([good[0] as Change, bad, good[1] as Change]);
    await outbox.send();
    expect(refused).to.deep.equal([bad.changeId]);
    expect(service.pushed.map((one) => one.changeId)).to.deep.equal(good.map((one) => one.changeId));
  });

  it("defers changes of one entity in order, without delaying others", async () => {
    const elsewhere = () => ({ ...change(), entityId: "conversation-2" });
    const held = [change(), change("archived", {})] as const;
    const others = [elsewhere(), elsewhere()] as const;
    const refused: string[] = [];
    outbox.events.on("refused", ({ change: one }) => refused.push(one.changeId));
    service.cannotTake = conversationId;
    await outbox.add([held[0], others[0], held[1]]);
    await until(() => service.pushed.length === 1 && outbox.status.state === "waiting", "the other conversation's change is there");
    expect((await outbox.pending()).map(({ changeId }) => changeId)).to.deep.equal(held.map(({ changeId }) => changeId));
    await outbox.add([others[1]]);
    await until(() => service.pushed.length === 2 && outbox.status.state === "waiting", "the next one is there, too");
    expect(outbox.status.unsent).to.equal(2);
    service.cannotTake = null;
    await until(() => outbox.status.state === "saved", "everything is saved");
    expect(service.pushed.map(({ changeId }) => changeId)).to.deep.equal([...others, ...held].map(({ changeId }) => changeId));
    expect(refused).to.deep.equal([]);
  });

  it("waits for a sign-in without retrying", async () => {
    service.account = null;
    let calls = 0;
    outbox = new Outbox(
      createApi((path, init) => {
        calls += 1;
        return service.fetch(path, init);
      }),
      store,
      { firstMs: 5, mostMs: 30_000 },
    );
    await outbox.add([change()]);
    await outbox.send();
    expect(outbox.status).to.deep.equal({ unsent: 1, state: "signed-out" });
    expect(calls).to.equal(1);
  });
});
