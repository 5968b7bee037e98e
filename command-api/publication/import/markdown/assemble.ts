import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse, Block, Collection, ContainerRef, Objective, Topic } from "@colloquy/schemas/courses/authored.ts";
import { formatBlock } from "@colloquy/schemas/courses/parse.ts";
import { reservedSlugs } from "@colloquy/schemas/courses/slugs.ts";
import { idFrom } from "../ids.ts";
import type { ImportedCourse, ImportNote } from "../importer.ts";
import { withStableIds } from "../reuse-ids.ts";
import type { DraftBlock, DraftEntry, DraftTopic } from "./draft.ts";
import { createLinkIndex, type LinkRules } from "./link-index.ts";
import { fillMarks } from "./marks.ts";
import type { Page } from "./page.ts";
import type { Pictures } from "./pictures.ts";

interface CourseParts {
  manifest: Omit<AuthoredCourse["manifest"], "root">;
  entries: DraftEntry[];
  pictures: Pictures;
  links: LinkRules;
  report: ImportNote[];
}

/** Puts the pages of a course together: ids, links between pages, slugs without doubles, pictures, and the report in reading order. */
export function assembleCourse(parts: CourseParts, previous: AuthoredCourse | null): ImportedCourse {
  const topics: { topic: DraftTopic; id: string }[] = [];
  const collections: Collection[] = [];
  const root = place(parts.entries, true, 0, topics, collections);
  noteCuts(parts, topics);
  for (const { topic } of topics) giveBlockIds(topic);
  const index = createLinkIndex(topics, parts.links);

  const hrefs = new Map<Page, Map<number, string | null>>();
  for (const { topic } of topics) hrefs.set(topic.page, linksOfTopic(topic, index.resolve));
  const written = topics.map(({ topic, id }) => writeTopic(topic, id, hrefs.get(topic.page), index.linked.get(topic.page)));
  parts.pictures.reportUnused(parts.report);
  const { assets, bytes } = parts.pictures.taken();
  const { titleLength, summaryLength } = bounds.course;
  const { title, summary } = parts.manifest;
  const manifest = { ...parts.manifest, title: title.slice(0, titleLength), summary: summary.slice(0, summaryLength), root };
  const course = withStableIds({ manifest, collections, topics: written, assets }, previous);
  const places = topics.map(({ topic }) => ({ file: topic.page.file, lineOf: (block: number) => topic.blocks[block]?.line }));
  return { course, places, assets: bytes, report: inReadingOrder(parts.report, topics) };
}

/** Reports titles and summaries that are longer than they may be. */
function noteCuts({ manifest, entries, report }: CourseParts, topics: readonly { topic: DraftTopic }[]): void {
  const note = (file: string, of: string, { title, summary = "" }: { title: string; summary?: string | undefined }): void => {
    const { titleLength, summaryLength } = bounds.course;
    if (title.length > titleLength)
      report.push({ file, what: `a title${of} of ${title.length} characters`, done: `cut to ${titleLength}` });
    if (summary.length > summaryLength)
      report.push({ file, what: `a summary${of} of ${summary.length} characters`, done: `cut to ${summaryLength}` });
  };
  note(topics[0]?.topic.page.file ?? "", " of the course", manifest);
  for (const { topic } of topics) note(topic.page.file, "", topic);
  const visit = (entry: DraftEntry): void => {
    if (entry.kind === "topic") return;
    const [first] = topicsUnder(entry);
    note(first?.kind === "topic" ? first.topic.page.file : entry.title, " of a part", entry);
    entry.children.forEach(visit);
  };
  entries.forEach(visit);
}

/** Gives the tree its ids and slugs. Beyond the depth a course may have, what a collection holds joins the one above. */
function place(
  entries: readonly DraftEntry[],
  atRoot: boolean,
  depth: number,
  topics: { topic: DraftTopic; id: string }[],
  collections: Collection[],
): ContainerRef[] {
  const taken = new Set<string>(atRoot ? reservedSlugs : []);
  const free = (slug: string): string => {
    let unique = slug;
    for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
    taken.add(unique);
    return unique;
  };
  const flat = depth >= bounds.course.containerDepth ? entries.flatMap(topicsUnder) : entries;
  return flat.map((entry): ContainerRef => {
    if (entry.kind === "topic") {
      const id = idFrom("topic", entry.topic.page.file);
      entry.topic.slug = free(entry.topic.slug);
      topics.push({ topic: entry.topic, id });
      return { kind: "topic", id };
    }
    const id = collectionId(entry.key, collections);
    const { title, summary } = entry;
    const collection: Collection = { id, slug: free(entry.slug), title: clip(title), ...(summary && { summary }), children: [] };
    collections.push(collection);
    collection.children = place(entry.children, false, depth + 1, topics, collections);
    return { kind: "collection", id };
  });
}

/** An id that follows from the key. Parts with the same title get different ones. */
function collectionId(key: string, collections: readonly Collection[]): string {
  const taken = new Set(collections.map(({ id }) => id));
  let id = idFrom("collection", key);
  for (let number = 2; taken.has(id); number += 1) id = idFrom("collection", key, String(number));
  return id;
}

const topicsUnder = (entry: DraftEntry): DraftEntry[] => (entry.kind === "topic" ? [entry] : entry.children.flatMap(topicsUnder));

/** A block's id follows from its file and its own text, so that it stays when its neighbours change. */
function giveBlockIds(topic: DraftTopic): void {
  const { page } = topic;
  const counts = new Map<string, number>();
  for (const block of topic.blocks) {
    const source = fillMarks(formatBlock(block), { link: (link) => page.links[link]?.href ?? "", heading: () => null });
    const key = `${block.type}\n${source}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    block.id = idFrom("block", page.file, block.type, source, ...(count > 1 ? [String(count)] : []));
  }
}

/** Where the links that stand in a topic's texts lead, by their numbers. */
function linksOfTopic(topic: DraftTopic, resolve: (page: Page, href: string, line: number) => string | null): Map<number, string | null> {
  const { page } = topic;
  const found = new Map<number, string | null>();
  const look = (link: number): string => {
    const record = page.links[link];
    if (record && !found.has(link)) found.set(link, resolve(page, record.href, record.line));
    return "";
  };
  for (const block of topic.blocks) fillMarks(formatBlock(block), { link: look, heading: () => null });
  return found;
}

function writeTopic(topic: DraftTopic, id: string, hrefs: Map<number, string | null> | undefined, linked: Set<number> | undefined): Topic {
  const { page } = topic;
  const fill = {
    link: (link: number) => {
      const href = hrefs?.get(link);
      return href ? destination(href) : null;
    },
    heading: (heading: number) => {
      const record = page.headings[heading];
      return record && (record.given || linked?.has(heading)) ? record.id : null;
    },
  };
  return {
    id,
    slug: topic.slug,
    title: clip(topic.title),
    ...(topic.summary && { summary: topic.summary.slice(0, bounds.course.summaryLength) }),
    objectives: writeObjectives(topic),
    blocks: topic.blocks.map(
      (block: DraftBlock): Block => ({ id: block.id, type: block.type, source: fillMarks(formatBlock(block), fill) }),
    ),
  };
}

function writeObjectives(topic: DraftTopic): Objective[] {
  const texts = [...new Set(topic.objectives)].filter(Boolean);
  const { objectives: most, objectiveLength: longest } = bounds.course;
  if (texts.length > most)
    topic.page.note(undefined, `${texts.length} objectives, more than a topic may have`, `the first ${most} are kept`);
  return texts.slice(0, most).map((text) => {
    if (text.length > longest) topic.page.note(undefined, `an objective of ${text.length} characters`, `cut to ${longest}`);
    return { id: idFrom("objective", topic.page.file, text), text: text.slice(0, longest).trim() };
  });
}

/** An address as it may stand between the parentheses of a link. */
function destination(href: string): string {
  const plain = !/[\s<>]/.test(href) && href.split("(").length === href.split(")").length;
  return plain ? href : `<${href.replaceAll(/[<>\s]/g, (letter) => encodeURIComponent(letter))}>`;
}

const clip = (title: string): string => title.slice(0, bounds.course.titleLength).trim();

/** By page in the course's order, then by line; equal notes once. */
function inReadingOrder(report: readonly ImportNote[], topics: readonly { topic: DraftTopic }[]): ImportNote[] {
  const order = new Map(topics.map(({ topic }, index) => [topic.page.file, index]));
  const seen = new Set<string>();
  return report
    .filter((note) => {
      const key = JSON.stringify([note.file, note.line, note.what, note.done]);
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => (order.get(a.file) ?? -1) - (order.get(b.file) ?? -1) || (a.line ?? 0) - (b.line ?? 0));
}
