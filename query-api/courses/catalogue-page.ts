import type { Account } from "@colloquy/schemas/account.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import { counted, siteHeader } from "../pages/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { dayOf, languageName } from "./course-page.ts";

/** `/` greets and shows the courses; `/courses` only shows them. */
export function cataloguePage(page: { built: BuiltUi; account: Account | null; courses: CourseListing[]; landing: boolean }): string {
  const { built, account, courses, landing } = page;
  const description = "Read a course, ask it anything, and see for every answer the very passage it stands on.";
  return htmlPage(built, {
    title: landing ? "Colloquy: courses you can talk with" : "Courses · Colloquy",
    description,
    bodyClass: landing ? "catalogue landing" : "catalogue",
    sheets: ["course"],
    scripts: ["course"],
    canonical: landing ? "/" : "/courses",
    body: html`${siteHeader(account, landing ? "/" : "/courses")}
<main id="content" tabindex="-1">
${landing ? greeting(account) : html`<header class="front-head"><h1>Courses</h1><p class="lede">Published for everyone. Reading needs no account; asking does.</p></header>`}
<section class="shelf" aria-labelledby="shelf-title"><h2 id="shelf-title"${!landing && html` class="visually-hidden"`}>Courses</h2>
${courses.length ? html`<ul>${courses.map(card)}</ul>` : html`<p class="nothing">No course is published yet. Bring one in with <code>npm run course:import -- &lt;folder&gt; --id &lt;id&gt;</code>.</p>`}
</section>
</main>`,
  });
}

function greeting(account: Account | null): Html {
  return html`<header class="hero"><div class="hero-words"><h1>Courses you can <em>talk</em> with</h1>
<p class="lede">Read a course. Ask it anything. Every answer shows <span class="cited">the very passage it stands on</span><span class="cite" aria-hidden="true">1</span>, one step away on its page.</p>
<p class="front-actions">${
    account
      ? html`<a class="button button-primary" href="/ai">Open your conversations</a><a class="button" href="/courses">All courses</a>`
      : html`<a class="button button-primary" href="/sign-in?return=%2Fai">Sign in to ask</a><a class="button" href="/courses">Just read</a>`
  }</p></div>${glimpse}</header>`;
}

/** A drawing, in words, of what happens here. Decoration, so hidden from assistive technology. */
const glimpse = html`<div class="glimpse" aria-hidden="true"><p class="glimpse-said">Which directions does a map leave alone?</p>
<p class="glimpse-answer">The directions of its eigenvectors: such an arrow may become longer, shorter or turn around, but it stays on its own line<span class="cite">1</span>.</p>
<p class="glimpse-page"><small>Linear Maps, Seen › Directions that stay</small>A non-zero vector is an eigenvector when the map only stretches it. <span class="cited">The arrow may become longer, shorter, or turn around, but it stays on its own line.</span> Every multiple of it is an eigenvector too.</p></div>`;

const card = ({ courseId, title, summary, language, topics, publishedAt }: CourseListing): Html =>
  html`<li class="card"><a href="/courses/${courseId}"><span class="card-letter" aria-hidden="true">${letterOf(title)}</span><span class="card-title" lang="${language}">${title}</span><span class="card-summary" lang="${language}">${summary}</span><span class="card-facts">${counted(topics, "topic")} · ${languageName(language)} · ${dayOf(publishedAt)}</span></a></li>`;

/** The letter a title is known by: "The Unix Shell" is U. */
const letterOf = (title: string): string => ([...title.replace(/^(?:the|a|an)\s+/i, "").trim()][0] ?? "·").toUpperCase();
