import type { Page } from "playwright-core";
import type { Program } from "./program.ts";

/** Answer keys, which only the service knows; a learner who has read the course knows them, too. */
interface Key {
  itemId: string;
  prompt: string;
  right: string[];
  modelAnswer: string;
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

/** Answers the open question correctly, or `wrongly`. */
export async function answerTutor(program: Program, page: Page, wrongly = false): Promise<void> {
  const card = tutorCard(page);
  await card.locator("input, textarea").first().waitFor({ state: "attached" });
  const ids = await card.locator("input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const known = await keys(program);
  if (ids.length) {
    const key = known.find(({ right }) => right.length > 0 && right.every((id) => ids.includes(id)));
    const wanted = ids.filter((id) => key?.right.includes(id) !== wrongly).slice(0, wrongly ? 1 : ids.length);
    for (const id of wanted) await card.locator(`label:has(input[value="${id}"])`).click();
  } else {
    const key = known.findLast(({ right, modelAnswer }) => !right.length && modelAnswer);
    // A copy of the course's sentence would be returned: its words in another order say the same to the demonstration model.
    await card.locator("textarea").fill(key?.modelAnswer.split(" ").toSorted().join(" ") ?? "I do not know.");
  }
  await card.locator("button.primary").click();
  await waitForTutor(page);
}
