import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);

/** axe's violations on a page once its animations have ended; one line per rule. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.waitForTimeout(350);
  await page.evaluate(atRest);
  // Evaluated through the browser protocol, because the page's content security policy allows no other script.
  await page.evaluate(`if (!window.axe) { ${axe} }`);
  return (await page.evaluate(`axe.run(document, { runOnly: ${rules}, resultTypes: ["violations"] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target.join(" ") + " " + failureSummary).join("; ")))`)) as string[];
}

/** Waits until all animations have ended, because intermediate colours have the wrong contrast. */
async function atRest(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot && !roots.includes(shadowRoot)) roots.push(shadowRoot);
  const moving = roots.flatMap((root) => root.getAnimations());
  const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
}

/** By how many pixels a page is wider than its window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth);
