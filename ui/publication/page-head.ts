import type { AuthoredCourse, Collection } from "@colloquy/schemas/courses/authored.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import { ancestorsOf, type PageId, visibleTitle } from "./contents.ts";
import "./outline/page-fields.ts";
import { renderedLine } from "./draft-rendering.ts";
import type { EditingSession } from "./session.ts";

/** @summary The head of an edited page: its fields, or title and summary while the draft is read-only. */
@customElement("colloquy-page-head")
export class PageHead extends LightElement {
  @property({ attribute: false }) session: EditingSession | null = null;
  @property({ attribute: false }) pageId: PageId = null;
  @property({ attribute: false }) still = false;

  constructor() {
    super();
    onChange(this, () => this.session);
  }

  protected override render() {
    const { session, pageId, still } = this;
    if (!session) return nothing;
    const { course } = session.state;
    const topic = course.topics.find(({ id }) => id === pageId);
    const { title, summary } = topic ?? course.collections.find(({ id }) => id === pageId) ?? course.manifest;
    const way = pageId === null ? nothing : this.#way(course, pageId);
    // Form fields are no heading; screen reader users navigate by headings.
    if (!still)
      return html`${way}<h1 class="visually-hidden">${msg("editor.editing", { page: title })}</h1>
        <colloquy-page-fields head dir=${directionOf(course.manifest.language)} .session=${session} .pageId=${pageId}></colloquy-page-fields>`;
    const { language } = course.manifest;
    return html`${way}<header class="page-head" lang=${language} dir=${directionOf(language)}><h1>${title}</h1>${summary ? html`<p class="lede">${renderedLine(summary)}</p>` : nothing}
      ${topic?.objectives.length ? html`<section class="objectives"><h2>${msg("page.afterPageCan")}</h2><ul>${topic.objectives.map(({ text }) => html`<li>${renderedLine(text)}</li>`)}</ul></section>` : nothing}</header>`;
  }

  /** Breadcrumb of the draft's containers. */
  #way(course: AuthoredCourse, pageId: string) {
    const { courseId, title, language } = course.manifest;
    const part = ({ id, title }: Collection) =>
      html` <span aria-hidden="true">›</span> <a href=${`#${id}`} data-page-id=${id}>${visibleTitle(title)}</a>`;
    return html`<nav class="crumb" aria-label=${msg("page.breadcrumb")} lang=${language} dir=${directionOf(language)}><a href=${`/courses/${courseId}`}>${visibleTitle(title)}</a>${ancestorsOf(course, pageId).map(part)}</nav>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-page-head": PageHead;
  }
}
