import type { Translator } from "@colloquy/messages/translator.ts";
import type { TopicProgress } from "@colloquy/projections/learner/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { shownWords } from "@colloquy/schemas/text/visible-text.ts";
import type { Heading } from "@colloquy/ui/rendering/headings.ts";
import { icon } from "@colloquy/ui/rendering/icons.ts";
import { accountMenu, langAttributes, languageChoice } from "../pages/frame.ts";
import { type Html, html, trusted } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { ancestorsOf, type Entry } from "./contents.ts";
import { hasFormula, renderLine } from "./line.ts";
import { modesBar } from "./modes-bar.ts";
import type { RenderedTopic } from "./render-topic.ts";
import type { CourseRevision } from "./revisions.ts";

export interface TopicPage {
  built: BuiltUi;
  translator: Translator;
  account: Account | null;
  revision: CourseRevision;
  entry: Entry;
  topic: Topic;
  rendered: RenderedTopic;
  /** Whether the reader has annotated any page: then this page loads annotations. */
  annotated: boolean;
  /** The reader's progress in this topic. */
  progress?: TopicProgress | undefined;
}

/** The reading page of a topic: contents, objectives, blocks, previous and next. Works without a script. */
export function topicPage({ built, translator, account, revision, entry, topic, rendered, annotated, progress }: TopicPage): string {
  const { msg, language } = translator;
  const { manifest, contents } = revision;
  const here = contents.topics.indexOf(entry);
  const owner = account?.roles.includes("owner") ?? false;
  const ask = `/ai?page=${encodeURIComponent(entry.href)}`;
  const about = html`${topic.summary && html`<p class="lede">${renderLine(topic.summary)}</p>`}
${objectives(translator, topic, manifest.language)}`;
  return htmlPage(built, {
    translator,
    title: `${topic.title} · ${manifest.title} · Colloquy`,
    description: shownWords(topic.summary || manifest.summary),
    bodyClass: "reading",
    // An owner may add the first formula of a page.
    sheets: ["topic", ...(rendered.hasMath || hasFormula(about) || owner ? ["katex"] : [])],
    scripts: ["course"],
    canonical: entry.href,
    remoteImages: rendered.remoteOrigins.length > 0,
    head: html`<meta property="og:title" content="${topic.title}"><meta property="og:type" content="article">`,
    body: html`<a class="skip" href="#content">${msg("page.skipToTheText")}</a>
<header class="bar"><button type="button" popovertarget="contents" aria-label="${msg("common.contents")}">${menuIcon}</button><a class="bar-title"${langAttributes(manifest.language, translator.language)} href="/courses/${manifest.courseId}">${manifest.title}</a><a class="bar-ask" href="${ask}">${msg("common.ask")}</a></header>
${sidebar(translator, revision, entry, account)}${owner && modesBar(translator, { draw: true })}
<main id="content" tabindex="-1">
<article${langAttributes(manifest.language, language)} data-course="${manifest.courseId}" data-topic="${topic.id}" data-sequence="${revision.listing.sequence}"${account && html` data-account="${account.accountId}"${progress && html` data-place="${progress.place}"`}${progress?.finished && html` data-finished`}${annotated && html` data-annotated`}`}>
<header class="page-head"><div class="page-way"><nav class="crumb" aria-label="${msg("page.breadcrumb")}" lang="${language}">${crumb(translator, revision, entry)}</nav>
<div class="page-actions"${langAttributes(language, manifest.language)}><a class="button button-primary ask" href="${ask}">${msg("page.askAboutThisPage")}</a><a class="button" href="${ask}&amp;start=tutor">${msg("common.tutor")}</a><a class="button quiz" href="${ask}&amp;start=quiz">${msg("embed.quiz")}</a>${account && !owner && html`<button type="button" class="button draw" data-action="draw" hidden>${msg("page.draw")}</button>`}</div></div>
<h1>${topic.title}</h1>
${revision.isForInstructors(topic.id) && html`<p class="for-instructors"${langAttributes(language, manifest.language)}>${msg("page.forInstructorsOnly")}</p>`}${about}</header>
<div class="prose text">
${trusted(rendered.html)}
</div>
</article>
<footer class="page-foot"><p class="unclear">${translator.rich("page.somethingUnclearAnswerWill", { ask: html`<a href="${ask}">${msg("page.askAboutThisPage")}</a>` })}</p>
${turnPage(translator, contents.topics[here - 1], contents.topics[here + 1], manifest)}
${manifest.license && html`<p class="licence">${translator.rich("page.licence", { course: html`<bdi${langAttributes(manifest.language, language)}>${manifest.title}</bdi>`, licence: html`<bdi>${manifest.license}</bdi>` })}</p>`}</footer>
</main>
${onThisPage(translator, rendered.headings, manifest.language)}`,
  });
}

const menuIcon: Html = trusted(
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path d="M3.5 6h13M3.5 10h13M3.5 14h8"/></svg>',
);

function crumb(translator: Translator, { manifest }: CourseRevision, entry: Entry): Html[] {
  const links = [{ title: manifest.title, href: `/courses/${manifest.courseId}` }, ...ancestorsOf(entry)];
  return links.map(
    ({ title, href }, index) =>
      html`${index > 0 && html` <span aria-hidden="true">›</span> `}<a href="${href}"${langAttributes(manifest.language, translator.language)}>${title}</a>`,
  );
}

function objectives({ msg, language }: Translator, { objectives: list }: Topic, around: string): Html | null {
  if (list.length === 0) return null;
  return html`<section class="objectives" aria-labelledby="objectives-title"><h2 id="objectives-title"${langAttributes(language, around)}>${msg("page.afterPageCan")}</h2><ul>${list.map(({ id, text }) => html`<li id="${id}">${renderLine(text)}</li>`)}</ul></section>`;
}

/** Brand, course, contents and account. A popover on narrow screens, always open beside the text on wide ones. */
function sidebar(translator: Translator, { manifest, contents }: CourseRevision, entry: Entry, account: Account | null): Html {
  const { msg } = translator;
  return html`<nav class="side" id="contents" popover aria-label="${msg("page.contentsOf", { course: manifest.title })}">
<div class="side-top"><a class="brand" href="/">Colloquy</a><button type="button" class="side-close" popovertarget="contents" popovertargetaction="hide" aria-label="${msg("page.closeTheContents")}">✕</button></div>
<a class="side-course" href="/courses/${manifest.courseId}"${langAttributes(manifest.language, translator.language)}>${manifest.title}</a>
<div class="side-tree"${langAttributes(manifest.language, translator.language)}>${tree(contents.root, entry)}</div>
<div class="side-foot">${accountMenu(translator, account, entry.href)}${languageChoice(translator, account, entry.href)}</div>
</nav>`;
}

function tree(entries: Entry[], current: Entry): Html {
  const within = new Set([...ancestorsOf(current), current]);
  const item = (entry: Entry): Html =>
    entry.kind === "topic"
      ? html`<li><a href="${entry.href}"${entry === current && html` aria-current="page"`}>${entry.title}</a></li>`
      : html`<li><details${within.has(entry) && html` open`}><summary>${trusted(icon("chevron"))}<span>${entry.title}</span></summary>${tree(entry.children, current)}</details></li>`;
  return html`<ol>${entries.map(item)}</ol>`;
}

function turnPage({ msg }: Translator, previous: Entry | undefined, next: Entry | undefined, manifest: RevisionManifest): Html {
  const link = (entry: Entry, rel: "prev" | "next", name: string) =>
    html`<a class="turn-${rel}" rel="${rel}" href="${entry.href}"><small>${name}</small><span><bdi lang="${manifest.language}">${entry.title}</bdi></span></a>`;
  return html`<nav class="turn" aria-label="${msg("page.previousAndNext")}">${previous ? link(previous, "prev", msg("page.previous")) : null}${
    next
      ? link(next, "next", msg("page.next"))
      : html`<a class="turn-next" href="/courses/${manifest.courseId}"><small>${msg("page.theEnd")}</small><span>${msg("page.backToTheContents")}</span></a>`
  }</nav>`;
}

function onThisPage({ msg, language: around }: Translator, headings: Heading[], language: string): Html | null {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < 2) return null;
  return html`<aside class="rail"><nav aria-labelledby="rail-title"><h2 id="rail-title">${msg("page.onThisPage")}</h2><ol${langAttributes(language, around)}>${shown.map(
    ({ id, level, text }) => html`<li${level === 3 && html` class="deeper"`}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
  )}</ol></nav></aside>`;
}
