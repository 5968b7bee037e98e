import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Language, languages } from "@colloquy/schemas/languages.ts";

/** The two fonts of pages that stand without the built UI, by the path the front door serves them at. */
const fonts = new Map([
  ["/look/literata.woff2", "@fontsource-variable/literata/files/literata-latin-wght-normal.woff2"],
  ["/look/instrument-sans.woff2", "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2"],
]);
/** Where they are. */
export const fontPaths: readonly string[] = [...fonts.keys()];
const read = new Map<string, Buffer>();

/** The bytes of a font by its path, or null. */
export function fontFile(path: string): Buffer | null {
  const file = fonts.get(path);
  if (!file) return null;
  const bytes = read.get(path) ?? readFileSync(fileURLToPath(import.meta.resolve(file)));
  read.set(path, bytes);
  return bytes;
}

/**
 * The look of those pages: a few of the product's tokens and the rules a single calm column needs.
 * They say who they are even when nothing else of the product runs, so they carry their style with them.
 */
const noticeStyle = `
@font-face{font-family:"Literata Variable";font-weight:200 900;font-display:swap;src:url(/look/literata.woff2) format("woff2")}
@font-face{font-family:"Instrument Sans Variable";font-weight:400 700;font-display:swap;src:url(/look/instrument-sans.woff2) format("woff2")}
:root{color-scheme:light dark;
--font-read:"Literata Variable",Literata,Georgia,serif;--font-ui:"Instrument Sans Variable","Instrument Sans",system-ui,sans-serif;
--paper:light-dark(oklch(98.8% .004 90),oklch(19.5% .012 265));--raised:light-dark(oklch(100% 0 0),oklch(23.5% .014 265));
--ink:light-dark(oklch(25% .02 265),oklch(92.5% .008 90));--ink-soft:light-dark(oklch(44% .02 265),oklch(76% .012 265));
--line:light-dark(oklch(90.5% .007 90),oklch(31% .014 265));--line-strong:light-dark(oklch(80% .01 90),oklch(42% .016 265));
--accent:light-dark(oklch(46% .095 200),oklch(79% .095 195));--accent-ink:light-dark(oklch(99% .005 200),oklch(18% .02 265));

--mark:light-dark(oklch(94% .085 96),oklch(38% .07 90));--shadow:0 1px 2px oklch(25% .02 265/.06),0 4px 14px oklch(25% .02 265/.06)}
*{box-sizing:border-box;margin:0}
body{min-block-size:100vh;min-block-size:100dvh;display:grid;grid-template-rows:auto 1fr auto;background:var(--paper);color:var(--ink);
font:400 .9375rem/1.5 var(--font-ui);-webkit-font-smoothing:antialiased}
.brand{display:flex;align-items:center;gap:.5rem;inline-size:max-content;padding:1.5rem;font:600 1.0625rem/1.4 var(--font-read);color:inherit;text-decoration:none}
.brand i{inline-size:18px;block-size:18px;border-radius:50% 50% 50% 4px;background:var(--accent)}
main{inline-size:min(30rem,100%);margin-inline:auto;padding:clamp(1.5rem,9vh,6rem) 1.5rem 3rem}
h1{font:600 clamp(1.75rem,1.4rem + 1.6vw,2.25rem)/1.2 var(--font-read);letter-spacing:-.012em;text-wrap:balance}
main>p{margin-block-start:.75rem;font:400 1.0625rem/1.65 var(--font-read);color:var(--ink-soft);text-wrap:pretty}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:2rem}
.actions a{display:inline-flex;align-items:center;min-block-size:44px;padding:.5rem 1.125rem;border-radius:10px;font-weight:600;text-decoration:none;color:var(--ink);border:1px solid var(--line-strong)}
.actions a.first{background:var(--accent);color:var(--accent-ink);border-color:transparent}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
footer{padding:1.5rem;font-size:.8125rem;color:var(--ink-soft);text-align:center}
@media (forced-colors:active){.brand i{background:CanvasText}.actions a.first{border-color:ButtonBorder}}
`;

/** The product's drop, for the browser's tab. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E%3Cpath fill='%23137a80' d='M9 0a9 9 0 1 1 0 18H4a4 4 0 0 1-4-4V9a9 9 0 0 1 9-9'/%3E%3C/svg%3E";

/** The policy of such a page: nothing but its own style, the two fonts and its icon. Never scripts. */
export function noticePagePolicy(formAction: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action ${formAction}`;
}

/** Text made safe to stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface NoticePage {
  language: Language;
  title: string;
  /** Each a paragraph, plain text. */
  text: string[];
  /** The first is the one to take. */
  actions?: { href: string; label: string }[];
  /** Loads the page again after so many seconds. */
  refreshSeconds?: number;
  /** More HTML below the paragraphs, already safe. */
  html?: string;
  /** More rules for that HTML. */
  style?: string;
  /** A quiet line at the foot, plain text. */
  foot?: string;
}

/** A whole page in one calm column. It needs nothing but itself. */
export function renderNotice(page: NoticePage): string {
  const actions = page.actions?.map(
    ({ href, label }, index) => `<a${index === 0 ? ' class="first"' : ""} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  );
  return `<!doctype html>
<html lang="${page.language}"${languages[page.language].direction === "rtl" ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
${page.refreshSeconds ? `<meta http-equiv="refresh" content="${page.refreshSeconds}">` : ""}
<title>${escapeHtml(page.title.includes("Colloquy") ? page.title : `${page.title} · Colloquy`)}</title>
<style>${noticeStyle}${page.style ?? ""}</style>
</head>
<body>
<header><a class="brand" href="/"><i></i>Colloquy</a></header>
<main>
<h1>${escapeHtml(page.title)}</h1>
${page.text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n")}
${page.html ?? ""}
${actions?.length ? `<div class="actions">${actions.join("")}</div>` : ""}
</main>
<footer>${escapeHtml(page.foot ?? "")}</footer>
</body>
</html>
`;
}
