import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { linesOf } from "./lines.ts";
import { closing } from "./question.ts";
import { candidate } from "./scene.ts";

const passage = (id: string, text: string): Passage => ({ id, kind: "prose", text, title: "Finding", trail: ["Course", "Finding"] });

describe("the closing question of a film", () => {
  it("asks what was said of something, and offers nothing else that is said of it", () => {
    const passages = [
      passage("s1", "The grep command selects lines in files that match patterns. A grep search ignores the case of letters when told to."),
      passage(
        "s2",
        "The find command lists files below a folder. A folder holds the names of its files. Wildcards stand for names of any length.",
      ),
    ];
    const lines = linesOf(passages);
    const [first] = lines;
    const said = candidate({
      layout: "points",
      heading: "grep",
      narration: first?.said ?? "",
      at: 0,
      says: [first?.fact.text ?? ""],
      content: { points: ["Selects lines in files that match patterns"] },
      quotes: [{ passage: passages[0] as Passage, quote: first?.quote ?? "" }],
    });
    const question = closing([said], lines, passages, { title: "Finding", emphasis: "intuition", language: "en", avoid: [] });
    expect(question?.content.question).to.equal("What did the video say of “grep”?");
    const wrong = question?.content.choices?.flatMap(({ text, correct }) => (correct ? [] : text)) ?? [];
    expect(wrong).to.have.length(2);
    expect(wrong.join()).to.not.contain("case of letters");
  });
});
