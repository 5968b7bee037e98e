import { expect } from "chai";
import type { Script } from "../model-gateway/scripted-server.fixture.ts";
import { answering, askFixture, frames, textOf } from "./ask.fixture.ts";

const history = [
  { role: "learner", text: "What is an eigenvector?" },
  { role: "assistant", text: "A direction that a map keeps[^1]." },
];
const rewriting: Script = { kind: "stream", words: ["question: How is the determinant ", "computed?\nterms: determinant, ad - bc"] };

describe("a question in its conversation", () => {
  const served = askFixture();
  const asked = async (change: object) => {
    const all = await frames(await served.ask({ message: "and the other one?", history, ...change }));
    const details = all.flatMap((frame) => (frame.kind === "status" && frame.detail ? [frame.detail] : []));
    return { text: textOf(all), detail: details.at(-1), prompts: served.model.requests.map(({ body }) => body) };
  };

  it("is rewritten by one call and searched by its rewrite; the trace shows it", async () => {
    served.model.script(rewriting, answering("Like this [s1]."));
    const { detail, prompts } = await asked({});
    expect(prompts).to.have.length(2);
    expect(prompts[0]?.messages.at(-1)?.content).to.contain('"learner":"What is an eigenvector?"').and.contain("and the other one?");
    expect(detail?.rewritten).to.equal("How is the determinant computed?");
    expect(prompts[1]?.messages[0]?.content).to.contain('<page title="The determinant is a factor of area"');
    expect(prompts[1]?.messages.at(-1)?.content).to.equal("and the other one?");
  });

  it("goes on without a rewrite that is late or fails", async () => {
    for (const script of [{ kind: "hang", words: [] }, { kind: "status", status: 500 }, answering("I cannot do that.")] as Script[]) {
      served.model.script(script, answering("Like this [s1]."));
      served.model.requests.length = 0;
      const { text, detail } = await asked({ requestId: `request-${served.model.requests.length}-${JSON.stringify(script).length}` });
      expect(text, JSON.stringify(script)).to.equal("Like this[^1].");
      expect(detail).to.not.have.property("rewritten");
    }
  });

  it("is not rewritten if it stands alone in the course's words", async () => {
    served.model.script(answering("Like this [s1]."));
    expect((await asked({ message: "What is an eigenvector?", history: [] })).prompts).to.have.length(1);
    const fresh = "What does the determinant of a linear map say?";
    served.model.script(answering("Like this [s1]."));
    served.model.requests.length = 0;
    expect((await asked({ requestId: "request-0002", message: fresh, history: [] })).prompts).to.have.length(1);
  });

  it("is rewritten if it stands alone in other words than the course's", async () => {
    served.model.script(
      { kind: "stream", words: ["question: By how much does a map blow everything up?\nterms: determinant, factor of area"] },
      answering("Like this [s1]."),
    );
    const { prompts, detail } = await asked({ message: "By how much does that gadget blow up my balloon?", history: [] });
    expect(prompts).to.have.length(2);
    expect(prompts[0]?.messages.at(-1)?.content, "the titles tell the model the subject").to.match(/<courses>[^<]*Linear Maps/);
    expect(prompts[1]?.messages[0]?.content).to.contain('<page title="The determinant is a factor of area"');
    expect(detail?.rewritten).to.contain("blow everything up");
  });

  it("in another language is rewritten, and without a rewrite that is said", async () => {
    const message = "Was ist eine Determinante und wie berechne ich sie?";
    served.model.script(rewriting, answering("So [s1]."));
    const rewritten = (await asked({ message, history: [] })).detail;
    expect(rewritten?.rewritten).to.equal("How is the determinant computed?");
    expect(rewritten).to.not.have.property("otherLanguage");
    served.model.script(answering("no lines"), answering("So [s1]."));
    const plain = (await asked({ requestId: "request-0002", message, history: [] })).detail;
    expect(plain?.otherLanguage).to.deep.equal({ question: "de", courses: ["en"] });
  });

  it("is not delayed again by a model that was late three times in a row", async () => {
    served.model.script(
      { kind: "hang", words: [] },
      answering("A [s1]."),
      { kind: "hang", words: [] },
      answering("A [s1]."),
      { kind: "hang", words: [] },
      answering("A [s1]."),
    );
    for (const turn of [1, 2, 3]) await asked({ requestId: `request-000${turn}` });
    const before = served.model.requests.length;
    await asked({ requestId: "request-0004" });
    expect(served.model.requests.length - before, "the answer alone").to.equal(1);
  });

  it("asks a model that reasons to do so as little as its service allows", async () => {
    served.model.script(rewriting, answering("Like this [s1]."));
    const { prompts } = await asked({});
    expect(prompts.map((body) => (body as { reasoning_effort?: string }).reasoning_effort)).to.deep.equal(["low", undefined]);
  });
});
