import { type Decision, decisions, type Reason, type TutorMessage, type TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { render } from "lit";
import { decisionText, decisionView, whyNext } from "./decisions.ts";
import { afterWrong, session } from "./tutor.fixture.ts";

const made = (decision: Decision, reason: Reason, receipt: number, stepId: string | null = null): TutorMessage => ({
  kind: "decision",
  messageId: `message-${receipt}`,
  at: session.startedAt,
  receipt,
  decision,
  reason,
  stepId,
  text: "from the service",
});
const drawn = (view: Parameters<typeof render>[0]): HTMLElement => {
  const holder = document.createElement("div");
  render(view, holder);
  return holder;
};
const why = (session: TutorSession): string => {
  const found = whyNext(session);
  return found ? drawn(found.words).textContent : "";
};

describe("why something comes next", () => {
  it("is the last decision about what comes next, ignoring pause and resume", () => {
    const resumed: TutorSession = {
      ...afterWrong,
      messages: [...afterWrong.messages, made("pause", "learner", 18), made("resume", "learner", 19)],
    };
    expect(why(resumed)).to.equal("Your answer to “Connect programs with a pipe” was not right yet, so it comes again.");
    expect(whyNext(resumed)?.receipt).to.equal(17);
  });

  it("is the probe rule, then the reason for the first step, then nothing", () => {
    const probing = (attempt: number): TutorSession => ({
      ...session,
      phase: "probing",
      messages: session.messages.slice(0, 1),
      current: session.current && { ...session.current, kind: "probe", attempt },
    });
    expect(why(probing(1))).to.contain("one or more placement questions");
    expect(why(probing(2))).to.contain("the least certain");
    expect(why(session)).to.equal("“Connect programs with a pipe” is the next step of your path.");
    expect(whyNext(session)?.receipt).to.equal(15);
    expect(whyNext({ ...afterWrong, phase: "completed" })).to.equal(null);
  });

  it("is no longer the wish for another question once that was answered", () => {
    const replaced = [...session.messages, made("replace", "learner", 16)];
    expect(why({ ...session, messages: replaced })).to.equal("You asked for another question. Nothing was counted.");
    const answered = afterWrong.messages.filter(({ kind }) => kind === "answer");
    const probing = { ...session, current: session.current && { ...session.current, kind: "probe" as const, attempt: 2 } };
    expect(why({ ...probing, messages: [...replaced, ...answered] })).to.contain("the least certain");
  });

  it("is what a right answer still leaves to be shown", () => {
    const evidence = { ...session.mastery[0]?.evidence[0], receipt: 30, probability: 0.78 };
    const answered = { ...session, mastery: session.mastery.map((one) => ({ ...one, evidence: [evidence] })) } as TutorSession;
    const told = (reason: Reason, receipt: number) => why({ ...answered, messages: [made("reinforce", reason, receipt)] });
    expect(told("more_evidence", 31)).to.equal("Correct. The estimate is now 78%; mastery needs 95%.");
    expect(told("more_evidence", 33), "of an older decision").to.equal("Correct. One more question makes it more certain.");
    expect(told("other_kind", 31)).to.equal("Correct. Mastery also needs a right answer to a question of another kind.");
    expect(told("other_objective", 31)).to.equal("Correct. Another objective of this step comes next.");
  });

  it("has text for every decision, even about a step that left the path", () => {
    const gone: TutorSession = { ...session, path: [] };
    for (const decision of decisions) {
      const message = made(decision, "learner", 1, "step-pipes");
      if (message.kind !== "decision") continue;
      expect(decisionText(message, gone), decision).to.match(/\.$/);
      expect(drawn(decisionView(message, gone)).textContent, decision).to.equal(decisionText(message, gone));
    }
    const view = drawn(decisionView(made("replan", "no_gain", 1, "step-pipes") as Parameters<typeof decisionView>[0], gone));
    expect(view.querySelector("bdi")?.textContent).to.equal("Connect programs");
  });
});
