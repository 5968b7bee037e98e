import { expect } from "chai";
import { citationOf } from "../grounding/citations.ts";
import { passageFixture } from "../grounding/passage.fixture.ts";
import { followUps } from "./follow-ups.ts";

describe("follow-up prompts", () => {
  const passages = [
    passageFixture(1, "A pipe joins programs."),
    passageFixture(2, "Filters.", { heading: "What is a **filter**?" }),
    passageFixture(3, "More.", { heading: "Redirecting output" }),
    passageFixture(4, "Solved.", { heading: "The answer", role: "solution" }),
    passageFixture(5, "Again.", { heading: "Redirecting output" }),
  ];
  const [first] = passages;
  const citations = first ? [citationOf(first, 1, "pipe")] : [];

  it("name unused headings once, and no solutions", () => {
    expect(followUps(passages, citations, { message: "What is a pipe?", history: [] })).to.deep.equal([
      "What is a filter?",
      "What does the course say about “Redirecting output”?",
    ]);
  });

  it("come only from cited courses", () => {
    const foreign = passageFixture(6, "Else.", { heading: "Basic tactics", courseId: "another-course" });
    expect(followUps([foreign, ...passages], citations, { message: "What is a pipe?", history: [] })[0]).to.equal("What is a filter?");
    expect(followUps([foreign], [], { message: "What is a pipe?", history: [] })).to.have.length(1);
  });

  it("do not repeat earlier questions", () => {
    expect(followUps(passages, citations, { message: "what is a  FILTER?", history: [] })).not.to.include("What is a filter?");
  });
});
