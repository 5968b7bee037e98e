import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { LightElement } from "../../controls/light-element.ts";
import { msg } from "../../messages/page.ts";
import { renderBrokenBlock } from "../../rendering/blocks.ts";
import { draftOptions, parsedBlock, renderedBlock, renderedLine, renderInto, stopDrawing } from "../draft-rendering.ts";

/**
 * @summary Preview of a page of the merged course as readers will see it: its head, and the text of a topic. Rendered when it is shown.
 */
@customElement("colloquy-result-page")
export class ResultPage extends LightElement {
  @property({ attribute: false }) course: AuthoredCourse | null = null;
  /** Of a topic or collection; null for the course itself. */
  @property({ attribute: false }) pageId: string | null = null;
  @property({ attribute: false }) shown = false;
  @query(".drawn") private drawn!: HTMLElement | null;

  override disconnectedCallback(): void {
    if (this.drawn) stopDrawing(this.drawn);
    super.disconnectedCallback();
  }

  protected override render() {
    const { course, pageId } = this;
    if (!course) return nothing;
    const { language } = course.manifest;
    const topic = course.topics.find(({ id }) => id === pageId);
    const { title, summary } = topic ?? course.collections.find(({ id }) => id === pageId) ?? course.manifest;
    const { objectives = [] } = topic ?? {};
    return html`<div class="as-read" lang=${language} dir=${directionOf(language)} @click=${stay}><h4>${title}</h4>
      ${summary ? html`<p class="lede">${renderedLine(summary)}</p>` : nothing}
      ${objectives.length ? html`<section class="objectives"><h5>${msg("page.afterPageCan")}</h5><ul>${objectives.map(({ text }) => html`<li>${renderedLine(text)}</li>`)}</ul></section>` : nothing}
      ${topic ? html`<div class="drawn prose text"></div>` : nothing}</div>`;
  }

  protected override updated(): void {
    const { course, pageId, shown, drawn } = this;
    const topic = course?.topics.find(({ id }) => id === pageId);
    if (!course || !topic || !shown || !drawn) return;
    const options = draftOptions(course);
    const blocks = topic.blocks.map((block) => {
      // The page behind the sheet contains an element with the block's own id.
      const id = `result-${block.id}`;
      const parsed = parsedBlock(block);
      return parsed.ok ? renderedBlock({ ...parsed.block, id }, course, options) : renderBrokenBlock({ ...block, id });
    });
    renderInto(drawn, blocks.join(""));
  }
}

/** Following a link would leave the sheet. */
function stay(event: Event): void {
  if (event.target instanceof Element && event.target.closest("a[href]")) event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-result-page": ResultPage;
  }
}
