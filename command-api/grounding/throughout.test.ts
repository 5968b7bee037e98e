import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { passageFixture } from "./passage.fixture.ts";
import { retrieve, type TurnPassage } from "./retrieve.ts";
import { throughout } from "./throughout.ts";

const prose = (number: number, length = 40) => passageFixture(number, `${number} ${"x".repeat(length)}`);
const code = (number: number) => passageFixture(number, "$ ls", { role: "code" });
const keys = (passages: readonly TurnPassage[]) => passages.map(({ key }) => key);

describe("the passages of a place where nothing says which are meant", () => {
  it("are those of a short one as they stand", () => {
    expect(keys(throughout([prose(1), code(2), prose(3)], 3))).to.deep.equal(["s1", "s2", "s3"]);
  });

  it("are of a long one the fullest of each stretch that explains something, then the others", () => {
    const page = [prose(1), code(2), prose(3, 90), code(4), prose(5, 90), prose(6)];
    expect(keys(throughout(page, 2))).to.deep.equal(["s3", "s5", "s1", "s2", "s4", "s6"]);
  });

  it("are those that explain something before what a program printed, however few they are", () => {
    expect(keys(throughout([code(1), code(2), code(3), prose(4)], 2))).to.deep.equal(["s4", "s1", "s2", "s3"]);
    expect(keys(throughout([code(1), code(2), code(3)], 2))).to.deep.equal(["s1", "s2", "s3"]);
  });

  it("reach to the end of an attached page when nothing is asked in particular", async () => {
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
