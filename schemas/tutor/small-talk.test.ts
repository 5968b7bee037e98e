import { expect } from "chai";
import { isSmallTalk } from "./small-talk.ts";

describe("small talk", () => {
  for (const text of [
    "thanks",
    "Ok.",
    "OK, thank you so much!",
    "Got it, that helps",
    "👍",
    "Danke schön!",
    "Alles klar, verstanden",
    "شكرًا جزيلًا",
    "Hello",
    "Good morning",
    "danke sehr gut",
  ])
    it(`is “${text}”`, () => expect(isSmallTalk(text)).to.equal(true));

  for (const text of [
    "why",
    "ok?",
    "ok but why",
    "thanks, and the second step",
    "is that right",
    "I don't understand",
    "Ich verstehe nicht",
    "right answer",
    "an example",
    "لماذا",
    "لم أفهم",
    "x = 3",
    "?",
    "？",
    "ok？",
    "❓",
    "...",
    "|",
    ">>",
    "*",
    "$@",
    "≤",
    "→",
  ])
    it(`is not “${text}”`, () => expect(isSmallTalk(text)).to.equal(false));

  it("is no long text of its phrases with another word at the end", () => {
    expect(isSmallTalk(`${"danke sehr gut ".repeat(60)}x`)).to.equal(false);
  });

  it("is no long text of emoji with a sign at its end", () => {
    expect(isSmallTalk(`${"\u{1f44d}\u{1f3fd}".repeat(250)}|`)).to.equal(false);
  });
});
