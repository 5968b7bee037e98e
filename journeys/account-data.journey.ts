import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { expect } from "chai";
import { strFromU8, unzipSync } from "fflate";
import { change, type Learner, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Words nobody else writes, one for each place where an account's text stands. */
const words = ["quuxtitle", "quuxquestion", "quuxanswer", "quuxquote", "quuxnote", "quuxmodel"] as const;
const [title, question, answer, quote, note, model] = words;
const conversationId = "conversation-mine-1";
/** Stands in a tutoring session whose conversation was never kept: in no archive or feed, and to be erased all the same. */
const goal = "quuxgoal";

describe("the archive and the deletion of an account", () => {
  let program: Program;
  let tomas: Learner;
  before(async () => {
    program = await startProgram();
    tomas = await learner(program.url, "learner2");
    const mira = await learner(program.url, "learner");
    await mira.push([change("change-0101", "conversation-of-mira", "started", opening("Stays"))]);
  });
  after(() => program?.stop());

  const of = (domain: string, changeId: string, entityId: string, type: string, data: object) => ({
    ...change(changeId, entityId, type, data),
    domain,
  });
  const archive = async (): Promise<Record<string, string>> => {
    const response = await fetch(`${program.url}/api/account/archive`, { headers: { cookie: tomas.cookie } });
    expect(response.headers.get("content-type")).to.equal("application/zip");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]));
  };
  const erase = async (body: object): Promise<Response> =>
    fetch(`${program.url}/api/account/erase`, {
      method: "POST",
      headers: { cookie: tomas.cookie, "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1, requestId: "erase-request-1", ...body }),
    });
  const feed = async (): Promise<string> => JSON.stringify((await tomas.get("/api/sync/pull?after=0")).body);
  function filesWith(): string[] {
    const files = readdirSync(program.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.flatMap(({ parentPath, name }) => {
      try {
        const bytes = readFileSync(join(parentPath, name));
        return [...words, goal].filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`);
      } catch {
        // A running program's temporary files come and go.
        return [];
      }
    });
  }

  it("exports one archive, to its owner only", async () => {
    await tomas.push([
      change("change-0001", conversationId, "started", opening(title)),
      change("change-0002", conversationId, "turn_recorded", turn("turn-0001", `Why ${question}?`, `Because ${answer}.`)),
      change("change-0003", "conversation-mine-2", "started", opening("Second")),
      change("change-0004", "conversation-mine-2", "archived", {}),
      of("annotation", "change-0005", "annotation-mine-1", "marked", {
        courseId: "course-shell",
        topicId: "topic-pipes",
        colour: "yellow",
        note,
        quote,
        before: "",
        after: "",
      }),
      of("preferences", "change-0006", "workspace", "model_hidden", { modelId: `p1/${model}` }),
      of("progress", "change-0007", "topic-pipes", "finished", { courseId: "course-shell" }),
    ]);
    for (let seen = ""; !(seen.includes("finished") && words.every((word) => seen.includes(word))); ) seen = await feed();
    const files = await archive();
    const text = Object.values(files).join();
    for (const word of words) expect(text).to.include(word);
    const paths = Object.keys(files).join();
    expect(paths)
      .to.match(/conversations\/[\d-]+ quuxtitle\.\S+\.md/)
      .and.to.include("annotations.json");
    expect(JSON.parse(files["progress.json"] ?? "").changes).to.have.length(1);
    expect((await fetch(`${program.url}/api/account/archive`)).status).to.equal(401);
    const mira = await learner(program.url, "learner");
    const hers = await fetch(`${program.url}/api/account/archive`, { headers: { cookie: mira.cookie } });
    const hersText = Object.values(unzipSync(new Uint8Array(await hers.arrayBuffer())))
      .map((bytes) => strFromU8(bytes))
      .join();
    expect(words.filter((word) => hersText.includes(word))).to.deep.equal([]);
  });

  it("deletes everything after confirmation and leaves no text anywhere", async () => {
    expect((await erase({})).status).to.equal(400);
    const started = await fetch(`${program.url}/api/ai/tutor/start`, {
      method: "POST",
      headers: { cookie: tomas.cookie, "content-type": "application/json" },
      body: JSON.stringify({
        schemaVersion: 1,
        requestId: "tutor-request-1",
        conversationId: "conversation-not-kept",
        courseId: "linear-maps",
        goal: `Eigenvectors ${goal}`,
        references: [],
        model: { choice: "automatic" },
      }),
    });
    const { session, position } = (await started.json()) as { session: { sessionId: string }; position: string };
    const tutored = `/api/tutor/sessions/${session.sessionId}?after=${position}`;
    expect(JSON.stringify((await tomas.get(tutored)).body)).to.include(goal);
    const owned = await archive();
    expect(owned[`tutor/${session.sessionId}.json`]).to.include(goal);
    const keys = JSON.parse(owned["tutor/ledger-keys.json"] ?? "").keys;
    expect(verifyLedger(owned[`tutor/${session.sessionId}.ndjson`] ?? "", keys)).to.deep.include({
      fault: null,
      sessionId: session.sessionId,
    });
    expect(filesWith().join()).to.include(note).and.to.include(goal);
    const response = await erase({ confirmed: true });
    expect(await response.json()).to.deep.include({ deleted: 4, remaining: false });
    let told = "";
    for (let tries = 0; tries < 600 && !told.includes("erased"); tries += 1) {
      told = await feed();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(words.filter((word) => told.includes(word))).to.deep.equal([]);
    expect(told).to.not.include("finished");
    const left = Object.values(await archive()).join();
    expect(words.filter((word) => left.includes(word))).to.deep.equal([]);
    for (let tries = 0; tries < 600 && filesWith().length > 0; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(filesWith()).to.deep.equal([]);
    expect(JSON.stringify((await tomas.get(tutored)).body)).to.not.include(goal);
    // Asked again, there is nothing to do; the account goes on, and others have what they had.
    expect(await (await erase({ confirmed: true })).json()).to.deep.include({ deleted: 0, remaining: false });
    const { results } = await tomas.push([of("preferences", "change-0020", "workspace", "chosen", { theme: "dark" })]);
    expect(results[0]?.outcome).to.equal("accepted");
    const mira = await learner(program.url, "learner");
    expect(JSON.stringify((await mira.get("/api/conversations")).body)).to.include("Stays");
  });
});
