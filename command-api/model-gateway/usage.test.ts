import { readConfig } from "@colloquy/infra/config.ts";
import type { TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { actingFor } from "@colloquy/infra/http/acting-account.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { registry } from "@colloquy/infra/telemetry/metrics.ts";
import { expect } from "chai";
import { z } from "zod";
import { countTokens } from "../tokens.ts";
import { answer, gatewayFixture, pinned, problem, request } from "./gateway.fixture.ts";
import type { Script } from "./scripted-server.fixture.ts";
import { type ModelUsage, openModelUsage } from "./usage.ts";

const hello: Script = { kind: "stream", words: ["Hello", " there", "."], usage: true };
const [mira, noor] = ["acc_mira_0001", "acc_noor_0001"];

describe("daily limits of a slot", () => {
  const { serve, gatewayTo } = gatewayFixture();
  const tokensLeft = async (gateway: ReturnType<typeof gatewayTo>) => (await gateway.leftToday(mira)).get("p1")?.tokens;

  it("lead automatic routing to the next slot", async () => {
    const [first, second] = [await serve(hello), await serve(hello)];
    const gateway = gatewayTo([first.url, second.url], {}, undefined, { P1_DAILY_REQUESTS: "1" });
    const providers = [await actingFor(mira, () => answer(gateway)), await actingFor(mira, () => answer(gateway))];
    expect(providers.map(({ run }) => run.provider)).to.deep.equal(["p1", "p2"]);
  });

  it("refuse a pinned model until midnight UTC, before the service is called", async () => {
    const [first, second] = [await serve(hello), await serve(hello)];
    const gateway = gatewayTo([first.url, second.url], {}, undefined, { P1_DAILY_REQUESTS: "1" });
    await actingFor(mira, () => answer(gateway, pinned("p1/big")));
    const refused = await actingFor(mira, () => gateway.streamText(request(pinned("p1/big"))).catch((error: unknown) => error));
    expect(refused).to.be.instanceOf(ProblemError).with.property("code", "quota_exhausted");
    const midnight = new Date(Date.now() + ((refused as ProblemError).retryAfterSeconds ?? 0) * 1_000);
    expect([midnight.getUTCHours(), midnight.getUTCMinutes()]).to.deep.equal([0, 0]);
    expect([first.requests.length, second.requests.length]).to.deep.equal([1, 0]);
    expect(await problem(actingFor(mira, () => gateway.check(request(pinned("p1/big")))))).to.equal("quota_exhausted");
  });

  it("let the other models answer where that is allowed", async () => {
    const [first, second] = [await serve(hello), await serve(hello)];
    const gateway = gatewayTo([first.url, second.url], {}, undefined, { P1_DAILY_REQUESTS: "1" });
    await actingFor(mira, () => answer(gateway));
    const { run } = await actingFor(mira, () => answer(gateway, pinned("p1/big", true)));
    expect(run.provider).to.equal("p2");
  });

  it("do not lead a pinned model of P2 to P3", async () => {
    const [first, second, third] = [await serve(hello), await serve(hello), await serve(hello)];
    const gateway = gatewayTo([first.url, second.url, third.url], {}, undefined, { P2_DAILY_REQUESTS: "1" });
    await actingFor(mira, () => answer(gateway, pinned("p2/big")));
    expect(await problem(actingFor(mira, () => answer(gateway, pinned("p2/big"))))).to.equal("quota_exhausted");
  });

  it("do not break off what has begun: its later calls count and are made", async () => {
    const server = await serve(hello);
    const gateway = gatewayTo([server.url], {}, undefined, { P1_DAILY_REQUESTS: "1" });
    await actingFor(mira, async () => {
      await gateway.shortText(request());
      await answer(gateway);
    });
    expect(server.requests).to.have.length(2);
  });

  it("are used up by tokens, too, which the service reports", async () => {
    const server = await serve(hello);
    const gateway = gatewayTo([server.url], {}, undefined, { P1_DAILY_TOKENS: "18" });
    await actingFor(mira, () => answer(gateway));
    expect(await tokensLeft(gateway)).to.deep.equal({ left: 0, of: 18 });
    expect(await problem(actingFor(mira, () => answer(gateway)))).to.equal("quota_exhausted");
  });

  it("count tokens themselves where the service reports none", async () => {
    const server = await serve({ kind: "stream", words: ["Hello", " there", "."] });
    const gateway = gatewayTo([server.url], {}, undefined, { P1_DAILY_TOKENS: "1000" });
    await actingFor(mira, () => answer(gateway));
    const used = countTokens("Answer from the passages.\nHello?") + countTokens("Hello there.");
    expect(await tokensLeft(gateway)).to.deep.equal({ left: 1000 - used, of: 1000 });
  });

  it("count the tokens of an answer that its reader left", async () => {
    const server = await serve({ kind: "hang", words: ["Hello", " there"] });
    const gateway = gatewayTo([server.url], {}, undefined, { P1_DAILY_TOKENS: "1000" });
    await actingFor(mira, async () => {
      for await (const _ of (await gateway.streamText(request())).text) break;
    });
    expect((await tokensLeft(gateway))?.left).to.be.below(1000);
  });

  it("count an object and its repair as two requests", async () => {
    const server = await serve({ kind: "json", content: "{}" }, { kind: "json", content: '{"word":"yes"}' });
    const gateway = gatewayTo([server.url], {}, undefined, { P1_DAILY_REQUESTS: "9" });
    const schema = z.strictObject({ word: z.string() });
    await actingFor(mira, () => gateway.generateObject({ ...request({ need: "quiz" }), name: "word", schema }));
    expect((await gateway.leftToday(mira)).get("p1")?.requests).to.deep.equal({ left: 7, of: 9 });
  });

  it("are told to operators by slot, without accounts", async () => {
    const figure = async (name: string) =>
      (await registry.getSingleMetric(name)?.get())?.values.find(({ labels }) => labels.slot === "p1")?.value ?? 0;
    const figures = async () => [await figure("colloquy_model_requests_total"), await figure("colloquy_model_tokens_total")];
    const [requests = 0, tokens = 0] = await figures();
    const server = await serve(hello);
    await actingFor(mira, () => answer(gatewayTo([server.url])));
    expect(await figures()).to.deep.equal([requests + 1, tokens + 18]);
  });
});

for (const engine of await enginesToTest())
  describeOn(engine, `model usage on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    const opened: ModelUsage[] = [];
    beforeEach(async () => {
      place = await engine.create();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((usage) => usage.close()));
      await place.drop();
    });
    function open(now = Date.now): ModelUsage {
      const usage = openModelUsage({
        config: readConfig({ ...place.config, P1_DAILY_REQUESTS: "3" }),
        log: { error: () => undefined },
        now,
      });
      opened.push(usage);
      return usage;
    }
    const admitted = (usage: ModelUsage, accountId = mira) => actingFor(accountId, async () => (await usage.admit("p1")) !== null);

    it("survives a restart", async () => {
      const before = open();
      await admitted(before);
      await before.close();
      opened.length = 0;
      expect((await open().leftToday(mira)).get("p1")).to.deep.equal({ requests: { left: 2, of: 3 }, tokens: null });
    });

    it("holds for two processes at once", async () => {
      const both = [open(), open()];
      const all = await Promise.all(Array.from({ length: 8 }, (_, index) => admitted(both[index % 2] as ModelUsage)));
      expect(all.filter(Boolean)).to.have.length(3);
    });

    it("is each account's own", async () => {
      const usage = open();
      for (let times = 0; times < 3; times += 1) await admitted(usage);
      expect([await admitted(usage), await admitted(usage, noor)]).to.deep.equal([false, true]);
    });

    it("begins anew each day in UTC", async () => {
      let now = Date.parse("2026-03-01T23:59:59Z");
      const usage = open(() => now);
      for (let times = 0; times < 3; times += 1) await admitted(usage);
      now += 1_000;
      expect(await admitted(usage)).to.equal(true);
    });

    it("is forgotten with its account", async () => {
      const usage = open();
      await admitted(usage);
      await usage.forget(mira);
      expect((await usage.leftToday(mira)).get("p1")?.requests?.left).to.equal(3);
    });
  });
