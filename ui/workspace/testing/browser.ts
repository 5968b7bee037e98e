import "axe-core/axe.min.js";
import { expect } from "chai";
import { html, render, type TemplateResult } from "lit";

interface Axe {
  run(
    context: Element,
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
  setup(node: Element): void;
  teardown(): void;
  commons: { text: { accessibleText(element: Element): string } };
}
declare const axe: Axe;

const sheets = ["tokens", "base", "reading"];

/** Loads the theme's sheets, so that contrast and layout are those of the product. */
export async function loadTheme(): Promise<void> {
  await Promise.all(
    sheets.map((name) => {
      const href = `/ui/theme/${name}.css`;
      if (document.querySelector(`link[href="${href}"]`)) return undefined;
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      document.head.append(link);
      return new Promise((resolve, reject) => {
        link.addEventListener("load", resolve, { once: true });
        link.addEventListener("error", reject, { once: true });
      });
    }),
  );
  document.documentElement.lang = "en";
  document.title ||= "Tests";
}

const mounted: HTMLElement[] = [];

/** Renders a template into the page; returns its first element. */
export async function mount<Type extends HTMLElement>(template: TemplateResult): Promise<Type> {
  const holder = document.createElement("div");
  document.body.append(holder);
  mounted.push(holder);
  render(template, holder);
  const element = holder.firstElementChild as Type & { updateComplete?: Promise<unknown> };
  await element.updateComplete;
  return element;
}

/** Removes everything that was mounted. */
export function unmountAll(): void {
  for (const holder of mounted.splice(0)) {
    render(html``, holder);
    holder.remove();
  }
}

/** Waits for a condition; fails with its name after `milliseconds`. */
export async function until<Value>(holds: () => Value, name: string, milliseconds = 40_000): Promise<NonNullable<Value>> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const value = holds();
    if (value) return value;
    if (performance.now() > end) throw new Error(`waited in vain: ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether an element and all below it are drawn, with their formulas and code. */
const isDrawn = (element: Element): boolean =>
  !element.querySelector("[data-pending]") &&
  [element, ...element.querySelectorAll("*")].every((one) => !("isUpdatePending" in one && one.isUpdatePending));

/** Waits until an element is drawn and stays so: what one element draws may have another drawn again. */
export async function settled(element: Element): Promise<void> {
  let times = 0;
  await until(() => {
    times = isDrawn(element) ? times + 1 : 0;
    return times === 3;
  }, "what is drawn");
}

/** An element's accessible name. */
export function accessibleName(element: Element): string {
  axe.setup(document.documentElement);
  try {
    return axe.commons.text.accessibleText(element);
  } finally {
    axe.teardown();
  }
}

/** Fails with axe's violations. */
export async function expectAccessible(element: Element): Promise<void> {
  // Half-faded text fails contrast checks. Pulsing dots never finish.
  for (const animation of rootsIn(document).flatMap((root) => root.getAnimations()))
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  const { violations } = await axe.run(element, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { region: { enabled: false } },
    resultTypes: ["violations"],
    // No enabled rule reads style sheets, which axe would load again.
    preload: { assets: ["media"] },
  });
  expect(
    violations
      .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ""}`).join("\n  ")}`)
      .join("\n"),
  ).to.equal("");
}

/** The root and all shadow roots in it: each lists only its own animations. */
function rootsIn(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const below = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : []));
  return [root, ...below];
}

/** Finds an element inside shadow roots, one selector each: `deep(host, "colloquy-composer", "textarea")`. */
export function deep<Type extends HTMLElement>(from: ParentNode, ...selectors: string[]): Type {
  let at: ParentNode = from;
  for (const selector of selectors) {
    const found: Element | null =
      (at instanceof Element && at.shadowRoot ? at.shadowRoot : at).querySelector(selector) ?? at.querySelector(selector);
    if (!found) throw new Error(`nothing is ${selector}`);
    at = found;
  }
  return at as unknown as Type;
}
