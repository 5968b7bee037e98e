import { applyFrame, emptyTurn, recordedTurnOf } from "@colloquy/schemas/ask/turn-progress.ts";
import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { answering, askFixture, frames, question } from "../ask/ask.fixture.ts";

/** What a device pushes as an answer's sources, after a real answer about a real course. */
describe("pushed citations", () => {
  const served = askFixture();
  const context = { accountId: "acc_mira_0001", deviceId: "device-one", requestId: "request-push-1" };
  const conversationId = "conversation-citing-1";
  let number = 0;
  const change = (type: string, data: object) => {
    number += 1;
    const at = "2026-11-20T12:00:00.000Z";
    return { changeId: `change-citing-${number}`, domain: "conversation" as const, entityId: conversationId, type, at, data: { ...data } };
  };
  async function answered(): Promise<RecordedTurn> {
    served.model.script(
      answering("An eigenvector keeps its direction [s1]. It is only stretched [s2]. So it stays [s3], and is known [s4]."),
    );
    let turn = emptyTurn;
    for (const frame of await frames(await served.ask({ requestId: `request-citing-${number}` }))) turn = applyFrame(turn, frame);
    number += 1;
    const record = recordedTurnOf({ turnId: `turn-citing-${number}`, question }, turn);
    const [first] = record?.citations ?? [];
    const other = record?.citations.find(({ sourceId }) => sourceId !== first?.sourceId);
    if (!record || !first || !other) throw new Error("no answer with two sources");
    return { ...record, citations: [first, { ...other, number: 2 }] };
  }
  async function outcome(data: object): Promise<string> {
    const started = change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title: question });
    const { results } = await served.handlers.push(context, [started, change("turn_recorded", data)]);
    return results[1]?.code ?? results[1]?.outcome ?? "";
  }
  const citing = (turn: RecordedTurn, forged: object): object => ({
    ...turn,
    citations: turn.citations.map((citation, index) => (index === 1 ? { ...citation, ...forged } : citation)),
  });

  const quizOf = (turn: RecordedTurn, forged: object): object => {
    const choices = ["one", "two"].map((text) => ({ choiceId: `choice-${text}-1`, text }));
    const about = { prompt: "What?", choices, correct: ["choice-one-1"], explanation: "So.", sourceIds: [] };
    const sources = [{ ...turn.citations[1], ...forged }];
    return {
      ...turn,
      artifact: {
        type: "quiz",
        quizId: "quiz-0001",
        title: "Quiz",
        questions: [{ questionId: "question-1", kind: "single", ...about }],
        sources,
      },
    };
  };

  it("are accepted as the service made them", async () => {
    expect(await outcome(await answered())).to.equal("accepted");
    expect(await outcome(quizOf(await answered(), {}))).to.equal("accepted");
  });

  const addresses = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "https://evil.example/courses/linear-maps",
    "//evil.example/courses/linear-maps",
    "/\t/evil.example/courses/linear-maps",
    "/\\evil.example/courses/linear-maps",
    "/courses/../auth/sign-out",
    "/courses/linear-maps/../../auth/login?return=x",
    "/courses/linear-maps/../../auth/demo",
    "/courses/linear-maps/%2e%2e/%2e%2e/auth/demo",
    "/courses/linear-maps?next=https://evil.example",
    "/auth/demo?as=learner2",
    "data:text/html,x",
    "/courses/linear-maps\n",
    "",
  ];
  for (const href of addresses)
    it(`are rejected with the address ${JSON.stringify(href)}, also in a quiz`, async () => {
      const turn = await answered();
      expect(await outcome(citing(turn, { href }))).to.equal("invalid_request");
      expect(await outcome(quizOf(turn, { href }))).to.equal("invalid_request");
    });

  const forgeries: [string, (turn: RecordedTurn) => object][] = [
    ["a quote that its source does not have", () => ({ quote: "The moon is made of cheese." })],
    ["a quote of another source", (turn) => ({ quote: turn.citations[0]?.quote })],
    ["the address of another source", (turn) => ({ href: turn.citations[0]?.href })],
    ["another title", () => ({ title: "Free money" })],
    ["another trail", () => ({ trail: ["Free money"] })],
    ["a source that is not there", () => ({ sourceId: "source-of-nothing" })],
  ];
  for (const [what, forged] of forgeries)
    it(`are rejected with ${what}, also in a quiz`, async () => {
      const turn = await answered();
      const [first, second] = turn.citations;
      expect(first?.sourceId).not.to.equal(second?.sourceId);
      expect(await outcome(citing(turn, forged(turn)))).to.equal("unknown_reference");
      expect(await outcome(quizOf(turn, forged(turn)))).to.equal("unknown_reference");
    });

  it("cannot lead to another site, nor can references", async () => {
    const attached = async (href: string): Promise<string> => {
      const started = change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title: question });
      const { results } = await served.handlers.push(context, [started, change("reference_attached", { href, title: "A page" })]);
      return results[1]?.code ?? results[1]?.outcome ?? "";
    };
    expect(await attached("/courses/linear-maps/eigenvectors#block-one")).to.equal("accepted");
    for (const href of [
      "javascript:alert(1)",
      "//evil.example",
      "/\t/evil.example",
      "/\n/evil.example",
      "/\\evil.example",
      "/a\\b",
      "courses/x",
    ])
      expect(await attached(href), JSON.stringify(href)).to.equal("invalid_request");
  });

  it("of an unreadable revision are accepted by their schema", async () => {
    expect(await outcome(citing(await answered(), { revisionId: "revision-lost-1", quote: "Who knows." }))).to.equal("accepted");
  });

  it("are rejected alone; the same turn without forgery is accepted later", async () => {
    const turn = await answered();
    expect(await outcome(citing(turn, { title: "Free money" }))).to.equal("unknown_reference");
    expect(await outcome(turn)).to.equal("accepted");
  });
});
