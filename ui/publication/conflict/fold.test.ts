import { expect } from "chai";
import { foldedVersions, type Shown } from "./fold.ts";

const text = (...changed: [line: number, words: string][]): string => {
  const words = new Map(changed);
  return Array.from({ length: 20 }, (_, n) => `${words.get(n) ?? `line ${n}`}\n`).join("");
};
/** What is shown, a fold as the number of its lines and the first change as a star. */
const brief = (shown: Shown[] | null): string | undefined =>
  shown
    ?.map((piece) => {
      if (piece.kind === "fold") return `[${piece.lines}]`;
      return piece.kind === "first"
        ? "*"
        : piece.kind === "same"
          ? piece.text
          : piece.kind === "added"
            ? `+${piece.text}+`
            : `-${piece.text}-`;
    })
    .join("")
    .replaceAll("\n", "/");
const whole = (shown: Shown[] | null, without: Shown["kind"]): string =>
  shown?.map((piece) => (piece.kind === "first" || piece.kind === without ? "" : piece.text)).join("") ?? "";

describe("foldedVersions", () => {
  it("keeps two lines around every change, the same in each version", () => {
    const [base, live, draft] = [text([9, "nine"]), text([9, "neun"]), text([9, "nine"], [10, "ten"])];
    const shown = foldedVersions({ base, live, draft });
    expect(brief(shown.base)).to.equal("[7]line 7/line 8/*nine/line 10/line 11/line 12/[7]");
    expect(brief(shown.live)).to.equal("[7]line 7/line 8/*-nine-+neun+/line 10/line 11/line 12/[7]");
    expect(brief(shown.draft)).to.contain("[7]line 7/line 8/*nine/");
    expect(brief(shown.draft)).to.contain("/line 11/line 12/[7]");
    for (const [side, own] of [
      ["base", base],
      ["live", live],
      ["draft", draft],
    ] as const) {
      expect(whole(shown[side], "removed")).to.equal(own);
      expect(whole(shown[side], "added")).to.equal(base);
    }
  });

  it("folds between distant changes but not a few lines", () => {
    const far = foldedVersions({ base: text(), live: text([0, "x"]), draft: text([19, "y"]) });
    expect(brief(far.base)).to.equal("*line 0/line 1/line 2/[14]line 17/line 18/line 19/");
    const close = foldedVersions({ base: text(), live: text([4, "x"]), draft: text([12, "y"]) });
    expect(brief(close.base)?.match(/\[\d+\]/g)).to.deep.equal(["[5]"]);
  });

  it("counts the rows of long paragraphs", () => {
    const long = `${"word ".repeat(80)}\n`;
    const base = `${long}\n${long}end\n`;
    const { live } = foldedVersions({ base, live: `${base.slice(0, -4)}END\n`, draft: base });
    expect(brief(live)?.startsWith("[1]/word ")).to.equal(true);
  });

  it("marks a change at the very end, and new text", () => {
    const { base, live, draft } = foldedVersions({ base: text(), live: text(), draft: `${text()}more` });
    expect([base, live, draft].map((shown) => brief(shown)?.split("line 19/")[1])).to.deep.equal(["*", "*", "*+more+"]);
    expect(brief(foldedVersions({ base: "", live: "", draft: "new" }).draft)).to.equal("*+new+");
  });

  it("does not fold a text of one side or texts without common words", () => {
    expect(brief(foldedVersions({ base: null, live: null, draft: text() }).draft)).to.equal(text().replaceAll("\n", "/"));
    expect(foldedVersions({ base: text(), live: null, draft: text([3, "x"]) }).live).to.equal(null);
    const apart = foldedVersions({ base: text(), live: "quite another thing", draft: text() });
    expect(brief(apart.base)).to.equal(`*${text().replaceAll("\n", "/")}`);
  });
});
