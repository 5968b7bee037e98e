import { generatedQuiz } from "@colloquy/schemas/generation/quiz.ts";
import { expect } from "chai";
import { gatewayFixture, pinned, problem, request, secret, until } from "./gateway.fixture.ts";
import type { ModelRequest } from "./gateway.ts";
import type { Script } from "./scripted-server.fixture.ts";

const quiz = {
  title: "Pipes",
  questions: [
    {
      kind: "single" as const,
      prompt: "What does a pipe do?",
      choices: [
        { text: "It connects programs", correct: true },
        { text: "It deletes files", correct: false },
      ],
      explanation: "See the passage.",
      passages: ["s1"],
    },
  ],
};

describe("objects from the model gateway", () => {
  const { serve, gatewayTo } = gatewayFixture();
  const want = (change: Partial<ModelRequest> = {}) => ({ ...request({ need: "quiz", ...change }), name: "quiz", schema: generatedQuiz });

  it("sends the schema and validates the answer", async () => {
    const server = await serve({ kind: "json", content: JSON.stringify(quiz) });
    const { object, run } = await gatewayTo([server.url]).generateObject(want());
    expect(object).to.deep.equal(quiz);
    expect(run).to.deep.include({ provider: "p1", model: "big", fallbackDepth: 0, usage: { inputTokens: 11, outputTokens: 7 } });
    const format = server.requests[0]?.body.response_format;
    expect([format?.type, format?.json_schema?.name]).to.deep.equal(["json_schema", "quiz"]);
    expect(JSON.stringify(format?.json_schema?.schema)).to.not.match(/"(minItems|maxItems|maxLength|pattern)":/);
  });

  it("sends an invalid object back once, with its errors", async () => {
    const two = {
      ...quiz,
      questions: [{ ...quiz.questions[0], choices: quiz.questions[0]?.choices.map((choice) => ({ ...choice, correct: true })) }],
    };
    const server = await serve(
      { kind: "json", content: JSON.stringify(two) },
      { kind: "json", content: `Here:\n\`\`\`json\n${JSON.stringify(quiz)}\n\`\`\`` },
    );
    const { object } = await gatewayTo([server.url]).generateObject(want());
    expect(object).to.deep.equal(quiz);
    expect(server.requests[1]?.body.messages.at(-1)?.content).to.contain("exactly one correct choice");
  });

  it("reads an object after reasoning and keeps what it quotes itself", async () => {
    const quoting = { ...quiz, title: "What </think> means" };
    const server = await serve(
      { kind: "json", content: `<think>{"title": "No"} {</think>\n${JSON.stringify(quiz)}` },
      { kind: "json", content: JSON.stringify(quoting) },
    );
    const gateway = gatewayTo([server.url]);
    expect((await gateway.generateObject(want())).object).to.deep.equal(quiz);
    expect((await gateway.generateObject(want())).object).to.deep.equal(quoting);
    expect(server.requests).to.have.length(2);
  });

  it("falls back when the repair is invalid too", async () => {
    const first = await serve({ kind: "json", content: "I would rather not." });
    const second = await serve({ kind: "json", content: JSON.stringify(quiz) });
    const { run } = await gatewayTo([first.url, second.url]).generateObject(want());
    expect([run.provider, run.fallbackDepth, first.requests.length]).to.deep.equal(["p2", 1, 2]);
  });

  it("puts the schema into the prompt of a model that does not enforce one", async () => {
    const server = await serve({ kind: "json", content: JSON.stringify(quiz) });
    const gateway = gatewayTo(["http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1", server.url]);
    await gateway.generateObject(want(pinned("p4/small")));
    expect(server.requests[0]?.body.response_format).to.deep.equal({ type: "json_object" });
    expect(server.requests[0]?.body.messages[0]?.content).to.contain('"questions"');
  });

  it("routes a quiz away from an Ask-only pin", async () => {
    const server = await serve({ kind: "json", content: JSON.stringify(quiz) });
    const { run } = await gatewayTo([server.url]).generateObject(want(pinned("p1/small")));
    expect([run.model, run.fallbackDepth]).to.deep.equal(["big", 0]);
  });

  const failures: [string, Script, string][] = [
    ["a server error", { kind: "status", status: 500, body: secret }, "ai_unavailable"],
    ["silence", { kind: "hang", words: [] }, "ai_timeout"],
    ["an empty answer", { kind: "json", content: "" }, "ai_unavailable"],
    ["an answer without end", { kind: "json", content: "x".repeat(3_000_000) }, "ai_unavailable"],
  ];
  for (const [what, script, code] of failures)
    it(`gives a safe error after ${what}`, async () => {
      const server = await serve(script);
      expect(await problem(gatewayTo([server.url], code === "ai_timeout" ? { wholeMs: 500 } : {}).generateObject(want()))).to.equal(code);
    });

  it("closes the request when the caller aborts", async () => {
    const server = await serve({ kind: "hang", words: [] });
    const caller = new AbortController();
    const asking = gatewayTo([server.url]).generateObject(want({ signal: caller.signal }));
    await until(() => server.requests.length === 1);
    caller.abort(new Error("gone"));
    expect(
      await asking.then(
        () => "answered",
        (error: Error) => error.message,
      ),
    ).to.equal("gone");
    await server.requests[0]?.aborted;
  });
});
