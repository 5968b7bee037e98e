import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { siteHeader } from "../pages/frame.ts";
import { html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { type EmbedPage, elementsOf, exampleAttributes, tagOf } from "./reference-page.ts";

/** A page for trying attributes: what is written is set at once, events are listed as they come. */
export function tryPage(built: BuiltUi, { words, account, manifest, courseId }: EmbedPage): string {
  const elements = elementsOf(manifest);
  return htmlPage(built, {
    words,
    title: "Try the elements · Colloquy",
    bodyClass: "embed-page",
    sheets: ["course", "embed-pages"],
    scripts: ["course", "embed-try"],
    head: html`<script type="module" src="/embed.js"></script>`,
    body: html`${siteHeader(words, account, "/embed/try")}
<main id="content" tabindex="-1" lang="en" dir="ltr"><header class="front-head"><h1>Try the elements</h1><p class="lede">What you write is set at once. <a href="/embed">The reference</a></p></header>
${elements.map(({ tagName, attributes, cssProperties }) => {
  const given = exampleAttributes(tagName, courseId);
  return html`<section class="element" data-try="${tagName}"><h2><code>&lt;${tagName}&gt;</code></h2><div class="bench">
<form aria-label="Attributes of ${tagName}">${attributes.map(({ name, description }) => html`<label><span><code>${name}</code></span><input name="${name}" value="${given[name] ?? ""}" title="${description}" autocomplete="off"></label>`)}
${cssProperties.slice(0, 1).map(({ name, description }) => html`<label><span><code>${name}</code></span><input name="${name}" value="" title="${description}" autocomplete="off"></label>`)}
<p class="made"><code></code></p><h3>Events</h3><ol class="events" aria-live="polite"></ol></form>
<div>${tagOf(tagName, Object.entries(given))}</div></div></section>`;
})}
</main>`,
  });
}
