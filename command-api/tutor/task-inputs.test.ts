import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import { expect } from "chai";
import { withWordsBefore } from "./task-inputs.ts";

const passage = (sourceId: string, role: RankedPassage["role"], topicId = "topic-a") =>
  ({ sourceId, role, source: { topicId } }) as RankedPassage;
const passages = [passage("words", "prose"), passage("code", "code"), passage("printed", "code"), passage("other-page", "code", "topic-b")];

describe("the sources that a lesson has to reach", () => {
  it("have with code the words that it stands behind", () => {
    expect(withWordsBefore({ passages }, ["printed"])).to.deep.equal(["words", "printed"]);
  });

  it("are themselves where they are words, or stand first on their page", () => {
    expect(withWordsBefore({ passages }, ["words", "other-page"])).to.deep.equal(["words", "other-page"]);
  });
});
