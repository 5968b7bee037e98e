import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createModelGateway } from "@colloquy/command-api/model-gateway/gateway.ts";
import { generationSchemas } from "@colloquy/schemas/generation/index.ts";
import { expect } from "chai";
import { readConfig } from "../../config.ts";
import { createLog } from "../../telemetry/log.ts";
import { startDemoModel } from "./server.ts";

const passages = [
  [
    "s1",
    "Pipes",
    "A pipe is a connection between two commands. The shell sends the output of the first command to the input of the second command. Every filter reads a stream of lines.",
  ],
  [
    "s2",
    "Wildcards",
    "A wildcard is a sign that stands for other characters. The shell expands a wildcard before the command is run. A pattern describes the names of many files.",
  ],
  [
    "s3",
    "Loops",
    "A loop is a construct that repeats a command for each item of a list. The variable of a loop is set to the next item each time. A script is a file that keeps commands.",
  ],
]
  .map(([id, title, text]) => `<passage id="${id}" title="${title}" trail="The Shell › ${title}">\n${text}\n</passage>`)
  .join("\n\n");
const system = `Answer from the passages.\n\n${passages}`;

describe("the demonstration model's server", () => {
  let running: Awaited<ReturnType<typeof startDemoModel>>;
  before(async () => {
    running = await startDemoModel({ port: 0, wordMs: 0 });
  });
  after(() => running.close());

  const post = (body: unknown, path = "/chat/completions") =>
    fetch(`${running.url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const chat = (question: string, more: object = {}) => ({
    model: "demonstration",
    messages: [
      { role: "system", content: system },
      { role: "user", content: question },
    ],
    ...more,
  });
  const gateway = () =>
    createModelGateway({ config: readConfig({ DEMO_MODEL_URL: running.url }), log: createLog("test", { LOG_LEVEL: "silent" }) });
  const request = { model: { choice: "automatic" as const }, system, maxOutputTokens: 1_000 };

  it("answers in one piece", async () => {
    const response = await post(chat("What is a pipe?"));
    const body = (await response.json()) as { choices: { message: { content: string }; finish_reason: string }[] };
    expect(body.choices[0]?.message.content).to.match(/^A pipe is a connection between two commands\. \[s1\]/);
    expect(body.choices[0]?.finish_reason).to.equal("stop");
  });

  it("lists its model and refuses what it does not understand", async () => {
    expect(await (await fetch(`${running.url}/models`)).json()).to.have.nested.property("data[0].id", "demonstration");
    expect((await post({ messages: [] })).status).to.equal(400);
    expect((await post("text")).status).to.equal(400);
    expect((await post({}, "/other")).status).to.equal(404);
    expect((await fetch(`${running.url}/chat/completions`)).status).to.equal(405);
    expect((await post({ ...chat("x"), padding: "x".repeat(5_000_000) })).status).to.equal(413);
    expect(
      (await post(chat("quiz", { response_format: { type: "json_schema", json_schema: { name: "poem", schema: {} } } }))).status,
    ).to.equal(422);
  });

  it("streams the same answer word by word through the gateway", async () => {
    const run = await gateway().streamText({
      ...request,
      need: "ask",
      messages: [{ role: "user", content: "What is a pipe?" }],
      signal: new AbortController().signal,
    });
    const words: string[] = [];
    for await (const word of run.text) words.push(word);
    expect(words.length).to.be.greaterThan(5);
    expect(words.join("")).to.match(/^A pipe is a connection between two commands\. \[s1\]/);
    expect(run).to.include({ provider: "p1", model: "demonstration", modelName: "Demonstration (extractive)", fallbackDepth: 0 });
    const finished = await run.finished;
    expect(finished.finishReason).to.equal("stop");
    expect(finished.usage?.outputTokens).to.equal(words.length);
  });

  it("keeps to the length asked for", async () => {
    const run = await gateway().streamText({
      ...request,
      maxOutputTokens: 4,
      need: "ask",
      messages: [{ role: "user", content: "What is a pipe?" }],
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const word of run.text) text += word;
    expect([text.trim(), (await run.finished).finishReason]).to.deep.equal(["A pipe is a", "length"]);
  });

  it("is offered as what it is, for Tutor and quizzes too", () => {
    expect(gateway().choices()).to.deep.equal([
      {
        id: "p1/demonstration",
        name: "Demonstration (extractive)",
        provider: "p1",
        providerLabel: "Demonstration",
        default: true,
        automaticRank: 1,
        experimental: false,
        capabilities: { ask: true, tutor: true, quiz: true },
      },
    ]);
  });

  for (const name of ["look", "guess"])
    it(`refuses a ${name}: it cannot judge questions`, async () => {
      const format = { type: "json_schema", json_schema: { name, schema: {} } };
      expect((await post(chat("Look.", { response_format: format }))).status).to.equal(422);
    });

  const made = (Object.keys(generationSchemas) as (keyof typeof generationSchemas)[]).filter((name) => name !== "look" && name !== "guess");
  for (const name of made)
    it(`makes a ${name} through the gateway`, async () => {
      const steps = [{ key: "p1", title: "Pipes", objectiveIds: [], passages: ["s1"], prerequisites: [], reason: "First." }];
      const judged: Partial<Record<typeof name, string>> = {
        verification: `<proposal>${JSON.stringify({ steps })}</proposal>`,
        grading: `<rubric>["A pipe connects two programs."]</rubric><answer>"It connects programs"</answer>`,
      };
      const proposal = judged[name] ?? "";
      const { object, run } = await gateway().generateObject({
        ...request,
        need: "quiz",
        name,
        schema: generationSchemas[name] as (typeof generationSchemas)["quiz"],
        messages: [{ role: "user", content: `The shell: pipes, wildcards and loops. ${proposal}` }],
        signal: new AbortController().signal,
      });
      expect(generationSchemas[name].safeParse(object).success).to.equal(true);
      expect(run.model).to.equal("demonstration");
    });

  it("finds what is wrong with a proposed plan", async () => {
    const plan = {
      steps: [
        { key: "p1", title: "Pipes", objectiveIds: ["o1"], passages: ["s1"], prerequisites: [], reason: "First." },
        { key: "p2", title: "Volcanoes", objectiveIds: [], passages: ["s2"], prerequisites: ["p1"], reason: "Then." },
        { key: "p3", title: "Loops", objectiveIds: [], passages: ["s9"], prerequisites: ["p2"], reason: "Last." },
      ],
    };
    const { object } = await gateway().generateObject({
      ...request,
      need: "tutor",
      name: "verification",
      schema: generationSchemas.verification,
      messages: [
        {
          role: "user",
          content: `<objectives>[{"id":"o1","text":"Pipes"},{"id":"o2","text":"Scripts"}]</objectives><proposal>${JSON.stringify(plan)}</proposal>`,
        },
      ],
      signal: new AbortController().signal,
    });
    expect(object.unsupported.map((entry) => entry.step)).to.deep.equal(["Volcanoes", "Loops"]);
    expect(object.prerequisiteGaps).to.have.length(1);
  });

  it("does not ask in a check what was asked before", async () => {
    const check = async (history: string) => {
      const { object } = await gateway().generateObject({
        ...request,
        need: "tutor",
        name: "check",
        schema: generationSchemas.check,
        messages: [{ role: "user", content: `Check pipes. ${history}` }],
        signal: new AbortController().signal,
      });
      return object.prompt;
    };
    const first = await check("");
    expect(await check(`Asked before: ${first}`)).to.not.equal(first);
  });

  it("is a process of its own that says where it serves and ends when told to", async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("./main.ts", import.meta.url))], {
      env: { ...process.env, DEMO_MODEL_PORT: "0", LOG_LEVEL: "silent" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const ready = JSON.parse(String(line)) as { ready: boolean; port: number };
    expect((await fetch(`http://127.0.0.1:${ready.port}/v1/models`)).status).to.equal(200);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).to.equal(0);
  });
});
