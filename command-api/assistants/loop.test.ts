import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { runAll } from "@colloquy/projections/run-all.ts";
import { projection } from "@colloquy/projections/tutor/projection.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { expect } from "chai";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { type Connected, type ServedConnector, serveConnector } from "./assistants.fixture.ts";
import { type SessionRecord, scriptedAssistant, type Told, withLooker } from "./scripted-model.fixture.ts";

const run = promisify(execFile);
const cli = fileURLToPath(new URL("../../infra/ledger/cli.ts", import.meta.url));

const project: NonNullable<Parameters<typeof serveConnector>[0]>["project"] = ({ store, database, signal }) =>
  runAll({ projections: [projection], database: database as never, store, log: createLog("test", { LOG_LEVEL: "silent" }), signal })
    .finished;

for (const verifier of ["own", "assistant"] as const)
  describe(`a session whose work an assistant's model does, plans verified by ${verifier === "own" ? "this installation" : "the assistant"}`, () => {
    let served: ServedConnector;
    let mira: Connected;
    let assistant: ReturnType<typeof scriptedAssistant>;
    before(async function () {
      this.timeout(120_000);
      // An installation that leaves plans to be verified has no model of its own that can judge questions.
      const around = (gateway: ModelGateway) => (verifier === "own" ? withLooker(gateway, () => assistant.right) : gateway);
      served = await serveConnector({ verifier, project, around });
      mira = await served.connect();
      assistant = scriptedAssistant(mira, served.tutor.gateway);
    });
    after(() => served.close());

    let started = 0;
    const start = (more: object = {}) => {
      started += 1;
      const goal = "Understand eigenvectors";
      return mira.call<Told>("start_tutor_session", {
        requestId: `start-${String(started).padStart(6, "0")}`,
        courseId: "linear-maps",
        goal,
        ...more,
      });
    };

    async function recordsOf(sessionId: string): Promise<LedgerRecord[]> {
      const records: LedgerRecord[] = [];
      for await (const stored of served.tutor.store.read(tutorStream(sessionId))) {
        const event = tutorEvents.parse(stored);
        if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
        if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
      }
      return records;
    }

    it("completes by proposals alone with a ledger that verifies", async function () {
      this.timeout(120_000);
      let { session, receipt } = await start();
      expect(session.waitsFor).to.equal("probe");
      expect(receipt.entries).to.deep.equal([0]);
      const did = new Set<string>();
      const all: number[] = [...receipt.entries];
      for (let turns = 0; session.phase !== "completed"; turns += 1) {
        expect(turns).to.be.lessThan(200);
        // A mistake once in a while, so that what follows one is seen.
        const told = await assistant.step(session, ({ version }) => turns % 9 === 4 && version > 0);
        did.add(told.did);
        ({ session, receipt } = told);
        all.push(...receipt.entries);
        expect(receipt.events.at(-1)).to.equal(session.version);
      }
      expect([...did]).to.include.members([
        "probe",
        "teach",
        "check",
        "answer",
        verifier === "own" ? "plan installed" : "verified installed",
      ]);
      // Without a second look by a model of this installation nothing that an assistant writes counts.
      const moved = session.mastery.filter(({ probability }) => probability > masteryParameters.learned);
      expect(moved.length > 0).to.equal(verifier === "own");
      const records = await recordsOf(session.sessionId);
      const entries = records.flatMap((record) => ("entry" in record ? record.entry : []));
      expect(all).to.deep.equal(entries.map(({ index }) => index));
      const { clientId } = (await served.assistants.list(await owner(session.sessionId))).assistants[0] ?? {};
      for (const { via } of entries) expect(via).to.deep.equal({ kind: "connector", clientId });
      const file = join(served.tutor.folder, "ledger.ndjson");
      writeFileSync(file, exportLines(session.sessionId, records, served.tutor.signer, new Date().toISOString()));
      const keys = join(served.tutor.folder, "keys.json");
      writeFileSync(keys, JSON.stringify({ schemaVersion: 1, keys: served.tutor.signer.keys() }));
      const { stdout } = await run(process.execPath, [cli, "verify", file, "--keys", keys]);
      expect(stdout).to.match(/entries/);
    });
    const owner = async (sessionId: string) => (await served.tutor.sessions.load(sessionId)).state.accountId;

    /** As far as a question of the first step. */
    async function toTheCheck(): Promise<SessionRecord> {
      let { session } = await start();
      while (session.current?.kind !== "check") ({ session } = await assistant.step(session));
      return session;
    }

    it("hides keys before the answer and ignores claims of a model", async function () {
      this.timeout(120_000);
      const session = await toTheCheck();
      const { state } = await served.tutor.sessions.load(session.sessionId);
      const item = state.items[state.current ?? ""];
      const { session: shown } = await mira.call<Told>("open_tutor_session", { sessionId: session.sessionId });
      const { messages, ...rest } = shown;
      expect(JSON.stringify(rest)).not.to.match(/"right"|"rubric"|"modelAnswer"|"explanation"/);
      expect(messages.filter((message) => message.kind === "question" && message.itemId === item?.itemId && "right" in message)).to.be
        .empty;
      const before = JSON.stringify(state.ledger);
      const turn = assistant.turnOf(shown);
      const graded = {
        itemId: item?.itemId,
        answer: "I have mastered all of it.",
        criteria: [{ criterion: 1, met: true, reason: "Mastered." }],
      };
      expect(await mira.refusal("propose_grade", { ...turn, ...graded })).to.match(/invalid_request|wrong_phase/);
      expect(
        await mira.refusal("propose_teaching", { ...assistant.turnOf(shown), text: "The learner has mastered this step." }),
      ).to.include("wrong_phase");
      const knows = { type: "self_report", objectiveId: shown.mastery[0]?.objectiveId, knows: true };
      const { session: reported } = await mira.call<Told>("tutor_action", { ...assistant.turnOf(shown), action: knows });
      expect(reported.mastery.map(({ probability }) => probability)).to.deep.equal(shown.mastery.map(({ probability }) => probability));
      expect(JSON.parse(before).count + 1).to.equal((await served.tutor.sessions.load(session.sessionId)).state.ledger.count);
    });

    it("rejects unsourced lessons, plans on foreign passages, one-choice questions", async function () {
      this.timeout(120_000);
      let { session } = await start();
      const odd = {
        objectiveId: session.mastery[0]?.objectiveId ?? "",
        breadth: "broad",
        prompt: "What is it?",
        selection: "single",
        explanation: "It is.",
        passages: ["s900"],
      };
      const items = [
        {
          ...odd,
          choices: [
            { text: "this", correct: true },
            { text: "that", correct: false },
          ],
        },
      ];
      expect(await mira.refusal("propose_probe", { ...assistant.turnOf(session), items })).to.include("names no passage that was given");
      while (session.waitsFor !== "plan") ({ session } = await assistant.step(session));
      const { brief } = await mira.call<{ brief: string }>("next_work", { sessionId: session.sessionId });
      const plan = await assistant.make("plan", brief);
      const wrong = { steps: plan.steps.map((step) => ({ ...step, passages: ["s900"] })) };
      const turn = assistant.turnOf(session);
      const refused = await mira.call<Told & { outcome: string; findings: string[] }>("propose_plan", { ...turn, plan: wrong });
      expect(refused.outcome).to.equal("refused");
      expect(refused.findings.join(" ")).to.include("names a passage that was not given");
      ({ session } = refused);
      // Its answer may have been lost on the way.
      const again = await mira.call<Told & { outcome: string; findings: string[] }>("propose_plan", { ...turn, plan: wrong });
      expect(again).to.deep.equal(refused);
      while (session.waitsFor !== "teach") ({ session } = await assistant.step(session));
      expect(await mira.refusal("propose_teaching", { ...assistant.turnOf(session), text: "Believe me." })).to.include("names no passage");
      ({ session } = await assistant.step(session));
      const one = {
        prompt: "One?",
        selection: "single",
        choices: [{ text: "a", correct: true }],
        rubric: [],
        modelAnswer: "",
        hint: "h",
        explanation: "e",
        passages: ["s1"],
      };
      const said = await mira.refusal("propose_check", { ...assistant.turnOf(session), check: one }).catch((error: Error) => error.message);
      expect(said).to.include("choice");
    });

    it("carries out a request once, rejects a reused id and a stale version", async function () {
      this.timeout(120_000);
      const { session } = await start();
      const turn = assistant.turnOf(session);
      const { brief } = await mira.call<{ brief: string }>("next_work", { sessionId: session.sessionId });
      const { items } = await assistant.make("probe", brief);
      const first = await mira.call<Told>("propose_probe", { ...turn, items });
      const again = await mira.call<Told>("propose_probe", { ...turn, items });
      expect(again.session.version).to.equal(first.session.version);
      expect(first.receipt.events).not.to.be.empty;
      expect(again.receipt).to.deep.equal(first.receipt);
      expect(await mira.refusal("propose_probe", { ...turn, items: items.toReversed() })).to.include("request_id_reused");
      const pause = { action: { type: "pause" } };
      expect(await mira.refusal("tutor_action", { ...assistant.turnOf(session), ...pause })).to.match(/stale_session.*open_tutor_session/s);
    });

    it("does not show another account's session", async function () {
      this.timeout(120_000);
      const { session } = await start();
      const other = await served.connect({ account: "learner2" });
      const { sessionId } = session;
      for (const [tool, input] of [
        ["open_tutor_session", { sessionId }],
        ["next_work", { sessionId }],
        ["propose_teaching", { ...assistant.turnOf(session), text: "Mine." }],
        ["tutor_action", { ...assistant.turnOf(session), action: { type: "pause" } }],
        ["start_tutor_session", { requestId: "start-of-tomas", courseId: "linear-maps", goal: "x", carryFrom: sessionId }],
      ] as const)
        expect(await other.refusal(tool, input), tool).to.include("not_found");
      expect((await other.call<{ sessions: unknown[] }>("list_tutor_sessions", {})).sessions).to.deep.equal([]);
    });

    if (verifier === "assistant")
      it("installs a plan only after a separate verification without findings", async function () {
        this.timeout(120_000);
        let { session } = await start();
        while (session.waitsFor !== "plan") ({ session } = await assistant.step(session));
        const { brief } = await mira.call<{ brief: string }>("next_work", { sessionId: session.sessionId });
        const plan = await assistant.make("plan", brief);
        const clean = { unsupported: [], prerequisiteGaps: [] };
        expect(await mira.refusal("verify_plan", { ...assistant.turnOf(session), plan, ticket: "made-up", ...clean })).to.include(
          "was not proposed",
        );
        const { ticket, outcome } = await mira.call<{ ticket: string; outcome: string }>("propose_plan", {
          ...assistant.turnOf(session),
          plan,
        });
        expect(outcome).to.equal("to_verify");
        const other = { steps: plan.steps.map((step) => ({ ...step, title: `${step.title}!` })) };
        expect(await mira.refusal("verify_plan", { ...assistant.turnOf(session), plan: other, ticket, ...clean })).to.include(
          "was not proposed",
        );
        const unsupported = [{ step: plan.steps[0]?.title ?? "", claim: "It is not in the course." }];
        const refused = await mira.call<Told & { outcome: string }>("verify_plan", {
          ...assistant.turnOf(session),
          plan,
          ticket,
          ...clean,
          unsupported,
        });
        expect(refused.outcome).to.equal("refused");
        expect(refused.session.phase).to.equal("planning");
      });
  });
