import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { demoCookie } from "../checks/harness/actors.ts";
import { eventually } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** A data folder that the program of 2026-11-23 (commit c067ed1) wrote, with what it answered. Its secrets were made for it alone. */
const folder = fileURLToPath(new URL("older-data/2026-11-23.tar.gz", import.meta.url));
const courses = "linear-maps,learning-to-learn";
/** What the older program was started with. */
const environment = {
  RENDER_WORKER_TOKEN: "w".repeat(40),
  SESSION_SECRET: "s".repeat(40),
  EXPLAINER_COURSE_IDS: courses,
};

type Json = Record<string, unknown>;
interface Expected {
  publishedId: string;
  things: { courseId: string; conversationId: string; sessionId: string };
  films: { madeId: string; draftedId: string };
  expected: Record<"conversations" | "conversation" | "session" | "audit" | "course" | "history" | "jobs" | "feed", Json> & {
    ledger: string;
  };
}

const withoutFinal = (ledger: string): string => ledger.replace(/\{"checkpoint":\{"at":"[^"]*","final":true.*\n/, "");
/** Decisions without the sentence that each version words for itself; no older version named what cannot be recomputed (`unproven`). */
const withoutSentences = (record: Json): unknown =>
  JSON.parse(
    JSON.stringify(record, (name, value) =>
      name === "unproven" ? undefined : value?.decision && value.text ? { ...value, text: "" } : value,
    ),
  );

describe("a data folder of an older version", () => {
  let unpacked: string;
  let program: Program;
  let older: Expected;
  const cookies: Record<string, string> = {};
  const get = async (as: string, path: string): Promise<Response> => fetch(program.url + path, { headers: { cookie: cookies[as] ?? "" } });
  const read = async (as: string, path: string): Promise<Json> => {
    const response = await get(as, path);
    expect(response.status, path).to.equal(200);
    return (await response.json()) as Json;
  };

  before(async () => {
    unpacked = mkdtempSync(join(tmpdir(), "colloquy-older-"));
    execFileSync("tar", ["-xzf", folder, "-C", unpacked]);
    older = JSON.parse(readFileSync(join(unpacked, "expected.json"), "utf8")) as Expected;
    program = await startProgram({ ...environment, DATA_DIR: join(unpacked, "data") });
    for (const name of ["learner", "owner", "auditor"]) cookies[name] = await demoCookie(program.url, name);
  });
  after(async () => {
    await program?.stop();
    rmSync(unpacked, { recursive: true, force: true });
  });

  it("shows the same conversations", async () => {
    expect(await read("learner", "/api/conversations")).to.deep.equal(older.expected.conversations);
    const path = `/api/conversations/${older.things.conversationId}`;
    expect(await read("learner", path)).to.deep.equal(older.expected.conversation);
  });

  it("gives a device the same feed", async () => {
    expect((await read("learner", "/api/sync/pull")).changes).to.deep.equal(older.expected.feed.changes);
  });

  it("shows the same course and its history", async () => {
    const courseId = older.publishedId;
    expect(await read("learner", `/api/courses/${courseId}`)).to.deep.equal(older.expected.course);
    expect(await read("owner", `/api/course-editor/history?course=${courseId}`)).to.deep.equal(older.expected.history);
  });

  it("shows the same videos", async () => {
    const path = `/api/visual-explainers/jobs?courseId=${older.things.courseId}`;
    expect(await read("learner", path)).to.deep.equal(older.expected.jobs);
    const video = await get("learner", `/api/visual-explainers/jobs/${older.films.madeId}/artifact?kind=video`);
    expect(await video.text()).to.equal(`video of ${older.films.madeId}`);
  });

  it("exports the same ledger, byte for byte up to the checkpoint that each export signs", async () => {
    const ledger = await get("learner", `/api/tutor/sessions/${older.things.sessionId}/ledger`);
    expect(withoutFinal(await ledger.text())).to.equal(withoutFinal(older.expected.ledger));
  });

  it("replays the same session for an auditor", async () => {
    const record = await read("auditor", `/api/audit/sessions/${older.things.sessionId}`);
    expect(withoutSentences(record)).to.deep.equal(withoutSentences(older.expected.audit));
  });

  it("continues the tutoring session, with a ledger that verifies", async () => {
    const { sessionId } = older.things;
    const path = `/api/tutor/sessions/${sessionId}`;
    const { session } = (await read("learner", path)) as { session: { version: number; courseRevisionId: string; current: Json } };
    const body = {
      schemaVersion: 1,
      requestId: "request-older-data",
      sessionId,
      expectedVersion: session.version,
      courseRevisionId: session.courseRevisionId,
      action: { type: "hint", itemId: session.current.itemId },
    };
    const response = await fetch(`${program.url}/api/ai/tutor/turn`, {
      method: "POST",
      headers: { cookie: cookies.learner ?? "", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).to.equal(200);
    const exported = join(unpacked, "ledger.ndjson");
    await eventually(async () => {
      const ledger = await (await get("learner", `${path}/ledger`)).text();
      expect(ledger.length).to.be.greaterThan(older.expected.ledger.length);
      writeFileSync(exported, ledger);
    });
    const keys = join(unpacked, "ledger-keys.json");
    writeFileSync(keys, await (await fetch(`${program.url}/api/tutor/ledger-keys`)).text());
    expect(await program.tool("infra/ledger/cli.ts", "verify", exported, "--keys", keys)).to.include("Valid: complete");
  });

  it("continues the course's revisions", async () => {
    const courseId = older.publishedId;
    const { course, sequence, revisionId } = (await read("owner", `/api/course-editor/source?course=${courseId}`)) as {
      course: { manifest: Json };
      sequence: number;
      revisionId: string;
    };
    const published = await fetch(`${program.url}/api/course-editor/publish`, {
      method: "POST",
      headers: { cookie: cookies.owner ?? "", "content-type": "application/json", "x-course-publish": "1" },
      body: JSON.stringify({
        schemaVersion: 1,
        requestId: "request-older-course",
        courseId,
        base: { sequence, revisionId },
        course: { ...course, manifest: { ...course.manifest, summary: "Published by a newer version." } },
        renamedIds: [],
        aliases: [],
      }),
    });
    expect(published.status, await published.clone().text()).to.equal(200);
    expect((await published.json()) as Json).to.include({ sequence: sequence + 1 });
  });

  it("rebuilds its read models to what they are", async () => {
    expect(await program.tool("projections/cli.ts", "verify")).to.match(/All \d+ read models/);
  });
});
