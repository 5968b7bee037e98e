import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { ElementDeclaration, Manifest } from "@colloquy/schemas/embed/elements-manifest.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { siteHeader } from "../pages/frame.ts";
import { type Html, html, trusted, withCode } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";

interface ElementsPage {
  /** For the page around the reference; the reference itself is in English, like the code it is generated from. */
  translator: Translator;
  account: Account | null;
  manifest: Manifest;
  /** A published course, for examples; null if there is none. */
  courseId: string | null;
  /** The service's public address. */
  service: string;
}

const elementsOf = (manifest: Manifest): ElementDeclaration[] => manifest.modules.flatMap(({ declarations }) => declarations);

/** The attributes of an example of an element. */
const exampleAttributes = (tagName: string, courseId: string | null): Record<string, string> => {
  if (courseId === null) return {};
  return tagName === "colloquy-course" || tagName === "colloquy-tutor" ? { course: courseId } : { page: `/courses/${courseId}` };
};

/** The reference of the embedded elements, generated from their manifest, with an example of each. */
export function referencePage(built: BuiltUi, { translator, account, manifest, courseId, service }: ElementsPage): string {
  const elements = elementsOf(manifest);
  return htmlPage(built, {
    translator,
    title: "Elements for your pages · Colloquy",
    description: "Custom elements that add questions, quizzes and courses to your own page.",
    bodyClass: "embed-page",
    sheets: ["course", "embed-pages"],
    scripts: ["course"],
    head: html`<script type="module" src="/embed.js"></script>`,
    body: html`${siteHeader(translator, account, "/embed")}
<main id="content" tabindex="-1" lang="en" dir="ltr"><header class="front-head"><h1>Elements for your pages</h1>
<p class="lede">With one line of script your page can answer questions from a course, ask quiz questions, or show the course itself.</p></header>
<pre tabindex="0"><code>&lt;script type="module" src="${service}/embed.js"&gt;&lt;/script&gt;
&lt;colloquy-ask page="/courses/${courseId ?? "…"}"&gt;&lt;/colloquy-ask&gt;</code></pre>
<p>Your page's origin must be one of the service's <code>EMBED_ORIGINS</code>. Learners sign in through a small window of the service; your page gets a token for ten minutes and does not learn who they are. <a href="/embed/try">Try the attributes</a> · <a href="/embed/custom-elements.json">custom-elements.json</a></p>
<nav aria-label="Elements"><ul class="elements">${elements.map(({ tagName, summary }) => html`<li><a href="#${tagName}"><code>&lt;${tagName}&gt;</code></a> ${withCode(summary)}</li>`)}</ul></nav>
${elements.map((element) => sectionOf(element, courseId))}
</main>`,
  });
}

function sectionOf(element: ElementDeclaration, courseId: string | null): Html {
  const { tagName, summary, attributes, members, events, slots, cssParts, cssProperties } = element;
  const given = Object.entries(exampleAttributes(tagName, courseId));
  const fields = members.filter((member) => member.kind === "field");
  const methods = members.filter((member) => member.kind === "method");
  return html`<section id="${tagName}" class="element"><h2><code>&lt;${tagName}&gt;</code></h2><p>${summary}</p>
${tagOf(tagName, given)}
<pre tabindex="0"><code>&lt;${tagName}${given.map(([name, value]) => ` ${name}="${value}"`)}&gt;&lt;/${tagName}&gt;</code></pre>
${table(
  tagName,
  "Attributes",
  ["Name", "Type", ""],
  attributes.map(({ name, type, description }) => [code(name), code(type.text), withCode(description)]),
)}
${table(
  tagName,
  "Properties",
  ["Name", "Type", ""],
  fields.map(({ name, type, description }) => [code(name), code(type.text), withCode(description)]),
)}
${table(
  tagName,
  "Methods",
  ["Name", ""],
  methods.map((member) => [code(callOf(member)), withCode(member.description)]),
)}
${table(
  tagName,
  "Events",
  ["Name", "Type", ""],
  events.map(({ name, type, description }) => [code(name), code(type.text), withCode(description)]),
)}
${table(
  tagName,
  "Slots",
  ["Name", ""],
  slots.map(({ name, description }) => [name ? code(name) : "default", withCode(description)]),
)}
${table(
  tagName,
  "Parts",
  ["Name", ""],
  cssParts.map(({ name, description }) => [code(name), withCode(description)]),
)}
${table(
  tagName,
  "Custom properties",
  ["Name", "Default", ""],
  cssProperties.map(({ name, description, default: usual }) => [code(name), usual ? code(usual) : "", withCode(description)]),
)}
</section>`;
}

function callOf(member: Extract<ElementDeclaration["members"][number], { kind: "method" }>): string {
  return `${member.name}(${member.parameters.map(({ name, type }) => `${name}: ${type.text}`).join(", ")})`;
}

/** An element with attributes. Names come from the manifest, so only values are escaped. */
function tagOf(tagName: string, attributes: [string, string][]): Html {
  const given = attributes.map(([name, value]) => html` ${trusted(name)}="${value}"`);
  return html`<${trusted(tagName)}${given}></${trusted(tagName)}>`;
}

const code = (text: string): Html => html`<code>${text}</code>`;

function table(tagName: string, title: string, heads: string[], rows: (Html | string)[][]): Html | null {
  if (!rows.length) return null;
  return html`<h3>${title}</h3><div class="rows" tabindex="0" role="region" aria-label="${tagName}: ${title}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head || html`<span class="visually-hidden">Description</span>`}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** The page to try attributes: input is applied at once, and events are listed. */
export function tryPage(built: BuiltUi, { translator, account, manifest, courseId }: ElementsPage): string {
  const elements = elementsOf(manifest);
  return htmlPage(built, {
    translator,
    title: "Try the elements · Colloquy",
    bodyClass: "embed-page",
    sheets: ["course", "embed-pages"],
    scripts: ["course", "embed-try"],
    head: html`<script type="module" src="/embed.js"></script>`,
    body: html`${siteHeader(translator, account, "/embed/try")}
<main id="content" tabindex="-1" lang="en" dir="ltr"><header class="front-head"><h1>Try the elements</h1><p class="lede">Your input is applied at once. <a href="/embed">The reference</a></p></header>
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
