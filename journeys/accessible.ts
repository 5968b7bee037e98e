import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const colourRules = ["color-contrast", "link-in-text-block"];
const everything = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** What a theme can change, because themes differ in colours only. They take a third of axe's time. */
const colours = { runOnly: { type: "rule", values: colourRules } };
const withoutColours = { ...everything, rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])) };
/** No enabled rule reads style sheets, which axe would load again. */
const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };

/** axe's violations on a page once its animations have ended; one line per rule. */
export const axeFindings = (page: Page): Promise<string[]> => violations(page, everything);

/** The same for a page whose colours are checked elsewhere. */
export const axeFindingsBesidesColours = (page: Page): Promise<string[]> => violations(page, withoutColours);

/** axe's violations in both themes. The dark one is checked for what a theme can change. `look` is called in each. */
export async function axeFindingsInBothThemes(page: Page, look?: (theme: string) => Promise<unknown>): Promise<string[]> {
  const findings: string[] = [];
  for (const [colorScheme, checked] of [
    ["dark", colours],
    ["light", everything],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    findings.push(...(await violations(page, checked)).map((finding) => `${colorScheme}: ${finding}`));
    await look?.(colorScheme);
  }
  return findings;
}

async function violations(page: Page, rules: object): Promise<string[]> {
  await page.waitForTimeout(350);
  await page.evaluate(atRest);
  // Evaluated through the browser protocol, because the page's content security policy allows no other script.
  if (!(await page.evaluate("Boolean(window.axe)"))) await page.evaluate(axe);
  return (await page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, ...rules })})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target.join(" ") + " " + failureSummary).join("; ")))`)) as string[];
}

/** Waits until all animations have ended, because intermediate colours have the wrong contrast. */
async function atRest(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot && !roots.includes(shadowRoot)) roots.push(shadowRoot);
  const moving = roots.flatMap((root) => root.getAnimations());
  const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  // One that a page in the background, or a busy machine, does not go on with would be waited for without end.
  const cut = new Promise((resolve) => setTimeout(resolve, 10_000));
  await Promise.race([Promise.all(ending.map(({ finished }) => finished.catch(() => undefined))), cut]);
}

/** By how many pixels a page is wider than its window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth);
