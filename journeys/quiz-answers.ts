import type { Locator } from "playwright-core";

/** Gives some answer to a question of any kind, once its fields are there. */
export async function answerQuestion(question: Locator): Promise<void> {
  await question.locator("input, textarea, select, .mover").first().waitFor({ state: "attached" });
  // A gap within code or a formula gets its field once that is drawn.
  await question.locator("[data-pending]").first().waitFor({ state: "detached" });
  const choice = question.locator("label:has(input:is([type=radio], [type=checkbox]))").first();
  if ((await choice.count()) > 0) return choice.click();
  for (const field of await question.locator("input[type=text], textarea").all()) await field.fill("1");
  for (const select of await question.locator("select").all()) await select.selectOption({ index: 1 });
  const mover = question.locator(".mover.down").first();
  if ((await mover.count()) > 0) await mover.click();
}
