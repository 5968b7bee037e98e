import { translatorFor } from "@colloquy/messages/translators.ts";
import { expect } from "chai";
import { setPageTranslator } from "../messages/page.ts";
import { conversationTitle, shownQuestion } from "./title.ts";

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

describe("a learner's question on screen", () => {
  const attached = [{ title: "Loops" }];

  it("asks for a quiz in words instead of the bare command", () => {
    expect(shownQuestion("/quiz", attached)).to.equal("Quiz me on Loops");
    expect(shownQuestion("/quiz")).to.equal("Quiz me");
  });

  it("stays as it was typed", () => {
    for (const question of ["What is\n a pipe?", "/quizzes", "what is /quiz", "/quiz 2 questions on pipes"])
      expect(shownQuestion(question, attached)).to.equal(question);
  });
});
