import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { walkCourse } from "@colloquy/schemas/courses/walk.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { LightElement } from "../../controls/light-element.ts";
import { msg } from "../../messages/page.ts";

export interface Choice {
  id: string;
  title: string;
  trail: string;
}

/** More entries are found by typing part of their title. */
const mostShown = 200;

/**
 * @summary A dialog to choose a page or part of the course, with a search field.
 */
@customElement("colloquy-page-picker")
export class PagePicker extends LightElement {
  static override lightStyles = [
    dialogStyles("colloquy-page-picker"),
    css`
      colloquy-page-picker .pages { display: grid; gap: 2px; margin: var(--s3) 0 0; max-block-size: min(24rem, 50dvh); overflow: auto; padding: 3px; list-style: none; }
      colloquy-page-picker .pages button { display: grid; inline-size: 100%; min-block-size: 44px; align-content: center; padding: 6px 12px; border-radius: var(--r-s); text-align: start; }
      colloquy-page-picker .pages button:is(:hover, :focus-visible) { background: var(--accent-wash); box-shadow: none; }
      colloquy-page-picker small { color: var(--ink-soft); font-size: var(--text-xs); }
      @media (forced-colors: active) { colloquy-page-picker .pages button:focus-visible { outline: 2px solid Highlight; } }
    `,
  ];

  @property({ attribute: false }) choices: readonly Choice[] = [];
  @property() label = "";
  /** Label of the search field. */
  @property() find = "";
  /** Text if nothing matches. */
  @property() none = "";
  @state() private wanted = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  /** @returns the page that was chosen; null for none */
  async choose(): Promise<string | null> {
    await this.updateComplete;
    this.dialog.showModal();
    await new Promise((resolve) => this.dialog.addEventListener("close", resolve, { once: true }));
    return this.dialog.returnValue || null;
  }

  protected override render() {
    const words = this.wanted.toLowerCase().trim();
    const fitting = this.choices.filter(({ title, trail }) => `${title} ${trail}`.toLowerCase().includes(words));
    return html`<dialog aria-labelledby="colloquy-picking" @keydown=${this.#pressed}><h2 id="colloquy-picking">${this.label}</h2>
      <input type="search" dir="auto" autofocus placeholder=${this.find} aria-label=${this.find} @input=${(event: Event) => (this.wanted = (event.target as HTMLInputElement).value)} />
      <ul class="pages">${fitting
        .slice(0, mostShown)
        .map(
          ({ id, title, trail }) =>
            html`<li><button type="button" @click=${() => this.dialog.close(id)}><bdi>${title}</bdi>${trail ? html`<small dir="auto">${trail}</small>` : nothing}</button></li>`,
        )}</ul>
      ${fitting.length ? nothing : html`<p role="status">${this.none}</p>`}
      <div class="foot"><button type="button" class="button" @click=${() => this.dialog.close("")}>${msg("common.cancel")}</button></div></dialog>`;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [...this.querySelectorAll<HTMLElement>("input, .pages button")];
    const at = stops.indexOf(document.activeElement as HTMLElement) + (event.key === "ArrowDown" ? 1 : -1);
    stops[Math.min(Math.max(at, 0), stops.length - 1)]?.focus();
    event.preventDefault();
  };
}

/** Opens the dialog. @returns the chosen id; null if cancelled */
export async function pick(asked: { label: string; find: string; none: string; choices: readonly Choice[] }): Promise<string | null> {
  const before = document.activeElement;
  const picker = Object.assign(document.createElement("colloquy-page-picker"), asked);
  document.body.append(picker);
  const chosen = await picker.choose();
  picker.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return chosen;
}

/** Lets the author choose a page of the course. */
export function pickPage(course: AuthoredCourse, { label, without }: { label: string; without: string }): Promise<string | null> {
  const choices: Choice[] = [];
  for (const { kind, id, node, above } of walkCourse({ ...course, root: course.manifest.root }))
    if (kind === "topic" && id !== without) choices.push({ id, title: node.title, trail: above.map(({ title }) => title).join(" › ") });
  return pick({ label, find: msg("editor.findAPage"), none: msg("editor.noPagesFound"), choices });
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-page-picker": PagePicker;
  }
}
