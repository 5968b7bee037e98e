import type { KnownSession } from "@colloquy/projections/tutor/queries.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

describe("practice in a later session", () => {
  const known: KnownSession[] = [];
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor({ sessionsOf: async () => known });
  });
  after(() => tutor.close());

  it("asks in own words what an earlier session showed: nothing counts", async () => {
    const start = async (): Promise<TutorSession> => (await tutor.start({ conversationId: crypto.randomUUID() })).session;
    const first = await start();
    const itemId = first.current?.itemId ?? "";
    const { session } = await tutor.act(first, { type: "answer", itemId, text: "A vector that keeps its direction." });
    known.push({ sessionId: session.sessionId, version: session.version });
    const again = await start();
    expect([again.current?.selection, again.current?.prompt]).to.deep.equal(["text", first.current?.prompt]);
  });
});
