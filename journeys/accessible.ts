import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);

/** What axe finds wrong in a page as it stands, once it has come to rest; a line for each rule that is broken. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.waitForTimeout(350);
  await page.evaluate(atRest);
  // By the protocol, not as a script of the page: the page's policy lets none in.
  await page.evaluate(`if (!window.axe) { ${axe} }`);
  return (await page.evaluate(`axe.run(document, { runOnly: ${rules} })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target.join(" ") + " " + failureSummary).join("; ")))`)) as string[];
}

/** Waits until nothing glides any more, on a busy machine later than it should: half-way colours have no contrast of their own. */
async function atRest(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot && !roots.includes(shadowRoot)) roots.push(shadowRoot);
  const moving = roots.flatMap((root) => root.getAnimations());
  const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
}

/** How many pixels a page is wider than its window. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth);
