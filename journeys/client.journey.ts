import { randomUUID } from "node:crypto";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createClient, RequestRefused } from "../client/client.ts";
import { type InstalledClient, installClient, node20 } from "../client/installed.fixture.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

describe("the client package, against the whole program", () => {
  let program: SharedProgram;
  let installed: InstalledClient;
  before(async function () {
    this.timeout(300_000);
    program = await sharedProgram();
    installed = installClient();
  });
  after(async () => {
    installed?.remove();
    await program?.stop();
  });

  it("runs its example from a packed install, with answer and citations", async () => {
    const node = node20();
    if (!node)
      console.warn(`      !! DID NOT RUN (/usr/bin/node is no Node 20): the client package in Node 20; it ran in ${process.version}`);
    copyFileSync(join(import.meta.dirname, "../client/examples/ask-a-course.mjs"), join(installed.folder, "ask-a-course.mjs"));
    const question = "What does the determinant of a matrix tell?";
    const printed = await installed.run(node ?? process.execPath, "ask-a-course.mjs", program.url, question);
    expect(printed).to.include("Linear Maps");
    expect(printed).to.match(new RegExp(`- .+: ${program.url}/courses/linear-maps/`));
  });

  it("pushes, reads and follows changes, and reports problems", async () => {
    const cookie = await program.cookie("learner");
    const colloquy = createClient({ address: program.url, headers: { cookie } });
    const stopped = new AbortController();
    const stream = await colloquy("GET /api/sync/stream", { query: {}, signal: stopped.signal });
    const entityId = `conversation-${randomUUID()}`;
    const { results, position } = await colloquy("POST /api/sync/push", {
      body: {
        deviceId: "device-one",
        changes: [
          {
            changeId: `change-${randomUUID()}`,
            domain: "conversation",
            entityId,
            type: "started",
            at: new Date().toISOString(),
            data: { mode: "ask", model: { choice: "automatic" }, references: [], title: "By the client" },
          },
        ],
      },
    });
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
    const { conversation } = await colloquy("GET /api/conversations/:conversationId", {
      parameters: { conversationId: entityId },
      query: { after: position },
    });
    expect(conversation.title).to.equal("By the client");
    for await (const { id, data } of stream) {
      if (data.entityId !== entityId) continue;
      expect(id).to.match(/^\d+$/);
      break;
    }
    stopped.abort();
    const refusal = await colloquy("GET /api/conversations/:conversationId", { parameters: { conversationId: "nowhere-0001" } }).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(RequestRefused);
    expect((refusal as RequestRefused).code).to.equal("not_found");
  });
});
