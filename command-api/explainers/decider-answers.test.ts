import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { draftOf, questionKey, storyboardOf } from "./explainer.fixture.ts";
import { approve, film, videoStory } from "./story.fixture.ts";

describe("deciding on answers to closing questions", () => {
  it("takes one answer and reveals the right choice only afterwards", () => {
    const story = videoStory();
    story.drafted();
    const answer = { type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" } as const;
    story.when(answer).thenRejected("wrong_phase");
    story.and({ ...approve, cached: film });
    story.when({ ...answer, choice: 2 }).thenRejected("invalid_request");
    story.and(answer);
    expect(jobView(story.state).answered).to.deep.include({ choice: 0, right: 1, evidence: null, unrecorded: "no_session" });
    story.when(answer).thenRejected("wrong_phase");
  });

  it("hides the answer to an earlier question and refuses one without a key", () => {
    const story = videoStory();
    story.drafted().and({ ...approve, cached: film });
    story.and({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    const edit = (storyboard: Storyboard, key: ExplainerState["questionKey"]) =>
      story.and({ ...draftOf(), type: "edit", storyboard, questionKey: key, expectedVersion: story.state.version });
    edit({ ...storyboardOf(), storyboardId: "storyboard-0002" }, questionKey);
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1 });
    expect(jobView(story.state).answerable).to.equal(true);
    edit({ ...storyboardOf(), storyboardId: "storyboard-0003" }, null);
    expect(jobView(story.state)).to.deep.include({ answerable: false, answered: null });
    story.when({ type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" }).thenRejected("wrong_phase");
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    story.when({ type: "count", evidence, unrecorded: null }).then("ClosingQuestionCounted"); // an answer recorded before the edit still counts
  });

  it("records once where an answer counts, only if it had a session", () => {
    const story = videoStory();
    story.drafted().and({ ...approve, cached: film });
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    const count = { type: "count", evidence, unrecorded: null } as const;
    story.when(count).then();
    story.and({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    expect(jobView(story.state).answered).to.deep.include({ evidence: null, unrecorded: null });
    story.when(count).then("ClosingQuestionCounted");
    story.when(count).then();
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1, evidence, unrecorded: null });
    const other = videoStory();
    other.drafted().and({ ...approve, cached: film });
    other.and({ type: "answer", choice: 1, sessionId: null, unrecorded: "no_objective" });
    other.when(count).then();
  });
});
