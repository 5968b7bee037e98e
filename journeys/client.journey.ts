import { randomUUID } from "node:crypto";
import { createClient, RequestRefused } from "@colloquy/client";
import { expect } from "chai";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

describe("the client package, against the whole program", () => {
  let program: Program;
  before(async function () {
    this.timeout(300_000);
    program = await startProgram({ DEMO_MODEL_WORD_MS: "1" });
  });
  after(() => program?.stop());

  it("is enough for the example: it lists courses, asks, and prints the answer with what it stands on", async () => {
    const printed = await program.tool("client/examples/ask-a-course.ts", program.url, "What does the determinant of a matrix tell?");
    expect(printed).to.include("Linear Maps");
    expect(printed).to.match(new RegExp(`- .+: ${program.url}/courses/linear-maps/`));
  });

  it("pushes changes, reads what became of them, follows them as they come, and is told what is wrong", async () => {
    const { cookie } = await learner(program.url, "learner");
    const colloquy = createClient({ address: program.url, headers: { cookie } });
    const stopped = new AbortController();
    const stream = await colloquy("GET /api/sync/stream", { query: {}, signal: stopped.signal });
    const entityId = `conversation-${randomUUID()}`;
    const { results, position } = await colloquy("POST /api/sync/push", {
      body: {
        deviceId: "device-one",
        changes: [
          {
            ...{ changeId: `change-${randomUUID()}`, domain: "conversation", entityId, type: "started", at: new Date().toISOString() },
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
