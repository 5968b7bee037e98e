import type { AuthoredCourse, Collection, Topic } from "@colloquy/schemas/courses/authored.ts";
import { childrenOf } from "@colloquy/schemas/courses/editing/edit.ts";
import { isSeen } from "@colloquy/schemas/courses/field-rules.ts";
import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import { html, nothing, type TemplateResult } from "lit";
import { msg } from "../messages/page.ts";
import type { EditingState } from "./session.ts";

/** The id of a topic or collection; null for the course itself. */
export type PageId = string | null;

/** The page id of a published page's element. */
export const pageIdOf = ({ dataset }: HTMLElement): PageId => dataset.topic || dataset.collection || null;

/** The id that a page has in a draft which may have renamed it. */
export const pageIdInDraft = (pageId: PageId, { renamedIds }: Pick<EditingState, "renamedIds">): PageId =>
  renamedIds.find(({ from }) => from === pageId)?.to ?? pageId;

/** Topics and collections, each of which has a page. */
export const pagesOf = ({ topics, collections }: AuthoredCourse): readonly (Topic | Collection)[] => [...topics, ...collections];

/** Whether a page exists in a course; the course's front page always does. */
export const hasPage = (course: AuthoredCourse, pageId: PageId): boolean =>
  pageId === null || pagesOf(course).some(({ id }) => id === pageId);

/** The address of each page of a published course, by id. */
export function addressesOf(course: AuthoredCourse): Map<string, string> {
  const { courseId } = course.manifest;
  return new Map([...coursePlaces(course)].map(([id, { path }]) => [id, `/courses/${courseId}/${path}`]));
}

/** The title, or a placeholder while it is empty or has only invisible characters. */
export const visibleTitle = (title: string): string => (isSeen(title) ? title : msg("editor.withoutATitle"));

/** Changes when the contents of a course have to be rendered again. */
export const contentsKey = ({ manifest, collections, topics }: AuthoredCourse): string =>
  JSON.stringify([
    manifest.title,
    manifest.root,
    collections.map(({ id, title, slug, children }) => [id, title, slug, children]),
    topics.map(({ id, title, slug }) => [id, title, slug]),
  ]);

/** The collections that contain a page, outermost first. */
export function ancestorsOf(course: AuthoredCourse, pageId: PageId): Collection[] {
  const above: Collection[] = [];
  for (let id = pageId; id !== null; ) {
    const home = course.collections.find(({ children }) => children.some((child) => child.id === id));
    if (!home || above.includes(home)) break;
    above.unshift(home);
    ({ id } = home);
  }
  return above;
}

/** The table of contents of a draft; its links open pages of the draft. */
export function draftContents(course: AuthoredCourse, current: PageId, addresses: ReadonlyMap<string, string>): TemplateResult {
  const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, visibleTitle(title)]));
  const link = (id: string) =>
    html`<a href=${addresses.get(id) ?? `#${id}`} data-page-id=${id} aria-current=${id === current ? "page" : nothing}>${titles.get(id)}</a>`;
  const listed = (container: PageId): TemplateResult =>
    html`<ol>${childrenOf(course, container).map(({ kind, id }) =>
      kind === "topic" ? html`<li>${link(id)}</li>` : html`<li class="part">${link(id)}${listed(id)}</li>`,
    )}</ol>`;
  return html`<div class="draft-contents">${listed(null)}</div>`;
}
