import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { langAttributes, siteFooter, siteHeader } from "../pages/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { dayOf } from "./course-page.ts";
import { hasFormula, renderLine } from "./line.ts";

/** `/` has a greeting above the courses; `/courses` has only the courses. */
export function cataloguePage(page: {
  built: BuiltUi;
  translator: Translator;
  account: Account | null;
  courses: CourseListing[];
  landing: boolean;
}): string {
  const { built, translator, account, courses, landing } = page;
  const { msg } = translator;
  const description = msg("page.readCourseAskAnything");
  const cards = html`<ul>${courses.map((course) => card(translator, course))}</ul>`;
  return htmlPage(built, {
    translator,
    title: landing ? msg("page.colloquyCoursesCanTalk") : msg("page.coursesColloquy"),
    description,
    bodyClass: landing ? "catalogue landing" : "catalogue",
    sheets: ["course", ...(hasFormula(cards) ? ["katex"] : [])],
    scripts: ["course"],
    canonical: landing ? "/" : "/courses",
    body: html`${siteHeader(translator, account, landing ? "/" : "/courses")}
<main id="content" tabindex="-1">
${landing ? greeting(translator, account) : html`<header class="front-head"><h1>${msg("common.courses")}</h1><p class="lede">${msg("page.publishedEveryoneReadingNeedsNoAccount")}</p></header>`}
<section class="shelf" aria-labelledby="shelf-title"><h2 id="shelf-title"${!landing && html` class="visually-hidden"`}>${msg("common.courses")}</h2>
${courses.length ? cards : html`<p class="nothing">${translator.rich("page.noCoursePublishedYetImportOne", { command: html`<code dir="ltr">npm run course:import -- &lt;folder&gt; --id &lt;id&gt;</code>` })}</p>`}
</section>
</main>
${siteFooter(translator, account, landing ? "/" : "/courses")}`,
  });
}

function greeting({ msg, rich }: Translator, account: Account | null): Html {
  return html`<header class="hero"><div class="hero-words"><h1>${rich("page.coursesYouCanWith", { talk: html`<em>${msg("page.talk")}</em>` })}</h1>
<p class="lede">${rich("page.readCourseAskAnythingEvery", { passage: html`<span class="cited">${msg("page.exactPassage")}</span><span class="cite" aria-hidden="true">1</span>` })}</p>
<p class="front-actions">${
    account
      ? html`<a class="button button-primary" href="/ai">${msg("page.openYourConversations")}</a><a class="button" href="/courses">${msg("page.allCourses")}</a>`
      : html`<a class="button button-primary" href="/sign-in?return=%2Fai">${msg("page.signInToAsk")}</a><a class="button" href="/courses">${msg("page.justRead")}</a>`
  }</p></div>${exampleAnswer(msg)}</header>`;
}

/** An example of a cited answer. It is decoration, so it is hidden from assistive technology. */
const exampleAnswer = (
  msg: Translator["msg"],
): Html => html`<div class="glimpse" aria-hidden="true"><p class="glimpse-said">${msg("page.directionsDoesMapLeave")}</p>
<p class="glimpse-answer">${msg("page.directionsEigenvectorsSuchArrow")}<span class="cite">1</span>.</p>
<p class="glimpse-page" lang="en" dir="ltr"><small>Linear Maps, Seen › Directions that stay</small>A non-zero vector is an eigenvector when the map only stretches it. <span class="cited">The arrow may become longer, shorter, or turn around, but it stays on its own line.</span> Every multiple of it is an eigenvector too.</p></div>`;

const card = (
  { msg, languageName, language: around, date }: Translator,
  { courseId, title, summary, language, topics, publishedAt }: CourseListing,
): Html =>
  html`<li class="card"><a href="/courses/${courseId}"><span class="card-letter" aria-hidden="true">${letterOf(title)}</span><span class="card-title"${langAttributes(language, around)}>${title}</span><span class="card-summary"${langAttributes(language, around)}>${renderLine(summary)}</span><span class="card-facts">${msg("page.topics", { n: topics })} · ${languageName(language)} · ${dayOf({ date }, publishedAt)}</span></a></li>`;

/** The initial of a title without its article: "The Unix Shell" has U. */
const letterOf = (title: string): string => ([...title.replace(/^(?:the|a|an)\s+/i, "").trim()][0] ?? "·").toUpperCase();
