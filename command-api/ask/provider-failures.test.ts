import { createServer } from "node:net";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { errorTitles } from "@colloquy/schemas/errors.ts";
import { promptOf } from "@colloquy/schemas/quiz/quiz-text.ts";
import { expect } from "chai";
import { type Script, type ScriptedServer, startScriptedServer } from "../model-gateway/scripted-server.fixture.ts";
import { answering, askFixture, frames, textOf } from "./ask.fixture.ts";

/** What services do wrong, played by a real server, and what a learner gets: the table of docs/build/ask.md, through the real route. */
describe("POST /api/ai/ask with a failing provider", () => {
  const served = askFixture();
  /** Only what is silent is given up on: everybody else may take as long as a busy machine needs. */
  const patient = { firstTokenMs: 60_000, idleMs: 60_000, wholeMs: 90_000 };
  /** For a model of which nothing is awaited. */
  const impatient = { connectMs: 300, firstTokenMs: 300, idleMs: 300 };
  let second: ScriptedServer;
  beforeEach(async () => {
    second = await startScriptedServer(answering("From the second."));
  });
  afterEach(() => second.close());

  const event = (content: string, model = "vendor/big"): string =>
    `data: ${JSON.stringify({ id: "r", model, choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const last = (all: AskFrame[]): AskFrame | undefined => all.at(-1);
  const safe = (all: AskFrame[]): void => {
    expect(JSON.stringify(all)).not.to.match(/secret|vendor|ECONN|127\.0\.0\.1|scripted|Slot/);
  };

  // [what goes wrong before the first word, how, the code when there is no other model]
  const before: [string, Script | "refused", string][] = [
    ["a refused connection", "refused", "ai_unavailable"],
    ["a connection reset before the first word", { kind: "reset", words: [] }, "ai_unavailable"],
    ["silence before the response's head", { kind: "hang", words: [] }, "ai_timeout"],
    ["silence before the first word", { kind: "hang", words: [], accept: true }, "ai_timeout"],
    ["429 with Retry-After", { kind: "status", status: 429, headers: { "retry-after": "30" } }, "ai_unavailable"],
    ["429 without Retry-After", { kind: "status", status: 429 }, "ai_unavailable"],
    ["401", { kind: "status", status: 401, body: '{"error":{"message":"Incorrect key sk-secret"}}' }, "ai_unavailable"],
    ["404, as for a model that is gone", { kind: "status", status: 404 }, "ai_unavailable"],
    ["500", { kind: "status", status: 500, body: "<html>sk-secret</html>" }, "ai_unavailable"],
    ["a page instead of events", { kind: "raw", body: "<html>gateway page</html>" }, "ai_unavailable"],
    ["malformed events", { kind: "raw", body: "event: chunk\nid 7\n\n:\n\ndata\n\ndatum: {}\n\n" }, "ai_unavailable"],
    ["malformed JSON in an event", { kind: "raw", body: 'data: {"choices":[{"delta":{"content":"Hal\n\n' }, "ai_unavailable"],
    ["an event of another shape", { kind: "raw", body: 'data: {"choices":"none"}\n\n' }, "ai_unavailable"],
    ["an empty answer", { kind: "stream", words: [] }, "ai_unavailable"],
    ["an answer of white space and reasoning only", { kind: "stream", words: ["<think>", "Hm.", "</think>", "\n"] }, "ai_unavailable"],
    [
      "nothing but a call of a tool",
      { kind: "stream", words: ['<tool_call>{"name":"search"}</tool_call>'], finishReason: "tool_calls" },
      "ai_unavailable",
    ],
    ["a line without end", { kind: "raw", body: `data: {"choices":[{"delta":{"content":"${"x".repeat(20_000_000)}` }, "ai_unavailable"],
  ];
  for (const [what, script, code] of before) {
    const timeouts = { timeouts: patient, ...(code === "ai_timeout" && { firstTimeouts: impatient }) };
    const first = async (): Promise<string> => {
      if (script === "refused") return `http://127.0.0.1:${await closedPort()}/v1`;
      served.model.script(script);
      return served.model.url;
    };

    it(`${what}: the next model answers, as the frames report`, async () => {
      await served.serve({ models: [await first(), second.url], ...timeouts });
      const all = await frames(await served.ask());
      expect(textOf(all)).to.equal("From the second.");
      expect(last(all)).to.include({ kind: "complete", provider: "p2", model: "big", fallbackDepth: 1 });
      const asked = all.flatMap((frame) => (frame.kind === "status" && frame.phase === "generating" ? (frame.detail ?? []) : []));
      expect(new Set(asked.map(({ provider, fallbackDepth }) => `${provider} ${fallbackDepth}`))).to.deep.equal(new Set(["p1 0", "p2 1"]));
      safe(all);
    });

    it(`${what} without another model: only a safe error`, async () => {
      await served.serve({ models: [await first()], ...timeouts });
      const all = await frames(await served.ask());
      expect([...new Set(all.map(({ kind }) => kind))]).to.deep.equal(["status", "error"]);
      expect(last(all)).to.include({ kind: "error", code, retryable: true });
      safe(all);
    });
  }

  it("429 with Retry-After: frame and next response name the time to wait", async () => {
    served.model.script({ kind: "status", status: 429, headers: { "retry-after": "30" } });
    expect(last(await frames(await served.ask()))).to.include({ kind: "error", retryAfterSeconds: 30 });
    const refused = await served.ask({ requestId: "request-0002" });
    expect(refused.status).to.equal(503);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(25, 30);
    expect(await refused.json()).to.deep.include({ code: "ai_unavailable", retryable: true });
    expect(served.model.requests).to.have.length(1);
  });

  it("does not count requests refused without a model against the limit", async () => {
    served.model.script({ kind: "status", status: 429, headers: { "retry-after": "30" } });
    await frames(await served.ask());
    const statuses = new Set<number>();
    for (let pressed = 0; pressed <= bounds.ask.turnsPerMinute; pressed += 1) {
      const refused = await served.ask({ requestId: `request-1${String(pressed).padStart(3, "0")}` });
      statuses.add(refused.status);
      await refused.text();
    }
    expect([...statuses]).to.deep.equal([503]);
  });

  // [what goes wrong after the first words, how, the code]
  const during: [string, Script, string][] = [
    ["a connection reset in the middle", { kind: "reset", words: ["Half an ", "answer "] }, "ai_unavailable"],
    ["silence in the middle", { kind: "hang", words: ["Half an ", "answer "] }, "ai_timeout"],
    ["malformed JSON in the middle", { kind: "raw", body: `${event("Half an ")}${event("answer ")}data: {"cho\n\n` }, "ai_unavailable"],
    [
      "an error told in the middle",
      { kind: "raw", body: `${event("Half an ")}${event("answer ")}data: {"error":{"message":"sk-secret"}}\n\n` },
      "ai_unavailable",
    ],
    ["an end without a reason", { kind: "raw", body: `${event("Half an ")}${event("answer ")}` }, "ai_unavailable"],
    [
      "an answer that takes too long as a whole",
      { kind: "stream", words: ["Half an ", "answer ", ...Array(100).fill(".")], pauseMs: 60 },
      "ai_timeout",
    ],
  ];
  for (const [what, script, code] of during)
    it(`${what}: the text stays, without fallback, and a safe error ends it`, async () => {
      served.model.script(script);
      const timeouts = { ...patient, ...(code === "ai_timeout" && { idleMs: 1_500, wholeMs: 4_000 }) };
      await served.serve({ models: [served.model.url, second.url], timeouts });
      const all = await frames(await served.ask());
      expect(textOf(all)).to.match(/^Half an answer/);
      expect(last(all)).to.include({ kind: "error", code, retryable: true });
      expect(second.requests).to.have.length(0);
      safe(all);
    });

  it("reports the name of another model that answered", async () => {
    served.model.script({ kind: "stream", words: ["Fine."], model: "other-model-2026" });
    expect(last(await frames(await served.ask()))).to.include({ kind: "complete", model: "big", reportedModel: "other-model-2026" });
  });

  const tenMegabytes = 10_485_760;
  const large: [string, string[]][] = [
    ["in one piece", ["x".repeat(tenMegabytes)]],
    ["in many", Array.from({ length: tenMegabytes / 4_096 }, () => "y".repeat(4_096))],
    ["of citations", Array.from({ length: 40_000 }, () => "A sentence of the course stands here [s1]. ")],
  ];
  for (const [what, words] of large)
    it(`10 MB ${what}: cut at the bound, and the request is closed`, async () => {
      served.model.script({ kind: "stream", words });
      await served.serve({ timeouts: patient });
      const all = await frames(await served.ask());
      // Its own markers are longer than the numbers they become.
      expect(textOf(all).length).to.be.within(bounds.ask.answerLength * 0.95, bounds.ask.answerLength);
      expect(last(all)).to.include({ kind: "complete", finishReason: "length" });
      if (words.length > 1) await served.model.requests[0]?.aborted;
    }).timeout(120_000);

  const cited = "A map keeps it [s1]. Twice [s1][s2]; none `[s1]` in code, nor [s99], [^3] or 【s1】 in\n\n```\n[s2]\n```\n";
  it("gives the same text and citations for markers split at every byte", async () => {
    served.model.script(answering(cited));
    const whole = await frames(await served.ask());
    await served.serve({ timeouts: { firstTokenMs: 20_000, idleMs: 20_000, wholeMs: 40_000 } });
    served.model.script({ kind: "stream", words: [...cited] });
    const letters = await frames(await served.ask({ requestId: "request-0002" }));
    expect(textOf(letters)).to.equal(textOf(whole));
    served.model.script({ kind: "stream", words: [cited.slice(0, 17), cited.slice(17, 40), cited.slice(40)], bytewise: true });
    const split = await frames(await served.ask({ requestId: "request-0003" }));
    expect(textOf(split)).to.equal(textOf(whole));
    expect(textOf(whole)).to.equal("A map keeps it[^1]. Twice[^1][^2]; none `[s1]` in code, nor, or[^1] in\n\n```\n[s2]\n```\n");
    const sources = (all: AskFrame[]) => all.flatMap((frame) => (frame.kind === "complete" ? frame.citations : []));
    expect(sources(split)).to.deep.equal(sources(whole));
  }).timeout(120_000);

  it("sends each citation before the first text with its number", async () => {
    served.model.script(answering(...cited));
    const all = await frames(await served.ask());
    const known = new Set<number>();
    for (const frame of all) {
      if (frame.kind === "citation") known.add(frame.citation.number);
      if (frame.kind === "text_delta")
        for (const [, number] of frame.text.matchAll(/\[\^(\d+)\]/g)) expect(known.has(Number(number)), frame.text).to.equal(true);
    }
    expect([...known]).to.deep.equal([1, 2]);
  });

  it("drops unknown and forged citations", async () => {
    const forged = "True [s99]. False [^1]. Footnote[^2]: no. [s0] [S1000] [[s42]](/evil) <cite>s1</cite>\n\n[^1]: https://evil.test\n";
    served.model.script(answering(...forged));
    const all = await frames(await served.ask());
    expect(last(all)).to.deep.include({ kind: "complete", citations: [] });
    expect(textOf(all)).not.to.match(/\[\^|\[s\d/i);
  });

  it("passes raw HTML as text and drops tool markup", async () => {
    const html = "<script>alert(1)</script> <img src=x onerror=alert(1)> <b>bold</b>";
    const calls = '<tool_call>{"name":"rm"}</tool_call><｜tool▁calls▁begin｜>rm<｜tool▁calls▁end｜>[TOOL_CALLS] [{"name":"rm"}]';
    served.model.script(answering(...`<thought>Hm.</thought>${html}<|im_end|>${calls}`));
    expect(textOf(await frames(await served.ask()))).to.equal(html);
  });

  it("treats an answer of unknown marks only as empty", async () => {
    served.model.script(answering("[s99]", " ", "[^3]"));
    const all = await frames(await served.ask());
    expect(textOf(all)).to.equal("");
    expect(last(all)).to.include({ kind: "error", code: "ai_unavailable" });
  });

  it("emits buffered text when an answer breaks off", async () => {
    await served.serve({ timeouts: patient });
    served.model.script({ kind: "reset", words: ["Write ", "`sort and more"] });
    const all = await frames(await served.ask());
    expect(textOf(all)).to.equal("Write `sort and more");
    expect(last(all)?.kind).to.equal("error");
  });

  describe("with structured output", () => {
    const asked = (prompt: string) => ({
      kind: "single",
      prompt,
      choices: [
        { text: "It is only stretched", correct: true },
        { text: "It is turned", correct: false },
      ],
      explanation: "The map keeps its direction.",
      passages: ["s1"],
    });
    const quiz = (...prompts: string[]): string => JSON.stringify({ title: "Eigenvectors", questions: prompts.map(asked) });
    const ask = async () => frames(await served.ask({ message: "/quiz 1 question about eigenvectors" }));
    const made: Script = { kind: "json", content: quiz("What happens to it?") };
    const bad: [string, Script][] = [
      ["truncated", { kind: "json", content: quiz("What happens to it?").slice(0, 90), finishReason: "length" }],
      ["that is no JSON", { kind: "json", content: "Here is your quiz! 1. What happens?" }],
      ["of another shape", { kind: "json", content: '{"title":"x","questions":[{}]}' }],
      ["of 10 MB", { kind: "json", content: "x".repeat(10_485_760) }],
    ];
    for (const [what, script] of bad) {
      it(`an object ${what}: the next model makes the quiz`, async () => {
        served.model.script(script);
        second.script(made);
        await served.serve({ models: [served.model.url, second.url], timeouts: patient });
        const all = await ask();
        expect(all.filter(({ kind }) => kind === "artifact")).to.have.length(1);
        expect(last(all)).to.include({ kind: "complete", provider: "p2", fallbackDepth: 1 });
      });
      it(`an object ${what} without another model: a safe error, no partial quiz`, async () => {
        served.model.script(script);
        await served.serve({ timeouts: patient });
        const all = await ask();
        expect([...new Set(all.map(({ kind }) => kind))]).to.deep.equal(["status", "error"]);
        expect(last(all)).to.include({ code: "ai_unavailable" });
        safe(all);
      });
    }

    it("makes the quiz from a repaired object", async () => {
      served.model.script({ kind: "json", content: "Sure!" }, made);
      expect(last(await ask())).to.include({ kind: "complete", provider: "p1", fallbackDepth: 0 });
      expect(served.model.requests[1]?.body.messages.at(-1)?.content).to.contain("does not fit");
    });

    it("makes 12 questions in batches of one model, without repetition", async () => {
      const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `Question ${from + index}?`);
      served.model.script(
        { kind: "json", content: quiz(...names(1, 5)) },
        { kind: "json", content: quiz("question 2", ...names(6, 9)) },
        { kind: "json", content: quiz(...names(10, 14)) },
      );
      const all = await frames(await served.ask({ message: "Quiz me with 12 questions about eigenvectors" }));
      const artifact = all.find((frame) => frame.kind === "artifact")?.artifact;
      expect(artifact?.questions.map(promptOf)).to.deep.equal(names(1, 12));
      const progress = all.flatMap((frame) => (frame.kind === "status" && frame.detail?.questions ? [frame.detail.questions] : []));
      expect([...new Set(progress.map(({ made, wanted }) => `${made}/${wanted}`))]).to.deep.equal(
        Array.from({ length: 13 }, (_, made) => `${made}/12`),
      );
      expect(served.model.requests[1]?.body.messages[0]?.content).to.contain("Write exactly 5 questions").and.contain('"Question 5?"');
      const soFar = all.flatMap((frame) => (frame.kind === "status" && frame.detail?.quiz ? [frame.detail.quiz] : []));
      expect(soFar.map(({ quizId, questions }) => [quizId, questions.length])).to.deep.equal(
        Array.from({ length: 11 }, (_, made) => [artifact?.quizId, made + 1]),
      );
      for (const { questions } of soFar) expect(artifact?.questions.slice(0, questions.length)).to.deep.equal(questions);
    });

    // [what goes wrong before the first question is whole, how, the code when there is no other model]
    const early: [string, Script | "refused", string][] = [
      ["a refused connection", "refused", "ai_unavailable"],
      ["silence before the response's head", { kind: "hang", words: [] }, "ai_timeout"],
      ["silence before the first byte", { kind: "hang", words: [], accept: true }, "ai_timeout"],
      ["silence in the first question", { kind: "hang", words: ['{"title":"E","questions":[{"kind":'] }, "ai_timeout"],
      ["a reset in the first question", { kind: "reset", words: ['{"title":"E","questions":[{"kind":'] }, "ai_unavailable"],
      ["429 with Retry-After", { kind: "status", status: 429, headers: { "retry-after": "30" } }, "ai_unavailable"],
      ["401", { kind: "status", status: 401, body: '{"error":{"message":"Incorrect key sk-secret"}}' }, "ai_unavailable"],
      ["500", { kind: "status", status: 500, body: "<html>sk-secret</html>" }, "ai_unavailable"],
      ["an answer that is no stream", { kind: "raw", body: quiz("What happens to it?") }, "ai_unavailable"],
    ];
    for (const [what, script, code] of early) {
      const timeouts = { timeouts: patient, ...(code === "ai_timeout" && { firstTimeouts: impatient }) };
      const first = async (): Promise<string> => {
        if (script === "refused") return `http://127.0.0.1:${await closedPort()}/v1`;
        served.model.script(script);
        return served.model.url;
      };
      it(`${what}: the next model makes the quiz`, async () => {
        second.script(made);
        await served.serve({ models: [await first(), second.url], ...timeouts });
        const all = await ask();
        expect(all.find((frame) => frame.kind === "artifact")?.artifact.questions).to.have.length(1);
        expect(last(all)).to.include({ kind: "complete", provider: "p2", fallbackDepth: 1 });
        if (script !== "refused" && script.kind === "hang") await served.model.requests[0]?.aborted;
        safe(all);
      });
      it(`${what} without another model: a safe error, no partial quiz`, async () => {
        await served.serve({ models: [await first()], ...timeouts });
        const all = await ask();
        expect([...new Set(all.map(({ kind }) => kind))]).to.deep.equal(["status", "error"]);
        expect(last(all)).to.include({ kind: "error", code, retryable: true });
        if (what.startsWith("429")) expect(last(all)).to.include({ retryAfterSeconds: 30 });
        safe(all);
      });
    }

    // What goes wrong after two whole questions of five.
    const two = quiz("One?", "Two?", "Three?").slice(0, -170);
    const late: [string, Script][] = [
      ["silence", { kind: "hang", words: [two] }],
      ["a reset", { kind: "reset", words: [two] }],
      ["an end without a reason", { kind: "raw", body: event(two) }],
      ["malformed JSON in an event", { kind: "raw", body: `${event(two)}data: {"cho\n\n` }],
      ["truncated output", { kind: "json", content: two, finishReason: "length" }],
    ];
    for (const [what, script] of late) {
      const silence = what === "silence" && { firstTimeouts: { idleMs: 3_000 } };
      const serve = () => served.serve({ models: [served.model.url, second.url], timeouts: patient, ...silence });
      const asking = async () => frames(await served.ask({ message: "/quiz 5 about eigenvectors" }));
      const prompts = (all: AskFrame[]) =>
        all.flatMap((frame) => (frame.kind === "artifact" ? frame.artifact.questions.map(promptOf) : []));

      it(`${what} after whole questions: the same model is asked for the rest`, async () => {
        served.model.script(script, { kind: "json", content: quiz("Three?", "Four?", "Five?") });
        await serve();
        const all = await asking();
        expect(prompts(all)).to.deep.equal(["One?", "Two?", "Three?", "Four?", "Five?"]);
        expect(served.model.requests[1]?.body.messages[0]?.content).to.contain("Write exactly 3 questions").and.contain('"Two?"');
        expect(last(all)).to.include({ kind: "complete", provider: "p1", fallbackDepth: 0 });
        expect(second.requests).to.have.length(0);
        safe(all);
      });

      it(`${what} after whole questions, then nothing: a shorter quiz, no fallback`, async () => {
        served.model.script(script, { kind: "status", status: 500 });
        await serve();
        const all = await asking();
        expect(prompts(all)).to.deep.equal(["One?", "Two?"]);
        expect(last(all)).to.include({ kind: "complete", provider: "p1" });
        expect(second.requests).to.have.length(0);
        safe(all);
      });
    }

    it("sends each question as soon as it is written", async () => {
      served.model.script({ kind: "hang", words: [...two] });
      await served.serve({ timeouts: { firstTokenMs: 30_000, idleMs: 30_000, wholeMs: 60_000 } });
      const response = await served.ask({ message: "/quiz 5 about eigenvectors" });
      const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = "";
      while (!seen.includes('"made":2')) seen += (await lines?.read())?.value ?? "";
      const soFar = seen.split("\n").flatMap((line) => (line.includes('"quiz":{') ? [JSON.parse(line).detail.quiz] : []));
      expect(soFar.map(({ title, questions }) => [title, questions.length])).to.deep.equal([
        ["Eigenvectors", 1],
        ["Eigenvectors", 2],
      ]);
      await lines?.cancel();
    });

    it("makes a shorter quiz if the model fails after the first batch", async () => {
      served.model.script({ kind: "json", content: quiz("One?", "Two?") }, { kind: "status", status: 500 });
      await served.serve({ models: [served.model.url, second.url] });
      const all = await frames(await served.ask({ message: "/quiz 8 about eigenvectors" }));
      expect(all.find((frame) => frame.kind === "artifact")?.artifact.questions).to.have.length(2);
      expect(last(all)).to.include({ kind: "complete", provider: "p1" });
      expect(second.requests).to.have.length(0);
    });

    it("rejects a quiz without passages before it asks a model", async () => {
      const all = await frames(await served.ask({ message: "/quiz" }));
      expect(last(all)).to.include({ kind: "error", code: "invalid_request", retryable: false });
      expect(served.model.requests).to.have.length(0);
    });

    it("reports that a page gives no question, without repair or fallback", async () => {
      served.model.script({ kind: "json", content: '{"title":"x","questions":[]}' });
      await served.serve({ models: [served.model.url, second.url] });
      const all = await ask();
      expect(last(all)).to.include({ kind: "error", code: "nothing_to_ask", retryable: false, title: errorTitles.nothing_to_ask });
      expect([served.model.requests.length, second.requests.length]).to.deep.equal([1, 0]);
    });

    it("uses a capable model if the pinned model is Ask-only", async () => {
      served.model.script(made);
      const model = { choice: "pinned", id: "p1/small", allowFallbackWhenPinned: false };
      const all = await frames(await served.ask({ message: "Quiz me on eigenvectors", model }));
      expect(last(all)).to.include({ kind: "complete", model: "big" });
    });
  });
});

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 1));
    });
  });
}
