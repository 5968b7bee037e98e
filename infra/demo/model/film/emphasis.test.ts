import { expect } from "chai";
import { missingOf } from "./emphasis.ts";
import { candidate } from "./scene.ts";
import { filmWords } from "./words.ts";

const { refusals } = filmWords("en");
const command = (code: string) =>
  candidate({ layout: "code", heading: "Files", content: { code }, narration: "See what is printed.", quotes: [], at: 0, says: [] });
const [failed, denied, worked] = ["$ rm thesis\nrm: cannot remove it", "$ cat a\ncat: permission denied", "$ ls\ndata"].map(command);

describe("a film of common mistakes by the demonstration model", () => {
  it("shows two of them, or is refused: with one it would be a worked example", () => {
    const missing = (...scenes: (typeof failed)[]) =>
      missingOf(
        "common-mistakes",
        scenes.flatMap((one) => one ?? []),
        "en",
        refusals,
      );
    expect(missing(failed, worked, worked)).to.equal(refusals.noMistake);
    expect(missing(failed, worked, denied)).to.equal(null);
  });

  it("takes no words that a program finds in a file for a failure", () => {
    const poems = ['$ grep not poem.txt\n"My thesis" not found', "$ grep can poem.txt\nI cannot sleep"].map(command);
    expect(missingOf("common-mistakes", poems, "en", refusals)).to.equal(refusals.noMistake);
  });
});
