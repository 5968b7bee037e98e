import type { Translator } from "@colloquy/messages/translator.ts";
import { languages } from "@colloquy/schemas/languages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { iconPath, manifestPath, paperColours } from "./app.ts";
import { type Html, html, trusted } from "./html.ts";

export interface Page {
  title: string;
  /** Translates the page's own text; course text has its own language. */
  translator: Translator;
  description?: string;
  bodyClass: string;
  /** Style sheets by name, in order. */
  sheets: string[];
  /** Scripts by entry name. */
  scripts?: string[];
  /** Which messages the scripts need; by default those of reading pages. */
  catalogue?: "all";
  /** Additional elements of the head. */
  head?: Html;
  /** Canonical address without parameters. */
  canonical?: string;
  /** External pictures may be loaded on request; the page's content security policy must allow them, too. */
  remoteImages?: boolean;
  body: Html;
}

/** A complete page, without inline scripts. */
export function htmlPage(built: BuiltUi, page: Page): string {
  const sheet = (name: string) =>
    built.sheets[name] ? html`<link rel="stylesheet" href="/assets/${built.sheets[name]}" data-sheet="${name}">` : null;
  const scripts = (page.scripts ?? []).flatMap((name) => built.scripts[name] ?? []);
  const { language } = page.translator;
  // A page of elements is empty until its script runs, so scripts come first; a reading page needs fonts first.
  const fonts = html`${built.preloadFonts.map((font) => html`<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin>`)}`;
  const scriptFirst = page.catalogue === "all";
  // Messages are preloaded, because elements wait for them.
  const catalogue = scripts.length > 0 ? (built.messages[language]?.[page.catalogue ?? "reading"] ?? []) : [];
  // Lines of the head that say nothing are left out. Blank lines of the body may be those of code.
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<title>${page.title}</title>
${page.description && html`<meta name="description" content="${page.description}">`}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${paperColours.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${paperColours.dark}">
${built.offline && html`<meta name="offline" content="kept">`}
${page.canonical && html`<link rel="canonical" href="${page.canonical}">`}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${iconPath("maskable-192")}">
<link rel="manifest" href="${manifestPath(language)}">
${!scriptFirst && fonts}
${page.sheets.map(sheet)}
${scriptFirst && scripts.map(({ file }) => html`<link rel="modulepreload" href="/assets/${file}">`)}
${scripts.flatMap(({ imports, soon = [] }) => [...imports, ...soon].map((file) => html`<link rel="modulepreload" href="/assets/${file}">`))}
${catalogue.map((file) => html`<link rel="modulepreload" href="/assets/${file}">`)}
${scripts.map(({ file }) => html`<script type="module" src="/assets/${file}"></script>`)}
${page.head}
${scriptFirst && fonts}
`.html.replace(/\n{2,}/g, "\n");
  return html`<!doctype html>
<html lang="${language}"${languages[language].direction === "rtl" && html` dir="rtl"`}${page.remoteImages ? html` data-remote-images="ask"` : null}>
<head>
${trusted(head)}</head>
<body class="${page.bodyClass}">
${page.body}
</body>
</html>
`.html;
}

/** The brand's outline in a square of 32, and its colours. */
export const mark = { path: "M16 2a14 14 0 1 1 0 28H5a3 3 0 0 1-3-3V16A14 14 0 0 1 16 2Z", light: "#00666b", dark: "#68cfd0" } as const;

/** The brand as the site's icon. */
export const iconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:${mark.light}}@media(prefers-color-scheme:dark){path{fill:${mark.dark}}}</style><path d="${mark.path}"/></svg>`;
