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
  ])
    it(`is not “${text}”`, () => expect(isSmallTalk(text)).to.equal(false));
});
