import type { Translator } from "@colloquy/messages/translator.ts";
import type { TopicProgress } from "@colloquy/projections/learner/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { shownWords } from "@colloquy/schemas/text/visible-text.ts";
import { langAttributes, siteFooter, siteHeader } from "../pages/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { ancestorsOf, type Entry, topicsBelow } from "./contents.ts";
import { hasFormula, renderLine } from "./line.ts";
import { modesBar } from "./modes-bar.ts";
import type { CourseRevision } from "./revisions.ts";

interface FrontPage {
  built: BuiltUi;
  translator: Translator;
  account: Account | null;
  revision: CourseRevision;
  /** Number of objectives by topic id. */
  objectives: Map<string, number>;
  /** The collection of this page; without one it is the page of the course. */
  collection?: Entry;
  /** The reader's progress by topic. */
  progress?: ReadonlyMap<string, TopicProgress>;
}

/** The first page of a course or collection: summary, contents, and where to start or continue. */
export function frontPage({ built, translator, account, revision, objectives, collection, progress = new Map() }: FrontPage): string {
  const { msg, rich, language } = translator;
  const { manifest, contents, listing } = revision;
  const path = collection?.href ?? `/courses/${manifest.courseId}`;
  const ask = `/ai?page=${encodeURIComponent(path)}`;
  const start = (what: "tutor" | "quiz") => `${ask}&start=${what}`;
  const entries = collection?.children ?? contents.root;
  const topics = entries.flatMap(topicsBelow);
  const first = topics[0];
  const owner = account?.roles.includes("owner") ?? false;
  const aims = topics.reduce((sum, { id }) => sum + (objectives.get(id) ?? 0), 0);
  const title = collection?.title ?? manifest.title;
  const summary = collection ? collection.summary : manifest.summary;
  const read = topics.filter(({ id }) => progress.get(id)?.finished).length;
  const next = nextToRead(topics, progress);
  const facts = [
    msg("page.topics", { n: topics.length }),
    aims > 0 && msg("page.objectives", { n: aims }),
    translator.languageName(manifest.language),
    !collection && manifest.license,
    msg("page.published", { day: dayOf(translator, listing.publishedAt) }),
    read > 0 && msg("page.ofRead", { read, all: topics.length }),
  ].filter((fact): fact is string => typeof fact === "string");
  const body = html`${siteHeader(translator, account, path)}${owner && modesBar(translator, { draw: false })}
<main id="content" tabindex="-1">
<div class="front-page"${langAttributes(manifest.language, language)} data-course="${manifest.courseId}" data-collection="${collection?.id ?? ""}" data-sequence="${listing.sequence}" data-account="${account?.accountId ?? ""}">
<header class="front-head"><nav class="crumb" aria-label="${msg("page.breadcrumb")}" lang="${language}"><a href="/courses" dir="auto">${msg("common.courses")}</a>${
    collection &&
    [{ title: manifest.title, href: `/courses/${manifest.courseId}` }, ...ancestorsOf(collection)].map(
      (above) => html` <span aria-hidden="true">›</span> <a href="${above.href}" lang="${manifest.language}" dir="auto">${above.title}</a>`,
    )
  }</nav>
<h1>${title}</h1>
${summary && html`<p class="lede">${renderLine(summary)}</p>`}
<p class="facts"${langAttributes(language, manifest.language)}>${facts.map((fact) => html`<span>${fact}</span>`)}</p>
<p class="front-actions"${langAttributes(language, manifest.language)}>${first && html`<a class="button button-primary" href="${(next ?? first).href}">${next ? rich("page.goOnWith", { topic: html`<span${langAttributes(manifest.language, language)}>${next.title}</span>` }) : msg("page.startReading")}</a>`}<a class="button" href="${ask}">${collection ? msg("page.askAboutThisPart") : msg("page.askAboutThisCourse")}</a><a class="button" href="${start("tutor")}">${msg("common.tutor")}</a><a class="button" href="${start("quiz")}">${msg("embed.quiz")}</a></p></header>
<section class="front-contents" aria-labelledby="contents-title"><h2 id="contents-title" class="visually-hidden"${langAttributes(language, manifest.language)}>${msg("common.contents")}</h2>${entries.length > 0 ? contentsList(entries, { translator, objectives, progress }) : html`<p class="nothing"${langAttributes(language, manifest.language)}>${msg("page.pageEmpty")}</p>`}</section>
</div>
</main>
${siteFooter(translator, account, path)}`;
  return htmlPage(built, {
    translator,
    title: collection ? `${title} · ${manifest.title} · Colloquy` : `${title} · Colloquy`,
    description: shownWords(summary ?? ""),
    bodyClass: "front",
    // An owner can edit topics from here.
    sheets: [owner ? "topic" : "course", ...(owner || hasFormula(body) ? ["katex"] : [])],
    scripts: ["course"],
    canonical: path,
    body,
  });
}

interface About {
  translator: Translator;
  objectives: ReadonlyMap<string, number>;
  progress: ReadonlyMap<string, TopicProgress>;
}

/** Collections as sections, topics between them as lists, numbered throughout. */
function contentsList(entries: Entry[], about: About, level = 3, counter = { topics: 0 }): Html[] {
  const parts: Html[] = [];
  let run: Html[] = [];
  const finish = () => {
    if (run.length) parts.push(html`<ol class="rows">${run}</ol>`);
    run = [];
  };
  for (const entry of entries)
    if (entry.kind === "topic")
      run.push(row(about.translator, entry, ++counter.topics, about.objectives.get(entry.id) ?? 0, about.progress.get(entry.id)));
    else {
      finish();
      const heading =
        level === 3 ? html`<h3><a href="${entry.href}">${entry.title}</a></h3>` : html`<h4><a href="${entry.href}">${entry.title}</a></h4>`;
      parts.push(
        html`<section class="part">${heading}${entry.summary && html`<p>${renderLine(entry.summary)}</p>`}${contentsList(entry.children, about, 4, counter)}</section>`,
      );
    }
  finish();
  return parts;
}

const row = (
  translator: Translator,
  { href, title, summary }: Entry,
  number: number,
  aims: number,
  progress: TopicProgress | undefined,
): Html =>
  html`<li><a href="${href}"><span class="row-number" aria-hidden="true">${number}</span><span class="row-title">${title}</span>${summary && html`<span class="row-summary">${renderLine(summary)}</span>`}${(aims > 0 || progress) && html`<span class="row-aims" lang="${translator.language}" dir="auto">${[aims > 0 && translator.msg("page.objectives", { n: aims }), progress && readWords(translator, progress)].filter(Boolean).join(" · ")}</span>`}</a></li>`;

const readWords = ({ msg, number }: Translator, { finished, place }: TopicProgress): string =>
  finished ? msg("page.read") : msg("page.read2", { percent: number(Math.max(0.01, place), { style: "percent" }) });

/** The topic read last if it is unfinished, otherwise the next unfinished one; none before the first and after the last topic. */
function nextToRead(topics: Entry[], progress: ReadonlyMap<string, TopicProgress>): Entry | undefined {
  const timeOf = ({ id }: Entry): string => progress.get(id)?.at ?? "";
  const last = topics.reduce<Entry | undefined>((best, topic) => (timeOf(topic) > (best ? timeOf(best) : "") ? topic : best), undefined);
  return last && topics.slice(topics.indexOf(last)).find(({ id }) => !progress.get(id)?.finished);
}

/** "20 November 2026". */
export function dayOf({ date }: Pick<Translator, "date">, time: string): string {
  return date(new Date(time), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
