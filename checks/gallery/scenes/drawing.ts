import { settled } from "../../../journeys/browser.ts";
import { learnerOf } from "../accounts.ts";
import type { Scene, Stage } from "../scene.ts";

const path = "/courses/linear-maps/directions-that-stay/eigenvectors";

/** A wave below the corner of the first block of text. */
async function wave({ page }: Stage): Promise<void> {
  const block = page.locator("article .block").first();
  await block.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const { x, y } = (await settled(() => block.boundingBox())) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 20, y + 30);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1) await page.mouse.move(x + 20 + step * 12, y + 30 + Math.sin(step / 2) * 6);
  await page.mouse.up();
  await page.locator("colloquy-drawing .strokes path").first().waitFor({ state: "attached" });
}

/** Drawing on a page. */
export const drawingScenes: readonly Scene[] = [
  {
    page: "drawing",
    state: "tools and a stroke",
    as: learnerOf("drawing"),
    window: true,
    async show(stage) {
      const { page } = stage;
      await stage.go(path);
      await page.locator("[data-mode=draw], [data-action=draw]").locator("visible=true").first().click();
      await page.getByRole("toolbar").first().waitFor();
      await wave(stage);
    },
  },
];
