import { expect } from "chai";
import { applyHelper, type Change, continueList, type Helper, linkTo, type Selected } from "./markdown-helpers.ts";

/** A text with its selection between bars; one bar is a caret. */
function read(text: string): Selected {
  const start = text.indexOf("|");
  const rest = text.replace("|", "");
  const second = rest.indexOf("|");
  return { value: rest.replace("|", ""), start, end: second < 0 ? start : second };
}
function written({ value }: Selected, { start, end, text, select: [from, to] }: Change): string {
  const after = value.slice(0, start) + text + value.slice(end);
  return from === to
    ? `${after.slice(0, from)}|${after.slice(from)}`
    : `${after.slice(0, from)}|${after.slice(from, to)}|${after.slice(to)}`;
}
const after = (helper: Helper, text: string): string =>
  written(read(text), applyHelper(helper, read(text), { text: "text", address: "https://" }));

describe("applyHelper", () => {
  for (const [helper, before, then] of [
    ["bold", "a |word| here", "a **|word|** here"],
    ["bold", "a | word | here", "a  **|word|**  here"],
    ["bold", "a wo|rd here", "a **wo|rd** here"],
    ["bold", "a **wo|rd** here", "a wo|rd here"],
    ["bold", "a **|word|** here", "a |word| here"],
    ["bold", "a |**word**| here", "a |word| here"],
    ["bold", "a *|word|* here", "a ***|word|*** here"],
    ["italic", "a **|word|** here", "a ***|word|*** here"],
    ["italic", "a ***|word|*** here", "a **|word|** here"],
    ["italic", "say | now", "say *|text|* now"],
    ["code", "run |ls| now", "run `|ls|` now"],
    ["code", "one\n|two\nthree|", "one\n\n```\n|two\nthree|\n```"],
    ["formula", "so |a+b| is", "so $|a+b|$ is"],
    ["formula", "so | is", "so $|x^2|$ is"],
    ["formula", "|a\nb|", "$$\n|a\nb|\n$$"],
    ["link", "see |this page| now", "see [this page](|https://|) now"],
    ["link", "see |https://a.example| now", "see [|text|](https://a.example) now"],
    ["link", "see | now", "see [|text|](https://) now"],
    ["list", "|one\n\ntwo|", "|- one\n\n- two|"],
    ["list", "|- one\n2. two|", "|one\ntwo|"],
    ["list", "on|e", "- on|e"],
    ["list", "|", "- |"],
    ["heading", "Ti|tle", "## Ti|tle"],
    ["heading", "## Ti|tle", "### Ti|tle"],
    ["heading", "### Ti|tle", "Ti|tle"],
    ["heading", "#### |Title", "|Title"],
  ] as const)
    it(`${helper}: ${JSON.stringify(before)}`, () => expect(after(helper, before)).to.equal(then));
});

describe("linkTo", () => {
  for (const [before, then] of [
    ["see |them| now", "see [them](topic:topic-a)| now"],
    ["see | now", "see [Lists \\[1\\]](topic:topic-a)| now"],
  ] as const)
    it(JSON.stringify(before), () => expect(written(read(before), linkTo(read(before), "topic:topic-a", "Lists [1]"))).to.equal(then));
});

describe("continueList", () => {
  for (const [before, then] of [
    ["- one|", "- one\n- |"],
    ["  * one| two", "  * one\n  * | two"],
    ["9. nine|", "9. nine\n10. |"],
    ["- one\n- |", "- one\n|"],
    ["- one\n- |\nnext", "- one\n|\nnext"],
  ] as const)
    it(JSON.stringify(before), () => {
      const selected = read(before);
      const change = continueList(selected);
      expect(change && written(selected, change)).to.equal(then);
    });
  it("returns null outside an item or with a selection", () => {
    for (const text of ["plain|", "|- one", "- |one|", "-|"]) expect(continueList(read(text)), text).to.equal(null);
  });
});
