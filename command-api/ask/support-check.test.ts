import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { expect } from "chai";
import { type ScriptedServer, startScriptedServer } from "../model-gateway/scripted-server.fixture.ts";
import { answering, askFixture, frames, textOf } from "./ask.fixture.ts";

describe("POST /api/ai/ask, with a model for the support check", () => {
  const served = askFixture();
  let checker: ScriptedServer;
  beforeEach(async () => {
    checker = await startScriptedServer();
    served.model.script(
      answering("An eigenvector keeps its direction [s1]. Photosynthesis turns sunlight and carbon dioxide into sugar [s1]."),
    );
    await served.serve({ models: [served.model.url, checker.url], supportModel: "p2/big" });
  });
  afterEach(() => checker.close());

  const verdicts = (...list: [string, boolean, string[]?][]) =>
    checker.script({
      kind: "json",
      content: JSON.stringify({ verdicts: list.map(([claim, supported, missing = []]) => ({ claim, supported, missing })) }),
    });
  const doubted = async (): Promise<unknown> => {
    const last = (await frames(await served.ask())).at(-1);
    return last?.kind === "complete" ? last.citations[0]?.unsupported : last;
  };
  const byWords = [{ mark: 2, missing: ["Photosynthesis", "sunlight", "carbon", "dioxide", "sugar"] }];

  it("replaces the comparison of words; names only words of the sentence", async () => {
    verdicts(["c1", false, ["direction", "something else"]], ["c2", true]);
    expect(await doubted()).to.deep.equal([{ mark: 1, missing: ["direction"] }]);
    const [request] = checker.requests;
    const system = request?.body.messages.find(({ role }) => role === "system")?.content ?? "";
    expect(system.match(/<passage id="s1" /g)).to.have.length(1);
    expect(system.match(/<passage id=/g)).to.have.length(1);
    expect(request?.body.messages.at(-1)?.content).to.match(
      /^<claims>\[\{"id":"c1","text":"An eigenvector keeps its direction","passages":\["s1"\]/,
    );
    expect(request?.body.response_format?.json_schema?.name).to.equal("support");
    expect(request?.body.max_tokens).to.equal(modelBounds.support.outputTokens);
  });

  it("keeps the comparison of words for unjudged claims and ignores unknown ones", async () => {
    verdicts(["c1", true], ["c44", false]);
    expect(await doubted()).to.deep.equal(byWords);
  });

  for (const [what, fails] of [
    ["refuses", () => checker.script({ kind: "status", status: 500 })],
    ["breaks off", () => checker.script({ kind: "reset", words: [] })],
    ["answers no object", () => checker.script({ kind: "json", content: "It is all fine." })],
  ] as const)
    it(`${what}: the comparison of words stands and the answer completes`, async () => {
      fails();
      expect(await doubted()).to.deep.equal(byWords);
    });

  it("hangs: the text streams and the comparison of words stands after the timeout", async () => {
    checker.script({ kind: "hang", words: [] });
    await served.serve({
      models: [served.model.url, checker.url],
      supportModel: "p2/big",
      timeouts: { firstTokenMs: 3_000, wholeMs: 3_000 },
    });
    const all = await frames(await served.ask());
    const ends = all.findIndex((frame) => frame.kind === "status" && frame.phase === "grounding");
    expect(textOf(all.slice(0, ends))).to.contain("into sugar[^1].");
    const last = all.at(-1);
    expect(last?.kind === "complete" && last.citations[0]?.unsupported).to.deep.equal(byWords);
  });

  it("is not asked about an answer without citations", async () => {
    served.model.script(answering("I cannot answer that."));
    expect((await frames(await served.ask())).at(-1)?.kind).to.equal("complete");
    expect(checker.requests).to.have.length(0);
  });
});
