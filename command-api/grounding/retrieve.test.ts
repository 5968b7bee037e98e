import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { passageFixture } from "./passage.fixture.ts";
import { retrieve, type TurnPassage, wholePage } from "./retrieve.ts";

const prose = (number: number, length = 40) => passageFixture(number, `${number} ${"x".repeat(length)}`);
const code = (number: number) => passageFixture(number, "$ ls", { role: "code" });
const keys = (passages: readonly TurnPassage[]) => passages.map(({ key }) => key);

describe("wholePage", () => {
  it("keeps the order of a short page", () => {
    expect(keys(wholePage([prose(1), code(2), prose(3)], 3))).to.deep.equal(["s1", "s2", "s3"]);
  });

  it("puts the longest explanatory passage of each stretch first", () => {
    const page = [prose(1), code(2), prose(3, 90), code(4), prose(5, 90), prose(6)];
    expect(keys(wholePage(page, 2))).to.deep.equal(["s3", "s5", "s1", "s2", "s4", "s6"]);
  });

  it("puts explanatory passages before program output", () => {
    expect(keys(wholePage([code(1), code(2), code(3), prose(4)], 2))).to.deep.equal(["s4", "s1", "s2", "s3"]);
    expect(keys(wholePage([code(1), code(2), code(3)], 2))).to.deep.equal(["s1", "s2", "s3"]);
  });

  it("reaches the end of an attached page for a general question", async () => {
    const page = Array.from({ length: bounds.ask.passages * 4 }, (_, index) => (index % 2 ? prose(index) : code(index)));
    const library: PassageLibrary = { search: async () => [], references: async () => [], resolve: async () => null };
    const source = { ...prose(1).source };
    const references = [{ source, courseId: "shell-novice", revisionId: "revision-1", passages: page }];
    const given = await retrieve(library, { message: "", history: [], references });
    expect(given).to.have.length(bounds.ask.passages);
    expect(given.map(({ role }) => role)).to.not.include("code");
    expect(given.at(-1)?.passageId).to.equal(page.at(-3)?.passageId);
  });
});
