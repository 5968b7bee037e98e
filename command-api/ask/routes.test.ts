import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import type { ModelsResponse } from "@colloquy/schemas/models.ts";
import { promptOf } from "@colloquy/schemas/quiz/quiz-text.ts";
import { expect } from "chai";
import { answering, askFixture, frames, phases, question, textOf } from "./ask.fixture.ts";

const wait = "Too many answers are being written for this account. Wait for one to finish, or stop one.";

describe("POST /api/ai/ask", () => {
  const served = askFixture();

  it("goes through its phases, cites passages and ends with complete", async () => {
    served.model.script(answering("An eigenvector keeps its direc", "tion [s", "1]. Nobody said this [s99", "] or that [^4]."));
    const all = await frames(await served.ask());
    expect([...new Set(phases(all))]).to.deep.equal(["retrieving", "generating", "writing", "grounding"]);
    expect(textOf(all)).to.equal("An eigenvector keeps its direction[^1]. Nobody said this or that.");
    const last = all.at(-1);
    if (last?.kind !== "complete") throw new Error(`ended with ${last?.kind}`);
    expect(last).to.include({ provider: "p1", model: "big", fallbackDepth: 0, finishReason: "stop" });
    const [citation, ...others] = last.citations;
    expect(others).to.deep.equal([]);
    expect(citation?.href).to.match(/^\/courses\/linear-maps\/directions-that-stay\/eigenvectors/);
    expect(
      (await served.library.resolve({ href: citation?.href ?? "" }))?.passages.some((passage) =>
        passage.text.replace(/\s+/g, " ").includes(citation?.quote ?? "?"),
      ),
    ).to.equal(true);
  });

  it("puts the attached page first and wraps every passage as data", async () => {
    const href = "/courses/linear-maps/what-a-map-does/determinant";
    await frames(await served.ask({ message: "What does this say about area?", references: [{ href }] }));
    const system = served.model.requests[0]?.body.messages.find(({ role }) => role === "system")?.content ?? "";
    expect(system.slice(system.indexOf("\n<page "))).to.match(
      /^\n<page title="The determinant is a factor of area" trail="[^"]+" attached="yes">/,
    );
    expect(system.match(/<passage /g)?.length).to.equal(system.match(/<\/passage>/g)?.length);
  });

  it("tells the model the language of the interface", async () => {
    await frames(await served.ask({}, { cookie: "colloquy-look=theme.dark~language.de" }));
    expect(served.model.requests[0]?.body.messages[0]?.content).to.contain("interface is in German (de)");
  });

  it("rejects an unknown reference before it asks a model", async () => {
    const response = await served.ask({ references: [{ href: "/courses/linear-maps" }, { href: "/courses/linear-maps/not-there" }] });
    expect(response.status).to.equal(422);
    expect(await response.json()).to.deep.include({
      code: "unknown_reference",
      fields: [{ path: "references.1", message: "/courses/linear-maps/not-there does not lead to a place in a published course" }],
    });
    expect(served.model.requests).to.have.length(0);
  });

  it("answers 429 until midnight once an account has used up a slot, and tells the picker", async () => {
    const folder = mkdtempSync(join(tmpdir(), "limits-"));
    await served.serve({ keys: { P1_API_KEY: "sk-secret", P1_DAILY_REQUESTS: "1", DATA_DIR: folder } });
    served.model.script(answering("It keeps its direction [s1]."));
    await frames(await served.ask());
    const refused = await served.ask({ requestId: "request-0002" });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([429, "quota_exhausted"]);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 86_400);
    const seenBy = async (account: string) => {
      const { models } = (await (
        await fetch(`${served.url}/api/ai/models`, { headers: { "x-account": account } })
      ).json()) as ModelsResponse;
      return models[0]?.leftToday?.requests?.left;
    };
    expect([await seenBy("acc_mira_0001"), await seenBy("acc_noor_0001"), await seenBy("")]).to.deep.equal([0, 1, undefined]);
    rmSync(folder, { recursive: true });
  });

  it("resolves every kind of reference and names each unknown one", async () => {
    const { href = "", sourceId = "", revisionId = "" } = (await served.library.references("determinant"))[0] ?? {};
    const kinds: [string, object][] = [
      ["a course", { href: "/courses/linear-maps" }],
      ["a collection", { href: "/courses/linear-maps/what-a-map-does" }],
      ["a topic", { href: "/courses/linear-maps/what-a-map-does/determinant" }],
      ["an anchor of a topic", { href: "/courses/linear-maps/what-a-map-does/determinant#the-sign-and-the-zero" }],
      ["every part of one place", { href, sourceId, revisionId }],
    ];
    for (const [index, [kind, reference]] of kinds.entries()) {
      const response = await served.ask({ requestId: `request-10${index}`, references: [reference] });
      expect(response.status, kind).to.equal(200);
      expect((await frames(response)).at(-1)?.kind, kind).to.equal("complete");
    }
    const block = (await served.library.resolve({ href: "/courses/linear-maps/what-a-map-does/determinant" }))?.passages.at(-1)?.source;
    expect(block?.href).to.contain("#");
    await frames(await served.ask({ requestId: "request-110", references: [{ href: block?.href ?? "" }] }));
    const system = served.model.requests.at(-1)?.body.messages.find(({ role }) => role === "system")?.content ?? "";
    expect(system).to.match(/<passage id="s\d+" kind="[a-z-]+" selected="yes">/);

    const nowhere = [
      { href: "/courses/other-course" },
      { href: "/courses/linear-maps/none" },
      { href: "https://elsewhere.example/courses/linear-maps" },
      { href: "javascript:alert(1)" },
      { href: "/gone", sourceId, revisionId },
      { href: "/courses/linear-maps/what-a-map-does/determinant/more#block" },
    ];
    const refused = await served.ask({ requestId: "request-111", references: [{ href: "/courses/linear-maps" }, ...nowhere] });
    expect(refused.status).to.equal(422);
    const { fields } = (await refused.json()) as { fields: { path: string }[] };
    expect(fields.map(({ path }) => path)).to.deep.equal(nowhere.map((_, index) => `references.${index + 1}`));
  });

  it("checks every part of a reference against the others and names the one that does not fit", async () => {
    const [place, other] = await served.library.references("determinant");
    if (!place || !other) throw new Error("no places");
    const { href, sourceId, revisionId } = place;
    const parts: [string, object][] = [
      ["references.0.sourceId", { href, sourceId: other.sourceId, revisionId }],
      ["references.0.sourceId", { href, sourceId: "s_unknown-source-1" }],
      ["references.0.revisionId", { href, sourceId, revisionId: "revision-of-nothing-1" }],
      ["references.0", { href: "/courses/linear-maps/none", sourceId, revisionId }],
    ];
    for (const [index, [path, reference]] of parts.entries()) {
      const response = await served.ask({ requestId: `request-12${index}`, references: [reference] });
      expect(response.status, path).to.equal(422);
      const { code, fields } = (await response.json()) as { code: string; fields: { path: string }[] };
      expect([code, fields.map((field) => field.path)]).to.deep.equal(["unknown_reference", [path]]);
    }
    expect(served.model.requests).to.have.length(0);
  });

  it("requires an account, known fields, this version and a bounded question", async () => {
    const code = async (response: Promise<Response>): Promise<unknown> => ((await (await response).json()) as { code: unknown }).code;
    expect(await code(served.ask({}, { account: "" }))).to.equal("sign_in_required");
    expect(await code(served.ask({ label: "mine" }))).to.equal("unknown_field");
    expect(await code(served.ask({ schemaVersion: 2 }))).to.equal("unsupported_schema_version");
    expect(await code(served.ask({ message: "x".repeat(8_001) }))).to.equal("too_long");
    expect(await code(served.ask({ message: "  " }))).to.equal("invalid_request");
    expect(served.model.requests).to.have.length(0);
  });

  it("keeps the text and ends with a safe error when the model breaks off", async () => {
    served.model.script({ kind: "reset", words: ["Half an ", "answer "] });
    const all = await frames(await served.ask());
    expect(textOf(all)).to.contain("Half an answer");
    const title = "The connection to the model broke before the answer was finished.";
    expect(all.at(-1)).to.deep.include({ kind: "error", code: "ai_unavailable", retryable: true, title });
    expect(JSON.stringify(all)).not.to.match(/secret|vendor|ECONN|127\.0\.0\.1/);
  });

  it("offers the follow-up questions that the model wrote and the course answers, and shows no part of their list", async () => {
    const list = ["\n\n<foll", "ow-ups>\nHow do I find the eigenvalues of a matrix? [s1]\n", "How do I bake bread?\n</follow", "-ups>"];
    served.model.script(answering("An eigenvector keeps its direction [s1].", ...list));
    const all = await frames(await served.ask());
    expect(textOf(all)).to.equal("An eigenvector keeps its direction[^1].");
    expect(all.at(-1)).to.deep.include({ kind: "complete", followUps: ["How do I find the eigenvalues of a matrix?"] });
  });

  it("answers ai_unavailable without a configured model", async () => {
    await served.serve({ keys: {} });
    const all = await frames(await served.ask());
    expect(all.at(-1)).to.deep.include({ kind: "error", code: "ai_unavailable" });
    const models = await (await fetch(`${served.url}/api/ai/models`)).json();
    expect(models).to.deep.equal({ schemaVersion: 1, models: [], automatic: false });
  });

  it("closes the model's request when the learner disconnects", async () => {
    served.model.script({ kind: "hang", words: ["Once upon "] });
    const abort = new AbortController();
    const response = await served.ask({}, { signal: abort.signal });
    const reader = response.body?.getReader();
    for (let seen = ""; !seen.includes("Once upon"); ) seen += new TextDecoder().decode((await reader?.read())?.value);
    abort.abort();
    await served.model.requests[0]?.aborted;
  });

  it("answers a request id once at a time and again after its end", async () => {
    const code = async (response: Promise<Response>): Promise<unknown> => ((await (await response).json()) as { code: unknown }).code;
    served.model.script({ kind: "hang", words: ["Once upon "] });
    const abort = new AbortController();
    const running = await served.ask({}, { signal: abort.signal });
    // The head is sent before a model is asked.
    while (served.model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const joined = new AbortController();
    expect((await served.ask({}, { signal: joined.signal })).status).to.equal(200);
    expect(served.model.requests).to.have.length(1);
    joined.abort();
    expect(await code(served.ask({ message: "Something else?" }))).to.equal("request_id_reused");
    served.model.script(answering("Theirs."));
    expect(textOf(await frames(await served.ask({}, { account: "acc_tomas_001" })))).to.equal("Theirs.");
    abort.abort();
    await running.text().catch(() => "");
    await served.model.requests[0]?.aborted;
    served.model.script(answering("Again."));
    // The service may notice a moment later that the learner is gone.
    while (served.turns.find("acc_mira_0001", "request-0001")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(textOf(await frames(await served.ask()))).to.equal("Again.");
    const other = await served.ask({ message: "Something else?" });
    expect(other.status).to.equal(409);
    expect(await other.json()).to.include({ code: "request_id_reused", retryable: false });
  });

  it("rejects query parameters", async () => {
    const asked = await fetch(`${served.url}/api/ai/models?surprise=1`);
    expect(asked.status).to.equal(400);
    expect(await asked.json()).to.deep.include({
      code: "unknown_field",
      fields: [{ path: "surprise", message: "this field is not known" }],
    });
    expect((await fetch(`${served.url}/api/ai/models?after=12`)).status).to.equal(200);
    expect((await fetch(`${served.url}/api/ai/models?after=soon`)).status).to.equal(400);
  });

  it("releases a turn whose learner disconnected before the response began", async () => {
    served.model.script({ kind: "stream", words: ["Nobody ", "reads ", "this."], pauseMs: 60 });
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    const bodyOf = (turn: number): string =>
      JSON.stringify({
        schemaVersion: 1,
        requestId: `request-${1_000 + turn}`,
        conversationId: null,
        message: question,
        history: [],
        references: [],
        model: { choice: "automatic" },
      });
    for (let turn = 0; turn < 15; turn += 1)
      await new Promise<void>((resolve) => {
        const body = bodyOf(turn);
        const socket = connect(Number(new URL(served.url).port), "127.0.0.1", () => {
          socket.write(
            `POST /api/ai/ask HTTP/1.1\r\nhost: localhost\r\nx-account: acc_mira_0002\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
          socket.resetAndDestroy();
          resolve();
        });
      });
    const open = (): Promise<number> =>
      new Promise((resolve, reject) => served.server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.off("warning", note);
    expect(warnings).to.deep.equal([]);
  });

  it("repeats the last status while the model is silent", async () => {
    served.model.script({ kind: "stream", words: ["Slow ", "answer."], pauseMs: 150 });
    const all = await frames(await served.ask());
    expect(phases(all).filter((phase) => phase === "generating" || phase === "writing").length).to.be.greaterThan(2);
    expect(textOf(all)).to.equal("Slow answer.");
  });

  it("answers /quiz with one artifact, its sources and no prose", async () => {
    const choices = [
      { text: "It is only stretched", correct: true },
      { text: "It is turned by a right angle", correct: false },
    ];
    const asked = (prompt: string, passages: string[]) => ({
      kind: "single",
      prompt,
      choices,
      explanation: "The map keeps its direction.",
      passages,
    });
    served.model.script({
      kind: "json",
      content: JSON.stringify({
        title: "Eigenvectors",
        questions: [asked("What happens to an eigenvector?", ["s1"]), asked("Forged?", ["s77"])],
      }),
    });
    const all = await frames(await served.ask({ command: "quiz", message: "Quiz me on eigenvectors" }));
    expect(all.map(({ kind }) => kind).filter((kind) => kind !== "status")).to.deep.equal(["artifact", "complete"]);
    const artifact = all.find((frame) => frame.kind === "artifact")?.artifact;
    expect(artifact?.questions.map(promptOf)).to.deep.equal(["What happens to an eigenvector?"]);
    const [first] = artifact?.questions.filter((question) => "choices" in question) ?? [];
    const right = first?.choices.filter(({ choiceId }) => first.correct.includes(choiceId));
    expect(right?.map(({ text }) => text)).to.deep.equal(["It is only stretched"]);
    expect(artifact?.sources.map(({ sourceId }) => sourceId)).to.deep.equal(artifact?.questions[0]?.sourceIds);
  });

  it("limits cancellations per account and minute, and accepts ids only", async () => {
    const refused = await served.turn("DELETE", encodeURIComponent("not an id"));
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.include({ code: "invalid_request" });
    const statuses: number[] = [];
    // The refused one counts, too.
    for (let sent = 1; sent <= bounds.ask.returnsPerMinute; sent += 1)
      statuses.push((await served.turn("DELETE", `request-gone-${sent}`)).status);
    expect(statuses.pop()).to.equal(429);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect((await served.turn("DELETE", "request-gone-1", { account: "acc_tomas_001" })).status).to.equal(200);
  });

  it("limits the running turns of an account", async () => {
    await served.serve({ timeouts: { firstTokenMs: 30_000, wholeMs: 60_000 } });
    served.model.script({ kind: "hang", words: [], accept: true });
    const most = modelBounds.gateway.streamsPerAccount;
    const asked = Array.from({ length: most }, (_, index) => served.ask({ requestId: `request-abreast-${index}` }));
    for (const one of asked) expect((await one).status).to.equal(200);
    const refused = await served.ask({ requestId: "request-abreast-more" });
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([429, "5"]);
    expect(await refused.json()).to.include({ code: "rate_limited", detail: wait });
    expect((await served.ask({ requestId: "request-abreast-0" })).status, "who comes back to one under way").to.equal(200);
    expect((await served.ask({ requestId: "request-abreast-0" }, { account: "acc_tomas_001" })).status).to.equal(200);
    await served.turn("DELETE", "request-abreast-0");
    await (await asked[0])?.text();
    expect((await served.ask({ requestId: "request-abreast-next" })).status).to.equal(200);
  });

  it("limits the turns that an account starts in a minute", async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 31; turn += 1) {
      const response = await served.ask();
      statuses.push(response.status);
      if (turn === 30) expect(Number(response.headers.get("retry-after"))).to.be.within(1, 60);
      await response.text();
    }
    expect(statuses.slice(0, 30).every((status) => status === 200)).to.equal(true);
    expect(statuses[30]).to.equal(429);
    expect((await served.ask({}, { account: "acc_tomas_001" })).status).to.equal(200);
  });
});
