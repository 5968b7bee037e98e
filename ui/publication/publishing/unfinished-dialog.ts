import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { type UnfinishedPart, unfinishedParts } from "@colloquy/schemas/courses/editing/unfinished.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { LightElement } from "../../controls/light-element.ts";
import { msg } from "../../messages/page.ts";
import { pagesOf, visibleTitle } from "../contents.ts";
import { typeName } from "../fields/block-types.ts";
import { blockWarnings } from "../fields/block-warnings.ts";
import type { EditingSession } from "../session.ts";

/** Parts listed by name; the rest is a count. */
const mostListed = 12;

/** @summary Asks before unfinished text is published, naming page and block. Closing it publishes nothing. */
@customElement("colloquy-unfinished")
export class UnfinishedDialog extends LightElement {
  static override lightStyles = [
    dialogStyles("colloquy-unfinished"),
    css`
      colloquy-unfinished p { color: var(--ink-soft); }
      colloquy-unfinished ul { margin-block-start: var(--s3); padding: 0; list-style: none; }
      colloquy-unfinished li button { display: grid; inline-size: 100%; min-block-size: 44px; padding: 7px var(--s3); border: 1px solid var(--line); border-radius: var(--r-m); text-align: start; }
      colloquy-unfinished li + li { margin-block-start: var(--s2); }
      colloquy-unfinished li button:hover { border-color: var(--accent); }
      colloquy-unfinished li small { color: var(--ink-soft); }
    `,
  ];

  @property({ attribute: false }) course: AuthoredCourse | null = null;
  @property({ attribute: false }) parts: readonly UnfinishedPart[] = [];
  @query("dialog") private dialog!: HTMLDialogElement;
  #chosen: UnfinishedPart | null = null;

  /** @returns whether to publish, or the part to go to; false when aborted */
  async ask(signal?: AbortSignal): Promise<boolean | UnfinishedPart> {
    await this.updateComplete;
    if (signal?.aborted) return false;
    const before = document.activeElement;
    this.dialog.showModal();
    signal?.addEventListener("abort", () => this.dialog.close(""), { once: true });
    await new Promise((resolve) => this.dialog.addEventListener("close", resolve, { once: true }));
    if (!this.#chosen && before instanceof HTMLElement) before.focus({ preventScroll: true });
    return this.#chosen ?? this.dialog.returnValue === "publish";
  }

  protected override render() {
    const { parts } = this;
    const rest = parts.length - mostListed;
    return html`<dialog aria-labelledby="colloquy-unfinished-title">
      <h2 id="colloquy-unfinished-title">${msg("editor.publishUnfinished")}</h2>
      <p>${msg("editor.readersWouldSeeUnfinished")}</p>
      <ul>${parts.slice(0, mostListed).map((part) => html`<li><button type="button" @click=${() => this.#go(part)}><span>${this.#nameOf(part)}</span><small>${whyOf(part)}</small></button></li>`)}</ul>
      ${rest > 0 ? html`<p>${msg("editor.andPlacesMore", { n: rest })}</p>` : nothing}
      <div class="foot"><button type="button" class="button" @click=${() => this.dialog.close("publish")}>${msg("editor.publishAnyway")}</button>
        <button type="button" class="button button-primary" autofocus @click=${() => this.dialog.close("")}>${msg("editor.continueEditing")}</button></div></dialog>`;
  }

  #nameOf({ pageId, blockId }: UnfinishedPart): string {
    const { course } = this;
    if (!course) return "";
    const title = visibleTitle((pagesOf(course).find(({ id }) => id === pageId) ?? course.manifest).title);
    const found = blockId === null ? null : findBlock(course, blockId);
    return found ? msg("editor.blockOfPage", { page: title, number: found.index + 1, type: typeName(found.block.type) }) : title;
  }

  #go(part: UnfinishedPart): void {
    this.#chosen = part;
    this.dialog.close("");
  }
}

function whyOf({ why, pageId }: UnfinishedPart): string {
  if (why === "starter") return msg("editor.stillStarterText");
  if (why === "undescribed") return msg("editor.pictureStillUndescribed");
  if (why === "untitled") return msg("editor.stillFirstTitle");
  return pageId === null ? msg("editor.courseEmpty") : msg("editor.pageStillEmpty");
}

/** Asks if a session would publish unfinished text. @returns whether to publish, or a place to go to instead */
export async function confirmUnfinished(
  { state: { baseCourse, course } }: EditingSession,
  signal?: AbortSignal,
): Promise<boolean | ErrorPlace> {
  const firstTitles = new Set([msg("editor.newPage"), msg("editor.newPart")].map((title) => title.toLowerCase()));
  const parts = unfinishedParts(baseCourse, course, { firstTitles, isUndescribed: (block) => blockWarnings(block).length > 0 });
  if (!parts.length) return true;
  const dialog = document.createElement("colloquy-unfinished");
  Object.assign(dialog, { course, parts });
  document.body.append(dialog);
  try {
    const answer = await dialog.ask(signal);
    return typeof answer === "boolean" ? answer : placeOf(answer, course);
  } finally {
    dialog.remove();
  }
}

function placeOf({ why, pageId, blockId }: UnfinishedPart, course: AuthoredCourse): ErrorPlace {
  const field = why === "untitled" ? "title" : null;
  if (blockId !== null) return { kind: "block", id: blockId, topicId: pageId, field: null, line: null };
  if (pageId === null) return { kind: "course", id: null, topicId: null, field, line: null };
  const isTopic = course.topics.some(({ id }) => id === pageId);
  return { kind: isTopic ? "topic" : "collection", id: pageId, topicId: isTopic ? pageId : null, field, line: null };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-unfinished": UnfinishedDialog;
  }
}
