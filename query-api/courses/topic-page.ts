import type { TopicProgress } from "@colloquy/projections/progress/queries.ts";
import type { Account } from "@colloquy/schemas/account.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Heading } from "@colloquy/ui/rendering/headings.ts";
import { icon } from "@colloquy/ui/rendering/icons.ts";
import { accountCorner } from "../pages/frame.ts";
import { type Html, html, trusted } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { ancestorsOf, type Entry } from "./contents.ts";
import type { RenderedTopic } from "./render-topic.ts";
import type { CourseRevision } from "./revisions.ts";

export interface TopicPage {
  built: BuiltUi;
  account: Account | null;
  revision: CourseRevision;
  entry: Entry;
  topic: Topic;
  rendered: RenderedTopic;
  /** How far the reader has come on it before. */
  progress?: TopicProgress | undefined;
}

/** The reading page of a topic: contents beside it, its objectives, its blocks, the way on. Works without a script. */
export function topicPage({ built, account, revision, entry, topic, rendered, progress }: TopicPage): string {
  const { manifest, contents } = revision;
  const here = contents.topics.indexOf(entry);
  const ask = `/ai?page=${encodeURIComponent(entry.href)}`;
  return htmlPage(built, {
    title: `${topic.title} · ${manifest.title} · Colloquy`,
    description: topic.summary || manifest.summary,
    bodyClass: "reading",
    sheets: ["reading", ...(rendered.hasMath ? ["katex"] : []), "course"],
    scripts: ["course"],
    canonical: entry.href,
    remoteImages: rendered.remoteOrigins.length > 0,
    head: html`<meta property="og:title" content="${topic.title}"><meta property="og:type" content="article">`,
    body: html`<a class="skip" href="#content">Skip to the text</a>
<header class="bar"><button type="button" popovertarget="contents" aria-label="Contents">${menuIcon}</button><a class="bar-title" href="/courses/${manifest.courseId}">${manifest.title}</a><a class="bar-ask" href="${ask}">Ask</a></header>
${sidebar(revision, entry, account)}
<main id="content" tabindex="-1">
<article lang="${manifest.language}" data-course="${manifest.courseId}" data-topic="${topic.id}" data-sequence="${revision.listing.sequence}"${account && html` data-account="${account.accountId}"${progress && html` data-place="${progress.place}"`}${progress?.finished && html` data-finished`}`}>
<header class="page-head"><div class="page-way"><nav class="crumb" aria-label="Where this page stands" lang="en">${crumb(revision, entry)}</nav><a class="button button-primary ask" href="${ask}" lang="en">Ask about this page</a></div>
<h1>${topic.title}</h1>
${topic.summary && html`<p class="lede">${topic.summary}</p>`}
${objectives(topic)}</header>
<div class="prose text">
${trusted(rendered.html)}
</div>
</article>
<footer class="page-foot"><p class="unclear">Something unclear? <a href="${ask}">Ask about this page</a>, and the answer will show where it stands in the course.</p>
${turnPage(contents.topics[here - 1], contents.topics[here + 1], manifest.courseId)}
${manifest.license && html`<p class="licence">${manifest.title}. Licence: ${manifest.license}</p>`}</footer>
</main>
${onThisPage(rendered.headings)}`,
  });
}

const menuIcon: Html = trusted(
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path d="M3.5 6h13M3.5 10h13M3.5 14h8"/></svg>',
);

function crumb({ manifest }: CourseRevision, entry: Entry): Html[] {
  const links = [{ title: manifest.title, href: `/courses/${manifest.courseId}` }, ...ancestorsOf(entry)];
  return links.map(
    ({ title, href }, index) => html`${index > 0 && html` <span aria-hidden="true">›</span> `}<a href="${href}">${title}</a>`,
  );
}

function objectives({ objectives: list }: Topic): Html | null {
  if (list.length === 0) return null;
  return html`<section class="objectives" aria-labelledby="objectives-title"><h2 id="objectives-title" lang="en">After this page you can</h2><ul>${list.map(({ id, text }) => html`<li id="${id}">${text}</li>`)}</ul></section>`;
}

/** Brand, course, its contents, and who is signed in. A popover on narrow screens, always open beside the text on wide ones. */
function sidebar({ manifest, contents }: CourseRevision, entry: Entry, account: Account | null): Html {
  return html`<nav class="side" id="contents" popover aria-label="Contents of ${manifest.title}">
<div class="side-top"><a class="brand" href="/">Colloquy</a><button type="button" class="side-close" popovertarget="contents" popovertargetaction="hide" aria-label="Close the contents">✕</button></div>
<a class="side-course" href="/courses/${manifest.courseId}" lang="${manifest.language}">${manifest.title}</a>
<div class="side-tree" lang="${manifest.language}">${tree(contents.root, entry)}</div>
<div class="side-foot">${accountCorner(account, entry.href)}</div>
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

function turnPage(previous: Entry | undefined, next: Entry | undefined, courseId: string): Html {
  const link = (entry: Entry, rel: "prev" | "next", words: string) =>
    html`<a class="turn-${rel}" rel="${rel}" href="${entry.href}"><small>${words}</small><span>${entry.title}</span></a>`;
  return html`<nav class="turn" aria-label="Previous and next">${previous ? link(previous, "prev", "Previous") : null}${
    next
      ? link(next, "next", "Next")
      : html`<a class="turn-next" href="/courses/${courseId}"><small>The end</small><span>Back to the contents</span></a>`
  }</nav>`;
}

function onThisPage(headings: Heading[]): Html | null {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < 2) return null;
  return html`<aside class="rail"><nav aria-labelledby="rail-title"><h2 id="rail-title">On this page</h2><ol>${shown.map(
    ({ id, level, text }) => html`<li${level === 3 && html` class="deeper"`}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
  )}</ol></nav></aside>`;
}
