import type { TopicProgress } from "@colloquy/projections/progress/queries.ts";
import type { Account } from "@colloquy/schemas/account.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import { counted, siteHeader } from "../pages/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import { ancestorsOf, type Entry, topicsBelow } from "./contents.ts";
import type { CourseRevision } from "./revisions.ts";

interface FrontPage {
  built: BuiltUi;
  account: Account | null;
  revision: CourseRevision;
  /** How many objectives each topic has, by id. */
  objectives: Map<string, number>;
  /** The collection whose front this is; the whole course without one. */
  collection?: Entry;
  /** How far the reader has read, by topic. */
  progress?: ReadonlyMap<string, TopicProgress>;
}

/** The front of a course or of one of its collections: what it is about, what is in it, where to begin. */
export function frontPage({ built, account, revision, objectives, collection, progress = new Map() }: FrontPage): string {
  const { manifest, contents, listing } = revision;
  const path = collection?.href ?? `/courses/${manifest.courseId}`;
  const entries = collection?.children ?? contents.root;
  const topics = entries.flatMap(topicsBelow);
  const first = topics[0];
  const aims = topics.reduce((sum, { id }) => sum + (objectives.get(id) ?? 0), 0);
  const title = collection?.title ?? manifest.title;
  const summary = collection ? collection.summary : manifest.summary;
  const read = topics.filter(({ id }) => progress.get(id)?.finished).length;
  const next = nextToRead(topics, progress);
  const facts = [
    counted(topics.length, "topic"),
    aims > 0 && counted(aims, "objective"),
    languageName(manifest.language),
    !collection && manifest.license,
    `published ${dayOf(listing.publishedAt)}`,
    read > 0 && `${read} of ${topics.length} read`,
  ].filter((fact): fact is string => typeof fact === "string");
  return htmlPage(built, {
    title: collection ? `${title} · ${manifest.title} · Colloquy` : `${title} · Colloquy`,
    description: summary ?? "",
    bodyClass: "front",
    sheets: ["course"],
    scripts: ["course"],
    canonical: path,
    body: html`${siteHeader(account, path)}
<main id="content" tabindex="-1" lang="${manifest.language}">
<header class="front-head"><nav class="crumb" aria-label="Where this page stands" lang="en"><a href="/courses">Courses</a>${
      collection &&
      [{ title: manifest.title, href: `/courses/${manifest.courseId}` }, ...ancestorsOf(collection)].map(
        (above) => html` <span aria-hidden="true">›</span> <a href="${above.href}">${above.title}</a>`,
      )
    }</nav>
<h1>${title}</h1>
${summary && html`<p class="lede">${summary}</p>`}
<p class="facts" lang="en">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
<p class="front-actions" lang="en">${first && html`<a class="button button-primary" href="${(next ?? first).href}">${next ? html`Go on with <span lang="${manifest.language}">${next.title}</span>` : "Start reading"}</a>`}<a class="button" href="/ai?page=${encodeURIComponent(path)}">Ask about this ${collection ? "part" : "course"}</a></p></header>
<section class="front-contents" aria-labelledby="contents-title"><h2 id="contents-title" class="visually-hidden" lang="en">Contents</h2>${contentsList(entries, { objectives, progress })}</section>
</main>`,
  });
}

interface About {
  objectives: ReadonlyMap<string, number>;
  progress: ReadonlyMap<string, TopicProgress>;
}

/** Collections as parts with a heading, topics between them in runs, numbered through. */
function contentsList(entries: Entry[], about: About, level = 3, counter = { topics: 0 }): Html[] {
  const parts: Html[] = [];
  let run: Html[] = [];
  const finish = () => {
    if (run.length) parts.push(html`<ol class="rows">${run}</ol>`);
    run = [];
  };
  for (const entry of entries)
    if (entry.kind === "topic") run.push(row(entry, ++counter.topics, about.objectives.get(entry.id) ?? 0, about.progress.get(entry.id)));
    else {
      finish();
      const heading =
        level === 3 ? html`<h3><a href="${entry.href}">${entry.title}</a></h3>` : html`<h4><a href="${entry.href}">${entry.title}</a></h4>`;
      parts.push(
        html`<section class="part">${heading}${entry.summary && html`<p>${entry.summary}</p>`}${contentsList(entry.children, about, 4, counter)}</section>`,
      );
    }
  finish();
  return parts;
}

const row = ({ href, title, summary }: Entry, number: number, aims: number, progress: TopicProgress | undefined): Html =>
  html`<li><a href="${href}"><span class="row-number" aria-hidden="true">${number}</span><span class="row-title">${title}</span>${summary && html`<span class="row-summary">${summary}</span>`}${(aims > 0 || progress) && html`<span class="row-aims" lang="en">${[aims > 0 && counted(aims, "objective"), progress && readWords(progress)].filter(Boolean).join(" · ")}</span>`}</a></li>`;

const readWords = ({ finished, place }: TopicProgress): string => (finished ? "✓ Read" : `${Math.max(1, Math.round(place * 100))} % read`);

/** The topic read last when it was not read to its end, else the first after it that was not; none for who has not begun, or is through. */
function nextToRead(topics: Entry[], progress: ReadonlyMap<string, TopicProgress>): Entry | undefined {
  const timeOf = ({ id }: Entry): string => progress.get(id)?.at ?? "";
  const last = topics.reduce<Entry | undefined>((best, topic) => (timeOf(topic) > (best ? timeOf(best) : "") ? topic : best), undefined);
  return last && topics.slice(topics.indexOf(last)).find(({ id }) => !progress.get(id)?.finished);
}

/** "English" for "en". Unknown tags stay as they are. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** "20 November 2026". */
export function dayOf(time: string): string {
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(time));
}
