import { detectQuizRequest } from "@colloquy/command-api/ask/quiz-request.ts";
import { isVague } from "@colloquy/command-api/grounding/topic-of-conversation.ts";
import { ar } from "@colloquy/messages/ar.ts";
import { de } from "@colloquy/messages/de.ts";
import { en } from "@colloquy/messages/en.ts";
import { expect } from "chai";

describe("the suggested questions of a new conversation", () => {
  for (const [language, messages] of Object.entries({ en, de, ar })) {
    it(`are understood as about the whole of what is attached (${language})`, () => {
      for (const text of [messages["conversation.shouldIRemember"], messages["conversation.explainHardestStepExample"]])
        expect(isVague(String(text)), String(text)).to.equal(true);
    });

    it(`are understood as wishes for a quiz (${language})`, () => {
      expect(detectQuizRequest(String(messages["store.quizMe"]), false)?.topic).to.equal("");
      expect(detectQuizRequest(String(messages["store.quizMeOn"]).replace("{about}", "Pipes"), false)?.topic).to.equal("Pipes");
    });
  }
});
