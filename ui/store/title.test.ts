import { translatorFor } from "@colloquy/messages/translators.ts";
import { expect } from "chai";
import { setPageTranslator } from "../messages/page.ts";
import { conversationTitle } from "./title.ts";

describe("a conversation's title", () => {
  afterEach(() => setPageTranslator(translatorFor("en")));
  const attached = [{ title: "Loops" }, { title: "Pipes" }];

  it("is its first question in one line, cut at a word", () => {
    expect(conversationTitle("What is\n a pipe? ", attached)).to.equal("What is a pipe?");
    expect(conversationTitle(`Why ${"word ".repeat(30)}?`)).to.match(/^Why .{60,78}word…$/);
  });

  it("names a quiz after its subject, else after the first attached page", () => {
    expect(conversationTitle("/quiz me on pipes", attached)).to.equal("Quiz: pipes");
    expect(conversationTitle("/quiz", attached)).to.equal("Quiz: Loops");
    expect(conversationTitle("/quiz ")).to.equal("Quiz");
    setPageTranslator(translatorFor("ar"));
    expect(conversationTitle("/quiz", attached)).to.equal("اختبار: Loops");
    expect(conversationTitle("/quiz")).to.equal("اختبار");
  });
});
