import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { ElementDeclaration, Manifest } from "@colloquy/schemas/embed/elements-manifest.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { siteHeader } from "../pages/frame.ts";
import { type Html, html, said, trusted } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";

export interface EmbedPage {
  /** Of the frame; the reference itself is in English, like the code it is made from. */
  words: Translator;
  account: Account | null;
  manifest: Manifest;
  /** A course that is there, for examples; null where there is none yet. */
  courseId: string | null;
  /** The service's public address. */
  service: string;
}

export const elementsOf = (manifest: Manifest): ElementDeclaration[] => manifest.modules.flatMap(({ declarations }) => declarations);

/** The attributes an example begins with, by element. */
export const exampleAttributes = (tagName: string, courseId: string | null): Record<string, string> => {
  if (courseId === null) return {};
  return tagName === "colloquy-course" || tagName === "colloquy-tutor" ? { course: courseId } : { page: `/courses/${courseId}` };
};

/** The reference of the elements for pages of other sites, made from their manifest, with each of them at work. */
export function referencePage(built: BuiltUi, { words, account, manifest, courseId, service }: EmbedPage): string {
  const elements = elementsOf(manifest);
  return htmlPage(built, {
    words,
    title: "Elements for your pages · Colloquy",
    description: "Custom elements that bring questions, quizzes and courses to a page of your own.",
    bodyClass: "embed-page",
    sheets: ["course", "embed-pages"],
    scripts: ["course"],
    head: html`<script type="module" src="/embed.js"></script>`,
    body: html`${siteHeader(words, account, "/embed")}
<main id="content" tabindex="-1" lang="en" dir="ltr"><header class="front-head"><h1>Elements for your pages</h1>
<p class="lede">One line of script, and a page of yours can answer questions from a course, ask them, or show the course itself.</p></header>
<pre tabindex="0"><code>&lt;script type="module" src="${service}/embed.js"&gt;&lt;/script&gt;
&lt;colloquy-ask page="/courses/${courseId ?? "…"}"&gt;&lt;/colloquy-ask&gt;</code></pre>
<p>Your page's origin must be one of the service's <code>EMBED_ORIGINS</code>. Learners sign in through a small window of the service; your page is given a token for ten minutes and is not told who they are. <a href="/embed/try">Try the attributes</a> · <a href="/embed/custom-elements.json">custom-elements.json</a></p>
<nav aria-label="Elements"><ul class="elements">${elements.map(({ tagName, summary }) => html`<li><a href="#${tagName}"><code>&lt;${tagName}&gt;</code></a> ${said(summary)}</li>`)}</ul></nav>
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
  attributes.map(({ name, type, description }) => [code(name), code(type.text), said(description)]),
)}
${table(
  tagName,
  "Properties",
  ["Name", "Type", ""],
  fields.map(({ name, type, description }) => [code(name), code(type.text), said(description)]),
)}
${table(
  tagName,
  "Methods",
  ["Name", ""],
  methods.map((member) => [code(callOf(member)), said(member.description)]),
)}
${table(
  tagName,
  "Events",
  ["Name", "Type", ""],
  events.map(({ name, type, description }) => [code(name), code(type.text), said(description)]),
)}
${table(
  tagName,
  "Slots",
  ["Name", ""],
  slots.map(({ name, description }) => [name ? code(name) : "default", said(description)]),
)}
${table(
  tagName,
  "Parts",
  ["Name", ""],
  cssParts.map(({ name, description }) => [code(name), said(description)]),
)}
${table(
  tagName,
  "Custom properties",
  ["Name", "Default", ""],
  cssProperties.map(({ name, description, default: usual }) => [code(name), usual ? code(usual) : "", said(description)]),
)}
</section>`;
}

function callOf(member: Extract<ElementDeclaration["members"][number], { kind: "method" }>): string {
  return `${member.name}(${member.parameters.map(({ name, type }) => `${name}: ${type.text}`).join(", ")})`;
}

/** An element with attributes: its name and theirs are the manifest's, so only values are escaped. */
export function tagOf(tagName: string, attributes: [string, string][]): Html {
  const given = attributes.map(([name, value]) => html` ${trusted(name)}="${value}"`);
  return html`<${trusted(tagName)}${given}></${trusted(tagName)}>`;
}

const code = (text: string): Html => html`<code>${text}</code>`;

function table(tagName: string, title: string, heads: string[], rows: (Html | string)[][]): Html | null {
  if (!rows.length) return null;
  return html`<h3>${title}</h3><div class="rows" tabindex="0" role="region" aria-label="${tagName}: ${title}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head || html`<span class="visually-hidden">What it is</span>`}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
