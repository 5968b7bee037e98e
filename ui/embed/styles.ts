import frame from "./embed.css";
import faces from "./katex-faces.css";
import formulas from "./katex-rules.css";

const sheetOf = (text: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};

const shared = [sheetOf(frame)];
const roots = new Set<WeakRef<ShadowRoot>>();

/** Adopts the elements' stylesheets. Constructed sheets work under policies that forbid inline styles. */
export function adoptSheets(root: ShadowRoot): void {
  roots.add(new WeakRef(root));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...shared];
}

let isFormulaSheetAdopted = false;

/**
 * Adopts the formula stylesheet with the first formula. Browsers read `@font-face` only from the document's sheets, so KaTeX's font faces,
 * under names of their own, are the only thing added to the page.
 */
export function adoptFormulaSheet(): void {
  if (isFormulaSheetAdopted) return;
  isFormulaSheetAdopted = true;
  const sheet = sheetOf(formulas);
  shared.push(sheet);
  for (const kept of roots) {
    const root = kept.deref();
    if (root) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    else roots.delete(kept);
  }
  const fonts = new URL("fonts/", import.meta.url.slice(0, import.meta.url.lastIndexOf("/embed/") + 1)).href;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(faces.replaceAll("font:", fonts))];
}
