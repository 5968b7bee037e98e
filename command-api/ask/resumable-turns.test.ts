import { askFrame } from "@colloquy/schemas/ask/ask.ts";
import { applyFrame, emptyTurn, recordedTurnOf } from "@colloquy/schemas/ask/turn-progress.ts";
import { conversationStream } from "@colloquy/schemas/conversations/events.ts";
import { promptOf } from "@colloquy/schemas/quiz/quiz-text.ts";
import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { changeHandlers } from "../sync/handlers.ts";
import { askFixture, frames, question, textOf } from "./ask.fixture.ts";

const text = "An eigenvector keeps its direction [s1]. It is only stretched [s2].";
const words = text.match(/\S+ ?/g) ?? [];
const shown = "An eigenvector keeps its direction[^1]. It is only stretched[^2].";

describe("a kept turn", () => {
  const served = askFixture();
  let number = 0;
  let conversationId: string;
  let requestId: string;
  beforeEach(() => {
    number += 1;
    conversationId = `conversation-kept-${number}`;
    requestId = `request-kept-${number}`;
  });

  const started = () => ({ mode: "ask", model: { choice: "automatic" }, references: [], title: question });
  const keep = () => ({ conversationId, turnId: `turn-kept-${number}-0001`, at: "2026-11-20T12:00:00.000Z", started: started() });
  const askKept = (signal?: AbortSignal) => served.ask({ requestId, keep: keep() }, signal && { signal });
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  /** The outcomes of the service's own pushes from here on. */
  function servicePushes(): string[][] {
    const { handlers } = served;
    const { push } = handlers;
    const outcomes: string[][] = [];
    handlers.push = async (context, changes) => {
      const pushed = await push(context, changes);
      if (context.deviceId === "service") outcomes.push(pushed.results.map(({ outcome }) => outcome));
      return pushed;
    };
    return outcomes;
  }
  async function events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const all = [];
    for await (const stored of served.store.read(conversationStream(conversationId))) all.push(stored);
    return all as unknown as { type: string; data: Record<string, unknown> }[];
  }

  /** Asks, reads so many characters, drops the connection and returns the number of the last frame read. */
  async function loseAfter(letters: number): Promise<number> {
    const connection = new AbortController();
    const response = await askKept(connection.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    let turn = emptyTurn;
    while (turn.text.length < letters) {
      seen += (await reader?.read())?.value ?? "";
      turn = emptyTurn;
      for (const line of seen.split("\n").slice(0, -1)) turn = applyFrame(turn, askFrame.parse(JSON.parse(line)));
    }
    connection.abort();
    return turn.seq;
  }

  it("continues after a lost connection and resumes after the last frame read", async () => {
    served.model.script({ kind: "stream", words, pauseMs: 20 });
    const after = await loseAfter(15);
    const rest = await frames(await served.turn("GET", `${requestId}?after=${after}`));
    expect(rest[0]?.seq).to.equal(after + 1);
    expect(rest.at(-1)?.kind).to.equal("complete");
    const all = await frames(await served.turn("GET", requestId));
    expect(all.filter(({ kind }) => kind !== "status").map(({ seq }) => seq)).to.deep.equal([
      ...new Set(all.filter(({ kind }) => kind !== "status").map(({ seq }) => seq)),
    ]);
    expect(textOf(all)).to.equal(shown);
    expect(textOf(all).endsWith(textOf(rest))).to.equal(true);
    expect(served.model.requests).to.have.length(1);
    expect(await events()).to.deep.equal([]);
  });

  it("sends heartbeats to a resumed reader, with the time since its start", async () => {
    await served.serve({ timeouts: { firstTokenMs: 30_000, wholeMs: 60_000 } });
    served.model.script({ kind: "hang", words: [], accept: true });
    const connection = new AbortController();
    const first = (await askKept(connection.signal)).body?.getReader();
    await until(() => served.model.requests.length === 1);
    await first?.read();
    const again = await served.turn("GET", `${requestId}?after=900`, { signal: connection.signal });
    const line = (await again.body?.pipeThrough(new TextDecoderStream()).getReader().read())?.value ?? "";
    expect(askFrame.parse(JSON.parse(line.split("\n")[0] ?? ""))).to.include({ kind: "status", phase: "generating" });
    await served.turn("DELETE", requestId);
    connection.abort();
  });

  it("is the same turn for a repeated request", async () => {
    served.model.script({ kind: "stream", words, pauseMs: 20 });
    await loseAfter(15);
    expect(textOf(await frames(await askKept()))).to.equal(shown);
    expect(served.model.requests).to.have.length(1);
  });

  it("is recorded when no reader comes back; the browser's record is a duplicate", async () => {
    await served.serve({ graceMs: 1_500 });
    served.model.script({ kind: "stream", words, pauseMs: 5 });
    await loseAfter(15);
    await until(async () => (await events()).length === 2);
    const [opening, recorded] = await events();
    expect(opening).to.deep.include({ type: "ConversationStarted", data: { schemaVersion: 1, ...started() } });
    let turn = emptyTurn;
    for (const frame of await frames(await served.turn("GET", requestId))) turn = applyFrame(turn, frame);
    const own = recordedTurnOf({ turnId: keep().turnId, question }, turn);
    expect(recorded).to.deep.include({ type: "TurnRecorded", data: { schemaVersion: 1, ...own } });
    expect(own).to.include({ outcome: "finished", answer: shown });
    const change = (changeId: string, type: string, data: object) => ({
      changeId,
      domain: "conversation" as const,
      entityId: conversationId,
      type,
      at: new Date().toISOString(),
      data: { ...data },
    });
    const changes = [change("change-own-0001", "started", started()), change("change-own-0002", "turn_recorded", own ?? {})];
    const context = { accountId: "acc_mira_0001", deviceId: "device-one", requestId: "request-push-1" };
    const { results } = await changeHandlers({ store: served.store }).push(context, changes);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["duplicate", "duplicate"]);
    expect(await events()).to.have.length(2);
  });

  it("is stopped and recorded with its sources when the grace period ends", async () => {
    await served.serve({ graceMs: 100, timeouts: { idleMs: 30_000, wholeMs: 60_000 } });
    served.model.script({ kind: "hang", words: [...words.slice(0, 8)] });
    await loseAfter(30);
    await served.model.requests[0]?.aborted;
    await until(async () => (await events()).length === 2);
    const data = (await events())[1]?.data as { answer: string; citations: { number: number }[] };
    expect(data).to.include({ outcome: "stopped", provider: "p1", model: "big", fallbackDepth: 0 });
    expect(shown.startsWith(data.answer)).to.equal(true);
    expect(data.citations.map((citation) => citation.number)).to.deep.equal([1]);
    const late = await frames(await served.turn("GET", requestId));
    expect(late.at(-1)).to.include({ kind: "error", code: "unavailable", retryable: true });
  });

  it("records a stopped quiz with the questions it had", async () => {
    await served.serve({ graceMs: 100, timeouts: { firstTokenMs: 30_000, wholeMs: 60_000 } });
    const choices = ["stretched", "turned"].map((text, index) => ({ text, correct: index === 0 }));
    const made = { kind: "single", prompt: "What happens?", choices, explanation: "It keeps its direction.", passages: ["s1"] };
    const content = JSON.stringify({ title: "Eigenvectors", questions: [made] });
    served.model.script({ kind: "json", content }, { kind: "hang", words: [], accept: true });
    const connection = new AbortController();
    const response = await served.ask({ requestId, message: "/quiz 9 about eigenvectors", keep: keep() }, { signal: connection.signal });
    await until(() => served.model.requests.length === 2);
    connection.abort();
    await response.text().catch(() => "");
    await until(async () => (await events()).length === 2);
    const data = (await events())[1]?.data as RecordedTurn;
    expect(data).to.include({ outcome: "stopped", answer: "" });
    expect(data.artifact?.questions.map(promptOf)).to.deep.equal(["What happens?"]);
    expect(data.citations).to.deep.equal(data.artifact?.sources);
  });

  describe("whose conversation is still in a device's outbox", () => {
    const second = () => `turn-kept-${number}-0002`;
    const context = { accountId: "acc_mira_0001", deviceId: "device-one", requestId: "request-push-1" };
    const change = (changeId: string, type: string, data: object) => ({
      changeId: `${changeId}-${number}`,
      domain: "conversation" as const,
      entityId: conversationId,
      type,
      at: "2026-11-20T12:00:00.000Z",
      data: { ...data },
    });
    const turnOf = async (id: string, turnId: string, more: object = {}): Promise<RecordedTurn> => {
      let turn = emptyTurn;
      for (const frame of await frames(await served.turn("GET", id))) turn = applyFrame(turn, frame);
      const record = recordedTurnOf({ turnId, question, ...more }, turn);
      if (!record) throw new Error("nothing came of the turn");
      return record;
    };
    /** The first turn is answered, its device has all of it and lets go of it, and sends nothing. */
    async function firstIsStuck(): Promise<RecordedTurn> {
      served.model.script({ kind: "stream", words });
      await frames(await askKept());
      const first = await turnOf(requestId, keep().turnId);
      await served.turn("DELETE", requestId);
      return first;
    }
    const askSecond = (more: object = {}, options: { account?: string } = {}) => {
      const { started: _, ...without } = keep();
      return served.ask({ requestId: `${requestId}-second`, keep: { ...without, turnId: second(), ...more } }, options);
    };
    /** The second turn is asked and answered, and nobody lets go of it: a service that stops does not wait for its device. */
    async function secondIsLeft(...of: Parameters<typeof askSecond>): Promise<void> {
      await frames(await askSecond(...of));
      await served.turns.close();
    }

    it("is recorded after the start that its device sent; later pushes follow once", async () => {
      const first = await firstIsStuck();
      await secondIsLeft();
      await until(async () => (await events()).length === 2);
      const own = await turnOf(`${requestId}-second`, second());
      const [opening, recorded] = await events();
      expect(opening).to.deep.include({ type: "ConversationStarted", data: { schemaVersion: 1, ...started() } });
      expect(recorded?.data).to.deep.equal({ schemaVersion: 1, ...own });
      const sent = [
        change("own-0001", "started", started()),
        change("own-0002", "turn_recorded", first),
        change("own-0003", "turn_recorded", own),
      ];
      for (const outcomes of [
        ["duplicate", "accepted", "duplicate"],
        ["duplicate", "duplicate", "duplicate"],
      ]) {
        const { results } = await changeHandlers({ store: served.store }).push(context, sent);
        expect(results.map(({ outcome }) => outcome)).to.deep.equal(outcomes);
      }
      expect((await events()).map(({ type, data }) => [type, data.turnId])).to.deep.equal([
        ["ConversationStarted", undefined],
        ["TurnRecorded", second()],
        ["TurnRecorded", first.turnId],
      ]);
    });

    it("keeps the order if the device pushes first", async () => {
      const first = await firstIsStuck();
      await frames(await askSecond());
      await served.handlers.push(context, [change("own-0001", "started", started()), change("own-0002", "turn_recorded", first)]);
      await served.turns.close();
      await until(async () => (await events()).length === 3);
      expect((await events()).map(({ data }) => data.turnId)).to.deep.equal([undefined, first.turnId, second()]);
    });

    it("waits for the turn that it replaces", async () => {
      const first = await firstIsStuck();
      await secondIsLeft({ replaces: first.turnId });
      await until(async () => (await events()).length === 1);
      expect((await events()).map(({ type }) => type)).to.deep.equal(["ConversationStarted"]);
      await served.handlers.push(context, [change("own-0001", "started", started()), change("own-0002", "turn_recorded", first)]);
      await until(async () => (await events()).length === 3);
      expect((await events())[2]?.data).to.include({ turnId: second(), replaces: first.turnId });
    });

    it("is not recorded after its conversation is deleted", async () => {
      await firstIsStuck();
      await served.handlers.push(context, [change("own-0001", "started", started()), change("own-0002", "deleted", {})]);
      const before = (await events()).length;
      const outcomes = servicePushes();
      await secondIsLeft();
      await until(() => outcomes.length === 1);
      expect(outcomes).to.deep.equal([["refused"]]);
      expect((await events()).map(({ type }) => type).slice(before)).to.deep.equal([]);
    });

    it("does not start a conversation of another account", async () => {
      await firstIsStuck();
      const outcomes = servicePushes();
      await secondIsLeft({}, { account: "acc_tomas_001" });
      await until(() => outcomes.length === 1);
      expect(outcomes).to.deep.equal([["refused"]]);
      expect(await events()).to.deep.equal([]);
    });
  });

  it("is not recorded without text", async () => {
    await served.serve({ graceMs: 50, timeouts: { firstTokenMs: 30_000, wholeMs: 60_000 } });
    served.model.script({ kind: "hang", words: [], accept: true });
    const connection = new AbortController();
    const response = await askKept(connection.signal);
    await until(() => served.model.requests.length === 1);
    connection.abort();
    await response.text().catch(() => "");
    await served.model.requests[0]?.aborted;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await events()).to.deep.equal([]);
  });

  it("is stopped by its learner, not recorded and gone", async () => {
    served.model.script({ kind: "hang", words: [...words.slice(0, 8)] });
    await loseAfter(15);
    const stopped = await served.turn("DELETE", requestId);
    expect(await stopped.json()).to.deep.equal({ schemaVersion: 1, released: true });
    await served.model.requests[0]?.aborted;
    expect((await served.turn("GET", requestId)).status).to.equal(404);
    expect((await served.turn("DELETE", requestId)).status, "stopping twice is stopping").to.equal(200);
    // Whatever was not let go of is recorded now.
    await served.turns.close();
    expect(await events()).to.deep.equal([]);
  });

  it("is not recorded if it is cancelled before it begins", async () => {
    await served.serve({ graceMs: 50 });
    served.model.script({ kind: "stream", words });
    const { resolve } = served.library;
    let go = (): void => {};
    let asked = false;
    const held = new Promise<void>((done) => (go = done));
    served.library.resolve = async (reference) => {
      asked = true;
      await held;
      return resolve(reference);
    };
    try {
      const connection = new AbortController();
      const references = [{ href: "/courses/linear-maps" }];
      const lost = served.ask({ requestId, references, keep: keep() }, { signal: connection.signal }).catch(() => undefined);
      await until(() => asked);
      connection.abort();
      await lost;
      await served.turn("DELETE", requestId);
      go();
      await new Promise((done) => setTimeout(done, 400));
    } finally {
      served.library.resolve = resolve;
    }
    expect((await served.turn("GET", requestId)).status).to.equal(404);
    expect(await events()).to.deep.equal([]);
  });

  it("is not recorded if its cancellation overtook it; the same id later is", async () => {
    await served.serve({ graceMs: 50 });
    served.model.script({ kind: "stream", words }, { kind: "stream", words });
    await served.turn("DELETE", requestId);
    const last = (await frames(await askKept())).at(-1);
    expect(last).to.include({ kind: "error", code: "unavailable" });
    expect((await served.turn("GET", requestId)).status).to.equal(404);
    expect(await events()).to.deep.equal([]);
    // Ended before it has a word it would leave nothing.
    await loseAfter(1);
    await until(async () => (await events()).length > 0);
  });

  it("is neither readable nor recorded after its conversation is deleted", async () => {
    await served.serve({ graceMs: 50 });
    served.model.script({ kind: "stream", words });
    await frames(await askKept());
    await until(async () => (await events()).length === 2);
    expect((await served.turn("GET", requestId)).status).to.equal(200);
    await until(async () => (await events()).length === 2);
    served.model.script({ kind: "hang", words: words.slice(0, 8) });
    const running = await served.ask({ requestId: `${requestId}-running`, keep: { ...keep(), turnId: `turn-kept-${number}-0002` } });
    const theirs = { ...keep(), conversationId: `${conversationId}-other`, turnId: `turn-kept-${number}-0003` };
    const lost = await served.ask({ requestId: `${requestId}-other`, keep: theirs });
    await until(() => served.model.requests.length === 3);
    await lost.body?.cancel();
    const deleted = { domain: "conversation" as const, entityId: conversationId, type: "deleted", at: new Date().toISOString(), data: {} };
    const context = { accountId: "acc_mira_0001", deviceId: "device-one", requestId: "request-push-1" };
    const { results } = await served.handlers.push(context, [{ changeId: `change-deleted-${number}`, ...deleted }]);
    expect(results[0]?.outcome).to.equal("accepted");
    await running.text();
    for (const id of [requestId, `${requestId}-running`]) expect((await served.turn("GET", id)).status, id).to.equal(404);
    expect(served.turns.find("acc_mira_0001", `${requestId}-other`), "another conversation's").to.not.equal(null);
    await until(async () => (await events()).length === 1);
    expect((await events()).map(({ type }) => type)).to.deep.equal(["ConversationDeleted"]);
  });

  it("does not exist for other accounts", async () => {
    served.model.script({ kind: "stream", words, pauseMs: 20 });
    await loseAfter(15);
    const theirs = await served.turn("GET", requestId, { account: "acc_tomas_001" });
    expect([theirs.status, (await theirs.json()).code]).to.deep.equal([404, "not_found"]);
    await served.turn("DELETE", requestId, { account: "acc_tomas_001" });
    expect(textOf(await frames(await served.turn("GET", requestId)))).to.equal(shown);
    expect((await served.turn("GET", `${requestId}?after=-1`)).status).to.equal(400);
    expect((await served.turn("GET", `${requestId}?since=1`)).status).to.equal(400);
  });

  it("is recorded as far as it came when the service stops", async () => {
    served.model.script({ kind: "hang", words: [...words.slice(0, 8)] });
    await loseAfter(30);
    const open = (): Promise<number> => new Promise((resolve) => served.server.getConnections((_error, count) => resolve(count)));
    await until(async () => (await open()) === 0);
    await served.turns.close();
    expect((await events()).map(({ type }) => type)).to.deep.equal(["ConversationStarted", "TurnRecorded"]);
  });

  it("is recorded by the push alone when the learner has released it", async () => {
    served.model.script({ kind: "stream", words });
    expect(textOf(await frames(await askKept()))).to.equal(shown);
    await served.turn("DELETE", requestId);
    // Whatever was not let go of is recorded now.
    await served.turns.close();
    expect(await events()).to.deep.equal([]);
  });

  it("is recorded on its end if `recordedBy` is the service", async () => {
    served.model.script({ kind: "stream", words });
    const asked = await served.ask({ requestId, keep: { ...keep(), recordedBy: "service" } });
    expect(textOf(await frames(asked))).to.equal(shown);
    await until(async () => (await events()).length === 2);
    await served.turn("DELETE", requestId);
    expect((await events()).map(({ type, data }) => data.outcome ?? type)).to.deep.equal(["ConversationStarted", "finished"]);
  });

  it("is recorded when stopped if `recordedBy` is the service", async () => {
    served.model.script({ kind: "hang", words: words.slice(0, 8) });
    const connection = new AbortController();
    const { signal } = connection;
    const asked = await served.ask({ requestId, keep: { ...keep(), recordedBy: "service" } }, { signal });
    const reader = asked.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    await until(async () => {
      seen += (await reader?.read())?.value ?? "";
      return seen.includes("text_delta");
    });
    connection.abort();
    expect((await served.turn("DELETE", requestId)).status).to.equal(200);
    await until(async () => (await events()).length === 2);
    const [, recorded] = await events();
    expect(recorded?.data).to.include({ outcome: "stopped" });
    expect(String(recorded?.data.answer)).to.match(/^An eigenvector/);
  });

  it("is recorded if its end was sent and perhaps not received", async () => {
    await served.serve({ graceMs: 50 });
    served.model.script({ kind: "stream", words });
    await frames(await askKept());
    await until(async () => (await events()).length === 2);
  });
});
