import { xapiStatements } from "@colloquy/infra/ledger/xapi.ts";
import type { TutorEvent } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { masteryEvidence } from "@colloquy/schemas/tutor/session.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { givenFor } from "../given.fixture.ts";
import { carriedEntries } from "./carry.ts";
import type { TutorCommand } from "./commands.ts";
import type { TutorCourse } from "./course.ts";
import { story } from "./decider.fixture.ts";
import { tutorDecider } from "./decider.ts";

const via = { kind: "connector", clientId: "client-robin" } as const;
const entriesOf = (events: readonly TutorEvent[]): EvidenceEntry[] =>
  events.flatMap((event) => (event.type === "EvidenceRecorded" ? [event.data.entry] : []));

/** A session in which the first answer came by an assistant and the second from the learner's own page. */
function passedOn() {
  const tale = story(["objective-a", "objective-b"]);
  const item = tale.state.items[tale.state.current ?? ""];
  if (!item) throw new Error("no question waits");
  tale.act({ type: "answer", itemId: item.itemId, choiceIds: item.right }, { via });
  tale.answer(true);
  return tale;
}

describe("an answer passed on by an assistant", () => {
  it("is marked in its ledger entry and in the learner's evidence", () => {
    const tale = passedOn();
    expect(entriesOf(tale.events).map((entry) => [entry.kind, entry.via])).to.deep.equal([
      ["opened", undefined],
      ["probe", via],
      ["probe", undefined],
    ]);
    const evidence = sessionView(tale.state, {}).mastery.flatMap((one) => one.evidence);
    for (const one of evidence) masteryEvidence.parse(one);
    expect(evidence.map(({ assistant }) => assistant)).to.have.members([true, false]);
    expect(evidence.find(({ assistant }) => assistant)?.receipt).to.equal(1);
  });

  it("is marked in the context of its xAPI statement alone", () => {
    const tale = passedOn();
    const statements = xapiStatements(entriesOf(tale.events), {
      publicUrl: "https://learn.example",
      learner: "amber-heron-7kq2xdm",
      session: sessionView(tale.state, {}),
    });
    const said = statements.map(({ context }) => (context.extensions as Record<string, unknown>)["https://learn.example/xapi/ledger-via"]);
    expect(said).to.deep.equal([undefined, via, undefined]);
  });

  it("stays marked when it is carried into a later session", () => {
    const tale = passedOn();
    const digests = new Map(Object.values(tale.state.items).flatMap(({ sourceDigests }) => Object.entries(sourceDigests)));
    const carried = carriedEntries(tale.state, { digests } as unknown as TutorCourse, tale.state.objectives);
    expect(carried).to.have.lengthOf(2);
    for (const opener of [undefined, { kind: "connector", clientId: "client-wren" } as const]) {
      const command: TutorCommand = {
        type: "open",
        at: "2026-11-21T08:00:00.000Z",
        requestId: "request-again",
        digest: "0".repeat(64),
        carried,
        ...(opener && { via: opener }),
        goal: { textId: "text-goal-02", text: "Learn", salt: "salt" },
        session: {
          sessionId: "session-0002",
          conversationId: "conversation-01",
          courseId: "course-01",
          courseTitle: "A course",
          courseRevisionId: "revision-02",
          language: "en",
          references: [],
          model: { choice: "automatic" },
          carriedFrom: "session-0001",
        },
        objectives: [...tale.state.objectives],
      };
      const { events, state } = givenFor(tutorDecider)().and(command);
      const answers = entriesOf(events).filter(({ kind }) => kind === "probe");
      expect(answers.map((entry) => entry.via)).to.deep.equal([via, undefined]);
      expect(entriesOf(events)[0]?.via).to.deep.equal(opener);
      expect(sessionView(state, {}).mastery.flatMap(({ evidence }) => evidence.map(({ assistant }) => assistant))).to.have.members([
        true,
        false,
      ]);
    }
  });
});
