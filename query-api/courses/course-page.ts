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
}

/** The front of a course or of one of its collections: what it is about, what is in it, where to begin. */
export function frontPage({ built, account, revision, objectives, collection }: FrontPage): string {
  const { manifest, contents, listing } = revision;
  const path = collection?.href ?? `/courses/${manifest.courseId}`;
  const entries = collection?.children ?? contents.root;
  const topics = entries.flatMap(topicsBelow);
  const first = topics[0];
  const aims = topics.reduce((sum, { id }) => sum + (objectives.get(id) ?? 0), 0);
  const title = collection?.title ?? manifest.title;
  const summary = collection ? collection.summary : manifest.summary;
  const facts = [
    counted(topics.length, "topic"),
    aims > 0 && counted(aims, "objective"),
    languageName(manifest.language),
    !collection && manifest.license,
    `published ${dayOf(listing.publishedAt)}`,
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
<p class="front-actions" lang="en">${first && html`<a class="button button-primary" href="${first.href}">Start reading</a>`}<a class="button" href="/ai?page=${encodeURIComponent(path)}">Ask about this ${collection ? "part" : "course"}</a></p></header>
<section class="front-contents" aria-labelledby="contents-title"><h2 id="contents-title" class="visually-hidden" lang="en">Contents</h2>${contentsList(entries, objectives)}</section>
</main>`,
  });
}

/** Collections as parts with a heading, topics between them in runs, numbered through. */
function contentsList(entries: Entry[], objectives: Map<string, number>, level = 3, counter = { topics: 0 }): Html[] {
  const parts: Html[] = [];
  let run: Html[] = [];
  const finish = () => {
    if (run.length) parts.push(html`<ol class="rows">${run}</ol>`);
    run = [];
  };
  for (const entry of entries)
    if (entry.kind === "topic") run.push(row(entry, ++counter.topics, objectives.get(entry.id) ?? 0));
    else {
      finish();
      const heading =
        level === 3 ? html`<h3><a href="${entry.href}">${entry.title}</a></h3>` : html`<h4><a href="${entry.href}">${entry.title}</a></h4>`;
      parts.push(
        html`<section class="part">${heading}${entry.summary && html`<p>${entry.summary}</p>`}${contentsList(entry.children, objectives, 4, counter)}</section>`,
      );
    }
  finish();
  return parts;
}

const row = ({ href, title, summary }: Entry, number: number, aims: number): Html =>
  html`<li><a href="${href}"><span class="row-number" aria-hidden="true">${number}</span><span class="row-title">${title}</span>${summary && html`<span class="row-summary">${summary}</span>`}${aims > 0 && html`<span class="row-aims" lang="en">${counted(aims, "objective")}</span>`}</a></li>`;

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
