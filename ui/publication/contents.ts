import type { AuthoredCourse, Collection, Topic } from "@colloquy/schemas/courses/authored.ts";
import { childrenOf } from "@colloquy/schemas/courses/editing/edit.ts";
import { isSeen } from "@colloquy/schemas/courses/field-rules.ts";
import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import { html, nothing, type TemplateResult } from "lit";
import { msg } from "../messages/page.ts";

/** What is edited as a page: a topic or collection by its id, or the course itself. */
export type PageId = string | null;

/** What a published page is of. */
export const pageIdOf = ({ dataset }: HTMLElement): PageId => dataset.topic || dataset.collection || null;

/** Topics and collections: what has a page of its own beside the course. */
export const pagesOf = ({ topics, collections }: AuthoredCourse): readonly (Topic | Collection)[] => [...topics, ...collections];

/** Whether a course has a page; its own it always has. */
export const hasPage = (course: AuthoredCourse, pageId: PageId): boolean =>
  pageId === null || pagesOf(course).some(({ id }) => id === pageId);

/** Where the pages of a published course are, by id. */
export function addressesOf(course: AuthoredCourse): Map<string, string> {
  const { courseId } = course.manifest;
  return new Map([...coursePlaces(course)].map(([id, { path }]) => [id, `/courses/${courseId}/${path}`]));
}

/** A title as it can be seen and pressed: one that is being written anew may be empty, or nothing but letters nobody sees. */
export const titleInSight = (title: string): string => (isSeen(title) ? title : msg("editor.withoutATitle"));

/** What a course's contents look like depends on: they are drawn anew when this is another. */
export const contentsKey = ({ manifest, collections, topics }: AuthoredCourse): string =>
  JSON.stringify([
    manifest.title,
    manifest.root,
    collections.map(({ id, title, slug, children }) => [id, title, slug, children]),
    topics.map(({ id, title, slug }) => [id, title, slug]),
  ]);

/** The parts a page stands in, outermost first. */
export function partsAbove(course: AuthoredCourse, pageId: PageId): Collection[] {
  const above: Collection[] = [];
  for (let id = pageId; id !== null; ) {
    const home = course.collections.find(({ children }) => children.some((child) => child.id === id));
    if (!home || above.includes(home)) break;
    above.unshift(home);
    ({ id } = home);
  }
  return above;
}

/** The contents of a draft as the page's own contents: each leads to its page, within the editor. */
export function draftContents(course: AuthoredCourse, current: PageId, addresses: ReadonlyMap<string, string>): TemplateResult {
  const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, titleInSight(title)]));
  const link = (id: string) =>
    html`<a href=${addresses.get(id) ?? `#${id}`} data-page-id=${id} aria-current=${id === current ? "page" : nothing}>${titles.get(id)}</a>`;
  const listed = (container: PageId): TemplateResult =>
    html`<ol>${childrenOf(course, container).map(({ kind, id }) =>
      kind === "topic" ? html`<li>${link(id)}</li>` : html`<li class="part">${link(id)}${listed(id)}</li>`,
    )}</ol>`;
  return html`<div class="draft-contents">${listed(null)}</div>`;
}
