import { createServer } from "node:net";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { modelChoice } from "@colloquy/schemas/models.ts";
import { expect } from "chai";
import { NoModelAvailable } from "./failures.ts";
import { answer, gatewayFixture, pinned, problem, request, secret, until } from "./gateway.fixture.ts";
import type { Script } from "./scripted-server.fixture.ts";

const hello: Script = { kind: "stream", words: ["Hello", " there", "."], usage: true };

describe("the model gateway", () => {
  const { serve, gatewayTo } = gatewayFixture();

  it("streams an answer by chunks and names its model", async () => {
    const server = await serve(hello);
    const { run, words, finishReason, usage } = await answer(gatewayTo([server.url]));
    expect(words).to.deep.equal(["Hello", " there", "."]);
    expect({ provider: run.provider, model: run.model, modelName: run.modelName, depth: run.fallbackDepth }).to.deep.equal({
      provider: "p1",
      model: "big",
      modelName: "Big",
      depth: 0,
    });
    expect({ finishReason, usage }).to.deep.equal({ finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } });
    const [seen] = server.requests;
    expect(seen?.path).to.equal("/v1/chat/completions");
    expect(seen?.authorization).to.equal(`Bearer ${secret}`);
    expect(seen?.body).to.deep.include({ model: "vendor/big", stream: true, max_tokens: 150 });
    expect(seen?.body.messages).to.deep.equal([
      { role: "system", content: "Answer from the passages." },
      { role: "user", content: "Hello?" },
    ]);
  });

  it("redacts the credential in text and model name, also across chunks", async () => {
    const words = [`Your key is ${secret.slice(0, 5)}`, `${secret.slice(5)}, keep it.`];
    const server = await serve({ kind: "stream", words, model: secret });
    const { words: said, run } = await answer(gatewayTo([server.url]));
    expect(said.join("")).to.equal("Your key is …, keep it.");
    expect(JSON.stringify(run)).not.to.include(secret);
  });

  it("reports an answer that was cut for length", async () => {
    const server = await serve({ kind: "stream", words: ["Half"], finishReason: "length" });
    expect((await answer(gatewayTo([server.url]))).finishReason).to.equal("length");
  });

  it("ends an answer at the bound and closes the request", async () => {
    const server = await serve({ kind: "hang", words: ["x".repeat(40_000), "y".repeat(19_000), "z".repeat(2_000)] });
    const { words, finishReason } = await answer(gatewayTo([server.url]));
    expect(finishReason).to.equal("length");
    expect(words.join("")).to.equal(`${"x".repeat(40_000)}${"y".repeat(19_000)}${"z".repeat(1_000)}`);
    await server.requests[0]?.aborted;
  });

  const beforeFirstWord: [string, Script | "refused connection", string][] = [
    ["a refused connection", "refused connection", "ai_unavailable"],
    ["a server error", { kind: "status", status: 500, body: `{"error":{"message":"key ${secret} is broken"}}` }, "ai_unavailable"],
    ["too many requests", { kind: "status", status: 429, headers: { "retry-after": "60" } }, "ai_unavailable"],
    [
      "a refused credential",
      { kind: "status", status: 401, body: `{"error":{"message":"Incorrect API key: ${secret}"}}` },
      "ai_unavailable",
    ],
    ["a redirect", { kind: "status", status: 307, headers: { location: "http://127.0.0.1:9/" } }, "ai_unavailable"],
    ["a connection reset before the first word", { kind: "reset", words: [] }, "ai_unavailable"],
    ["an answer that is no event stream", { kind: "raw", body: "<html>gateway page</html>" }, "ai_unavailable"],
    ["a malformed event", { kind: "raw", body: "data: {not json}\n\n" }, "ai_unavailable"],
    ["an error sent as an event", { kind: "raw", body: `data: {"error":{"message":"${secret}"}}\n\n` }, "ai_unavailable"],
    ["an empty answer", { kind: "stream", words: [] }, "ai_unavailable"],
    ["silence before the response's head", { kind: "hang", words: [] }, "ai_timeout"],
    ["silence before the first word", { kind: "hang", words: [], accept: true }, "ai_timeout"],
  ];
  for (const [what, script, code] of beforeFirstWord) {
    // Only what is silent is given up on: everybody else may take their time.
    const timeouts = code === "ai_timeout" ? { connectMs: 300, firstTokenMs: 300 } : {};
    const urlOf = async () => (script === "refused connection" ? `http://127.0.0.1:${await closedPort()}/v1` : (await serve(script)).url);

    it(`falls back after ${what} and logs it`, async () => {
      const second = await serve(hello);
      const { run, words } = await answer(gatewayTo([await urlOf(), second.url], timeouts));
      expect([run.provider, run.fallbackDepth, words.join("")]).to.deep.equal(["p2", 1, "Hello there."]);
    });

    it(`gives a safe error after ${what} without another model`, async () => {
      expect(await problem(answer(gatewayTo([await urlOf()], timeouts)))).to.equal(code);
    });
  }

  it("takes neither prompt nor credential to where a redirect leads", async () => {
    const elsewhere = await serve(hello);
    const server = await serve({ kind: "status", status: 307, headers: { location: `${elsewhere.url}/chat/completions` } });
    expect(await problem(answer(gatewayTo([server.url])))).to.equal("ai_unavailable");
    expect([server.requests.length, elsewhere.requests.length]).to.deep.equal([1, 0]);
  });

  it("calls each model once, without hidden retries", async () => {
    const server = await serve({ kind: "status", status: 503 });
    await problem(answer(gatewayTo([server.url])));
    expect(server.requests).to.have.length(1);
  });

  it("does not fall back after the first word: a broken stream is an error", async () => {
    const first = await serve({ kind: "reset", words: ["One", " two"] });
    const second = await serve(hello);
    const run = await gatewayTo([first.url, second.url]).streamText(request());
    const words: string[] = [];
    const failure = await problem(
      (async () => {
        for await (const word of run.text) words.push(word);
      })(),
    );
    expect([failure, words.join(""), second.requests.length]).to.deep.equal(["ai_unavailable", "One two", 0]);
    expect(await problem(run.finished)).to.equal("ai_unavailable");
  });

  it("fails on a stream that stops or becomes malformed", async () => {
    const word = `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta: { content: "One" } }] })}\n\n`;
    for (const body of [word, `${word}data: {"oops\n\n`]) {
      const server = await serve({ kind: "raw", body });
      expect(await problem(answer(gatewayTo([server.url])))).to.equal("ai_unavailable");
    }
  });

  it("times out on a silent stream and closes the request", async () => {
    const server = await serve({ kind: "hang", words: ["One"] });
    expect(await problem(answer(gatewayTo([server.url], { idleMs: 200 })))).to.equal("ai_timeout");
    await server.requests[0]?.aborted;
  });

  it("times out on the whole answer", async () => {
    const server = await serve({ kind: "stream", words: Array.from({ length: 200 }, () => "word "), pauseMs: 20 });
    expect(await problem(answer(gatewayTo([server.url], { wholeMs: 300 })))).to.equal("ai_timeout");
    await server.requests[0]?.aborted;
  });

  it("closes the request when the caller aborts in the middle", async () => {
    const server = await serve({ kind: "hang", words: ["One"] });
    const caller = new AbortController();
    const run = await gatewayTo([server.url]).streamText(request({ signal: caller.signal }));
    const reading = (async () => {
      for await (const _ of run.text) caller.abort(new Error("stopped by the learner"));
    })();
    expect(
      await reading.then(
        () => "ended",
        (error: Error) => error.message,
      ),
    ).to.equal("stopped by the learner");
    await server.requests[0]?.aborted;
  });

  it("closes the request on an abort before the first word, without fallback", async () => {
    const server = await serve({ kind: "hang", words: [], accept: true });
    const second = await serve(hello);
    const caller = new AbortController();
    const asking = gatewayTo([server.url, second.url]).streamText(request({ signal: caller.signal }));
    await until(() => server.requests.length === 1);
    caller.abort(new Error("gone"));
    expect(
      await asking.then(
        () => "answered",
        (error: Error) => error.message,
      ),
    ).to.equal("gone");
    await server.requests[0]?.aborted;
    expect(second.requests).to.have.length(0);
  });

  it("closes the request when the reader leaves", async () => {
    const server = await serve({ kind: "hang", words: ["One", " two"] });
    const run = await gatewayTo([server.url]).streamText(request());
    for await (const _ of run.text) break;
    await server.requests[0]?.aborted;
    expect((await run.finished).finishReason).to.equal("stop");
  });

  it("skips a provider for its Retry-After", async () => {
    const clock = { now: 0 };
    const first = await serve({ kind: "status", status: 429, headers: { "retry-after": "60" } });
    const second = await serve(hello);
    const gateway = gatewayTo([first.url, second.url], {}, clock);
    for (const at of [0, 1_000, 59_000]) {
      clock.now = at;
      expect((await answer(gateway)).run).to.include({ provider: "p2", fallbackDepth: 1 });
    }
    expect(first.requests).to.have.length(1);
    first.script(hello);
    clock.now = 60_000;
    expect((await answer(gateway)).run).to.include({ provider: "p1", fallbackDepth: 0 });
  });

  it("skips a failing provider, probes it once and uses it again", async () => {
    const clock = { now: 0 };
    const first = await serve({ kind: "status", status: 500 });
    const second = await serve(hello);
    const gateway = gatewayTo([first.url, second.url], {}, clock);
    for (let turn = 0; turn < 5; turn += 1) await answer(gateway);
    expect(first.requests, "asked until it had failed three times").to.have.length(3);
    clock.now = 5_000;
    await Promise.all([answer(gateway), answer(gateway), answer(gateway)]);
    expect(first.requests, "one probe").to.have.length(4);
    clock.now = 14_000;
    await answer(gateway);
    expect(first.requests, "a probe that failed doubles the time").to.have.length(4);
    clock.now = 15_000;
    first.script(hello);
    expect((await answer(gateway)).run.provider).to.equal("p1");
    expect((await answer(gateway)).run.provider).to.equal("p1");
  });

  it("names the time to wait when every model is skipped", async () => {
    const clock = { now: 0 };
    const limited = (seconds: string): Script => ({ kind: "status", status: 429, headers: { "retry-after": seconds } });
    const first = await serve(limited("90"));
    const second = await serve(limited("30"));
    const gateway = gatewayTo([first.url, second.url], {}, clock);
    const wait = () =>
      answer(gateway).catch(
        (error) => error instanceof ProblemError && [error.code, error.retryAfterSeconds, error instanceof NoModelAvailable],
      );
    await gateway.check(request());
    expect(await wait()).to.deep.equal(["ai_unavailable", 30, false]);
    clock.now = 10_000;
    expect(await wait(), "nobody was asked").to.deep.equal(["ai_unavailable", 20, true]);
    const refused = await gateway.check(request()).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(NoModelAvailable).with.property("retryAfterSeconds", 20);
    expect([first.requests.length, second.requests.length]).to.deep.equal([1, 1]);
  });

  it("does not count aborts and unknown models against a provider", async () => {
    const server = await serve({ kind: "hang", words: [], accept: true });
    const gateway = gatewayTo([server.url]);
    for (let turn = 0; turn < 4; turn += 1) {
      const caller = new AbortController();
      const asking = gateway.streamText(request({ signal: caller.signal }));
      await until(() => server.requests.length === turn + 1);
      caller.abort(new Error("gone"));
      await asking.catch(() => {});
    }
    server.script({ kind: "status", status: 404 });
    for (let turn = 0; turn < 4; turn += 1) await problem(answer(gateway, pinned("p1/small")));
    server.script(hello);
    expect((await answer(gateway)).run.provider).to.equal("p1");
  });

  it("reports another model that the service names", async () => {
    const server = await serve({ ...hello, model: "vendor/other-2026" } as Script);
    const { run } = await answer(gatewayTo([server.url]));
    expect(run).to.include({ model: "big", reportedModel: "vendor/other-2026" });
    server.script({ ...hello, model: "vendor/big" } as Script);
    expect((await answer(gatewayTo([server.url]))).run).not.to.have.property("reportedModel");
    server.script({ ...hello, model: "<b>rude words</b>" } as Script);
    expect((await answer(gatewayTo([server.url]))).run).not.to.have.property("reportedModel");
  });

  it("reports each model before it is called", async () => {
    const broken = await serve({ kind: "status", status: 500 });
    const other = await serve(hello);
    const asked: string[] = [];
    await answer(gatewayTo([broken.url, other.url]), {
      onAttempt: ({ provider, fallbackDepth }) => asked.push(`${provider}:${fallbackDepth}`),
    });
    expect(asked).to.deep.equal(["p1:0", "p2:1"]);
  });

  it("uses a pinned model and falls back only if allowed", async () => {
    const broken = await serve({ kind: "status", status: 500 });
    const other = await serve(hello);
    const gateway = gatewayTo([broken.url, other.url]);
    expect(await problem(answer(gateway, pinned("p1/big")))).to.equal("ai_unavailable");
    expect(other.requests).to.have.length(0);
    expect((await answer(gateway, pinned("p1/big", true))).run).to.include({ provider: "p2", fallbackDepth: 1 });
  });

  it("retries the newest flash model of P2 at P3 only if unavailable", async () => {
    const p1 = await serve(hello);
    const p2 = await serve({ kind: "status", status: 503 });
    const p3 = await serve(hello);
    const gateway = gatewayTo([p1.url, p2.url, p3.url]);
    expect((await answer(gateway, pinned("p2/big"))).run).to.include({ provider: "p3", model: "vendor2/big", fallbackDepth: 1 });
    expect(p3.requests[0]?.body.model).to.equal("vendor2/big");
    p2.script({ kind: "status", status: 400 });
    expect(await problem(answer(gateway, pinned("p2/big")))).to.equal("ai_unavailable");
    expect([p1.requests.length, p3.requests.length]).to.deep.equal([0, 1]);
  });

  it("rejects Tutor for an Ask-only model before any call", async () => {
    const server = await serve(hello);
    expect(await problem(answer(gatewayTo([server.url]), { ...pinned("p1/small"), need: "tutor" }))).to.equal("model_not_capable");
    expect(server.requests).to.have.length(0);
  });

  it("offers only models with a credential, without secrets", async () => {
    const gateway = gatewayTo(["http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"]);
    const choices = gateway.choices();
    for (const choice of choices) modelChoice.parse(choice);
    expect(choices.map((choice) => [choice.id, choice.automaticRank, choice.capabilities.tutor])).to.deep.equal([
      ["p1/big", 1, true],
      ["p1/small", null, false],
      ["p2/big", 2, true],
      ["p2/small", null, false],
    ]);
    expect(JSON.stringify(choices)).to.not.contain(secret);
    expect(gateway.automatic()).to.equal(true);
  });
});

/** A port nobody listens on. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 1));
    });
  });
}
