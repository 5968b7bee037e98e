import { expect } from "chai";
import type { Locator } from "playwright-core";
import { eventually } from "./browser.ts";

/** Chooses by the label of a radio button or checkbox. What arrives above moves it, so that a click can miss. */
export const choose = (label: Locator): Promise<void> =>
  eventually(async () => {
    if (!(await label.locator("input").isChecked())) await label.click();
    expect(await label.locator("input").isChecked()).to.equal(true);
  });

/** Gives some answer to a question of any kind, once its fields are there: a wrong one to most that are written. */
export async function answerQuestion(question: Locator): Promise<void> {
  await question.locator("input, textarea, select, .mover").first().waitFor({ state: "attached" });
  // A gap within code or a formula gets its field once that is drawn.
  await question.locator("[data-pending]").first().waitFor({ state: "detached" });
  const choice = question.locator("label:has(input:is([type=radio], [type=checkbox]))").first();
  if ((await choice.count()) > 0) return choose(choice);
  for (const field of await question.locator("input:is([type=text], [data-gap]), textarea").all()) await field.fill("987");
  for (const select of await question.locator("select").all()) await select.selectOption({ index: 1 });
  const mover = question.locator(".mover.down").first();
  if ((await mover.count()) === 0) return;
  const items = () => question.locator("[data-item]").allInnerTexts();
  const before = await items();
  await eventually(async () => {
    if (before.join() === (await items()).join()) await mover.click();
    expect(await items()).not.to.deep.equal(before);
  });
}
