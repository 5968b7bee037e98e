import { jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { draftOf, questionKey, storyboardOf } from "./explainer.fixture.ts";
import { complete, videoStory } from "./story.fixture.ts";

const made = () => videoStory().claimed().and(complete("lease-0001"));
const edit = (version: number, key: typeof questionKey | null) =>
  ({ ...draftOf(), type: "edit", storyboard: storyboardOf("0002"), questionKey: key, expectedVersion: version }) as const;

describe("deciding on offers of videos", () => {
  it("offers a finished video and withdraws it", () => {
    const story = made();
    story.when({ type: "offer" }).then("FilmOffered");
    expect(jobView(story.state)).to.have.property("offered", true);
    story.when({ type: "withdraw" }).then("FilmWithdrawn");
    expect(jobView(story.state)).to.not.have.property("offered");
  });

  it("offers nothing that was not rendered as it is", () => {
    videoStory().claimed().when({ type: "offer" }).thenRejected("wrong_phase");
    const story = made();
    story.and(edit(story.state.version, questionKey));
    story.when({ type: "offer" }).thenRejected("wrong_phase");
  });

  it("offers nothing in which a mistake was reported", () => {
    const story = made();
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    story.when({ type: "offer" }).thenRejected("wrong_phase");
  });

  it("stops offering a video whose storyboard is edited", () => {
    const story = made();
    story.and({ type: "offer" });
    story.and(edit(story.state.version, questionKey));
    expect(jobView(story.state)).to.not.have.property("offered");
  });

  it("withdraws nothing that is not offered", () => {
    made().when({ type: "withdraw" }).thenRejected("not_found");
  });
});
