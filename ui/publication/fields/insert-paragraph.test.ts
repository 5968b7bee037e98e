import { expect } from "chai";
import { insertParagraph } from "./insert-paragraph.ts";

/** A text with the place as a bar, after `PICTURE` was put in. */
function after(text: string): string {
  const place = text.indexOf("|");
  const value = text.replace("|", "");
  const placed = insertParagraph(value, place, "PICTURE");
  const then = value.slice(0, placed.at) + placed.text + value.slice(placed.at);
  expect(then.slice(placed.from), "begins where it says").to.match(/^PICTURE/);
  return then;
}

describe("insertParagraph", () => {
  for (const [name, before, then] of [
    ["in an empty text", "|", "PICTURE"],
    ["behind the sentence it was meant in", "One. | Two.", "One.  Two.\n\nPICTURE"],
    ["behind all lines of a paragraph", "One|\ntwo\n\nthree", "One\ntwo\n\nPICTURE\n\nthree"],
    ["before a paragraph, at its beginning", "One\n\n|two", "One\n\nPICTURE\n\ntwo"],
    ["on an empty line between two", "One\n|\ntwo", "One\n\nPICTURE\n\ntwo"],
    ["on an empty line with room", "One\n\n|\n\ntwo", "One\n\nPICTURE\n\ntwo"],
    ["at the end after a line end", "One\n|", "One\n\nPICTURE"],
    ["within its item", "- one|\n- two", "- one\n\n  PICTURE\n\n- two"],
    ["within a numbered item", "10. one|", "10. one\n\n    PICTURE"],
    ["within an item of an item", "- a\n  - one|\n  - two", "- a\n  - one\n\n    PICTURE\n\n  - two"],
    ["within an item's second line", "- one\n  more|", "- one\n  more\n\n  PICTURE"],
    ["in an empty item", "- one\n- |\n- two", "- one\n- PICTURE\n\n- two"],
    ["within a quote", "> one| two\n> three", "> one two\n> three\n>\n> PICTURE"],
    ["on an empty line of a quote", "> one\n>|", "> one\n>\n> PICTURE"],
    ["within an item of a quote", "> - one|", "> - one\n>\n>   PICTURE"],
    ["behind a heading", "## He|re\nText", "## Here\n\nPICTURE\n\nText"],
    ["behind code", "```\nls |\n\nls\n```\nText", "```\nls \n\nls\n```\n\nPICTURE\n\nText"],
    ["behind a formula", "$$\nx|\n$$", "$$\nx\n$$\n\nPICTURE"],
    ["behind a header", "---\nkind: no|te\n---\nText", "---\nkind: note\n---\n\nPICTURE\n\nText"],
  ] as const)
    it(`inserts ${name}`, () => expect(after(before)).to.equal(then));
});
