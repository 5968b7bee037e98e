import { learnerOf } from "../accounts.ts";
import { hasLesson } from "../programs.ts";
import type { Scene, Stage } from "../scene.ts";

const at = (path: string) => (stage: Stage) => stage.go(path);
/** Diagrams are drawn when they come into sight; a picture of the whole page brings nothing into sight. */
async function drawn({ page }: Stage): Promise<void> {
  const diagrams = page.locator("colloquy-diagram");
  for (const diagram of await diagrams.all()) {
    await diagram.scrollIntoViewIfNeeded();
    await diagram.locator("svg").first().waitFor();
  }
  await page.evaluate(() => scrollTo(0, 0));
}
const everyBlock = "/courses/every-block/hard-to-set/every-block";
const reader = learnerOf("reader");

/** What is read without an account, and with one. */
export const readingScenes: readonly Scene[] = [
  { page: "catalogue", state: "front page", show: at("/") },
  { page: "catalogue", state: "filled, nobody signed in", show: at("/courses") },
  { page: "catalogue", state: "filled, signed in", as: reader, show: at("/courses") },
  { page: "catalogue", state: "empty", at: "bare", show: at("/courses") },
  { page: "catalogue", state: "empty front page", at: "bare", show: at("/") },
  { page: "course", state: "front", show: at("/courses/linear-maps") },
  { page: "course", state: "front, hard to set", show: at("/courses/every-block") },
  { page: "course", state: "front, signed in", as: reader, show: at("/courses/linear-maps") },
  { page: "course", state: "collection", show: at("/courses/linear-maps/directions-that-stay") },
  { page: "course", state: "collection, hard to set", show: at("/courses/every-block/hard-to-set") },
  {
    page: "topic",
    state: "every block",
    async show(stage) {
      await stage.go(everyBlock);
      await drawn(stage);
    },
  },
  { page: "topic", state: "formulas and pictures", as: reader, show: at("/courses/linear-maps/directions-that-stay/eigenvectors") },
  { page: "topic", state: "prose", show: at("/courses/learning-to-learn/how-memory-works") },
  ...(hasLesson ? [{ page: "topic", state: "a lesson from elsewhere", show: at("/courses/shell-novice/04-pipefilter") }] : []),
  {
    page: "topic",
    state: "exercise with hint and solution open",
    async show(stage) {
      await stage.go(everyBlock);
      for (const summary of await stage.page.locator("article details > summary").all()) await summary.click();
      await stage.page.locator("article details").last().scrollIntoViewIfNeeded();
    },
    window: true,
  },
  {
    page: "topic",
    state: "contents open",
    async show(stage) {
      await stage.go("/courses/linear-maps/directions-that-stay/eigenvectors");
      const button = stage.page.locator("[popovertarget=contents]").first();
      if (await button.isVisible()) await button.click();
    },
    window: true,
  },
  {
    page: "topic",
    state: "account menu",
    as: reader,
    async show(stage) {
      await stage.go("/courses/linear-maps/directions-that-stay/eigenvectors");
      const button = stage.page.locator("[popovertarget=contents]").first();
      if (await button.isVisible()) await button.click();
      await stage.page.locator("details.account > summary").click();
    },
    window: true,
  },
];
