import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { draftOf, questionKey, storyboardOf } from "./explainer.fixture.ts";
import { approve, film, job } from "./job-story.fixture.ts";

describe("deciding on answers to closing questions", () => {
  it("takes the answer to the closing question once, and says what is right only then", () => {
    const story = job();
    story.drafted();
    const answer = { type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" } as const;
    expect(story.refuses(answer)).to.equal("wrong_phase");
    story.does({ ...approve, cached: film });
    expect(story.refuses({ ...answer, choice: 2 })).to.equal("invalid_request");
    story.does(answer);
    expect(jobView(story.state).answered).to.deep.include({ choice: 0, right: 1, evidence: null, unrecorded: "no_session" });
    expect(story.refuses(answer)).to.equal("wrong_phase");
  });

  it("tells of no answer to another question than was answered, and asks none whose right choice nobody knows", () => {
    const story = job();
    story.drafted().does({ ...approve, cached: film });
    story.does({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    const edit = (storyboard: Storyboard, key: ExplainerState["questionKey"]) =>
      story.does({ ...draftOf(), type: "edit", storyboard, questionKey: key, expectedVersion: story.state.version });
    edit({ ...storyboardOf(), storyboardId: "storyboard-0002" }, questionKey);
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1 });
    expect(jobView(story.state).answerable).to.equal(true);
    edit({ ...storyboardOf(), storyboardId: "storyboard-0003" }, null);
    expect(jobView(story.state)).to.deep.include({ answerable: false, answered: null });
    expect(story.refuses({ type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" })).to.equal("wrong_phase");
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    expect(story.does({ type: "count", evidence, unrecorded: null }), "what was on its way counts").to.deep.equal([
      "ClosingQuestionCounted",
    ]);
  });

  it("keeps what a tutoring session made of the answer, once, and only of an answer that had one to go to", () => {
    const story = job();
    story.drafted().does({ ...approve, cached: film });
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    const count = { type: "count", evidence, unrecorded: null } as const;
    expect(story.does(count)).to.deep.equal([]);
    story.does({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    expect(jobView(story.state).answered).to.deep.include({ evidence: null, unrecorded: null });
    expect(story.does(count)).to.deep.equal(["ClosingQuestionCounted"]);
    expect(story.does(count)).to.deep.equal([]);
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1, evidence, unrecorded: null });
    const other = job();
    other.drafted().does({ ...approve, cached: film });
    other.does({ type: "answer", choice: 1, sessionId: null, unrecorded: "no_objective" });
    expect(other.does(count)).to.deep.equal([]);
  });
});
