import { learnerOf } from "../accounts.ts";
import { once, type Scene, type Stage } from "../scene.ts";
import { ask, done } from "./workspace.ts";

let quizAt = "/ai";
async function makeQuiz(stage: Stage): Promise<void> {
  await stage.go("/ai");
  await ask(stage, "Quiz me with 4 questions on eigenvectors");
  await done(stage).waitFor();
  quizAt = new URL(stage.page.url()).pathname + new URL(stage.page.url()).search;
}

const scene = (state: string, show: Scene["show"], more: Partial<Scene>): Scene => ({ page: "quiz", state, window: true, show, ...more });

/** A quiz in a conversation. */
export const quizScenes: readonly Scene[] = [
  scene(
    "questions",
    async (stage) => {
      await stage.go(quizAt);
      await stage.page.locator("colloquy-quiz label").first().waitFor();
    },
    { as: learnerOf("quiz"), prepare: once(makeQuiz) },
  ),
  scene(
    "one checked, one chosen",
    async (stage) => {
      await stage.go(quizAt);
      const questions = stage.page.locator("colloquy-quiz .ask");
      await questions.first().locator("label").first().click();
      await questions.nth(1).locator("label").first().click();
      await questions.first().locator("button.check").click();
      await stage.page.locator("colloquy-quiz .outcome").first().waitFor();
    },
    { as: learnerOf("quizchecked"), prepare: once(makeQuiz) },
  ),
  scene(
    "result",
    async (stage) => {
      await stage.go(quizAt);
      const questions = stage.page.locator("colloquy-quiz .ask");
      await questions.first().waitFor();
      if (!(await stage.page.locator("colloquy-quiz .result").count())) {
        for (const one of await questions.all()) await one.locator("label").first().click();
        await stage.page.locator("colloquy-quiz .foot .primary").first().click();
      }
      await stage.page.locator("colloquy-quiz .result").first().waitFor();
      await stage.page.locator("colloquy-quiz .result").first().scrollIntoViewIfNeeded();
    },
    { as: learnerOf("quizresult"), prepare: once(makeQuiz) },
  ),
];
