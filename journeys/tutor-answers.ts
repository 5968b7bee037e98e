import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import type { Locator, Page } from "playwright-core";
import type { Program } from "./program.ts";
import { answerQuestion, choose } from "./quiz-answers.ts";

/** Answer keys, which only the service knows; a learner who has read the course knows them, too. */
interface Key {
  itemId: string;
  prompt: string;
  right: string[];
  modelAnswer: string;
  key?: MechanicalQuestion;
}

/** The answer keys of all questions, read by the event store's tool. */
async function keys(program: Program): Promise<Key[]> {
  const options = ["tail", "--once", "--lines", "2000", "--prefix", "tutor-", "--json", "--data"];
  const printed = await program.tool("infra/event-store/cli/events.ts", ...options);
  return printed.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { data } = JSON.parse(line) as { data?: { items?: Key[]; item?: Key } };
    return [...(data?.items ?? []), ...(data?.item ? [data.item] : [])];
  });
}

export const tutorCard = (page: Page) => page.locator("colloquy-tutor-card");
/** Waits until the tutor's turn has ended. */
export const waitForTutor = (page: Page) => page.locator("colloquy-tutor-flow[aria-busy=false]").waitFor({ timeout: 60_000 });

/** The place of a choice among those shown. */
async function placeOf(card: Locator, id: string): Promise<number> {
  const shown = await card.locator("label.choice .choice-text").evaluateAll((all) => all.map((text) => text.id.split("-").at(-2) ?? ""));
  return shown.indexOf(id);
}

/** Gives the response that an authored key asks for. */
async function fillRight(card: Locator, question: MechanicalQuestion): Promise<void> {
  const solution = solutionOf(question);
  if ("text" in solution) return card.locator(".field input").fill(solution.text);
  if ("texts" in solution) {
    for (const [index, text] of solution.texts.entries()) await card.locator(`input[data-gap="${index + 1}"]`).fill(text);
    return;
  }
  if ("pairs" in solution) {
    const selects = await card.locator("select").all();
    for (const [index, { right }] of solution.pairs.entries()) await selects[index]?.selectOption(right);
    return;
  }
  if (!("choiceIds" in solution)) return;
  if (question.kind !== "order") {
    for (const id of solution.choiceIds) await choose(card.locator("label.choice").nth(await placeOf(card, id)));
    return;
  }
  for (const [place, id] of solution.choiceIds.entries())
    for (let tries = 0; tries < 10; tries += 1) {
      const shown = await card.locator(".order > li").evaluateAll((all) => all.map((item) => (item as HTMLElement).dataset.item));
      if (shown.indexOf(id) <= place) break;
      await card.locator(`.order > li[data-item="${id}"] .mover.up`).click();
    }
}

/** Answers the open question correctly, or `wrongly`. */
export async function answerTutor(program: Program, page: Page, wrongly = false): Promise<void> {
  const card = tutorCard(page);
  await card.locator("input, textarea, select, .mover").first().waitFor({ state: "attached" });
  if (await card.locator("colloquy-question-fields").count()) {
    const prompt = await card.evaluate((element) => (element as HTMLElement & { card: { itemId: string } }).card.itemId);
    const key = (await keys(program)).find(({ itemId }) => itemId === prompt)?.key;
    const wrong = key && "choices" in key ? key.choices.findIndex(({ correct }) => !correct) : -1;
    const at = key && wrong >= 0 ? await placeOf(card, partId(("choices" in key && key.choices[wrong]?.markdown) || "")) : -1;
    if (wrongly && at >= 0) await choose(card.locator("label.choice").nth(at));
    else if (wrongly || !key) await answerQuestion(card);
    else await fillRight(card, key);
    await card.locator("button.primary").click();
    await waitForTutor(page);
    return;
  }
  const ids = await card.locator("input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const known = await keys(program);
  if (ids.length) {
    const key = known.find(({ right }) => right.length > 0 && right.every((id) => ids.includes(id)));
    const wanted = ids.filter((id) => key?.right.includes(id) !== wrongly).slice(0, wrongly ? 1 : ids.length);
    for (const id of wanted) await choose(card.locator(`label:has(input[value="${id}"])`));
  } else {
    const key = known.findLast(({ right, modelAnswer }) => !right.length && modelAnswer);
    // A copy of the course's sentence would be returned: its words in another order say the same to the demonstration model.
    await card.locator("textarea").fill(key?.modelAnswer.split(" ").toSorted().join(" ") ?? "I do not know.");
  }
  await card.locator("button.primary").click();
  await waitForTutor(page);
}
