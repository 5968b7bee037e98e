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

/** Gives a root the sheets of embedded elements. Constructed sheets need no leave of a page's policy for inline styles. */
export function adoptSheets(root: ShadowRoot): void {
  roots.add(new WeakRef(root));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...shared];
}

let isFormulaSheetAdopted = false;

/**
 * Makes formulas look right, once the first is there. A browser reads `@font-face` in a document's own sheets only, so this is the one
 * thing of ours that is added to the page: the faces of KaTeX's fonts, under names of their own.
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
