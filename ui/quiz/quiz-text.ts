import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { pageLanguage } from "../messages/page.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { drawDiagrams } from "../rendering/diagram.ts";
import { renderMarkdown } from "../rendering/markdown.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { upgrade } from "../rendering/upgrade.ts";
import { formulaWords } from "./formula-words.ts";

/**
 * @summary Untrusted quiz text as Markdown with formulas, code and diagrams. A `plain` text contains no controls, because it labels one.
 */
@customElement("colloquy-quiz-text")
export class QuizText extends LightElement {
  @property({ attribute: false }) text = "";
  @property({ attribute: false }) citations: readonly Citation[] = [];
  @property({ type: Boolean }) plain = false;
  #gone: AbortController | null = null;
  /** The language of its buttons' labels. */
  #language = pageLanguage();

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("prose");
    // A choice changes its direction as a whole, so that its text stays beside its control.
    if (!this.hasAttribute("dir") && !this.closest("label")) this.dir = "auto";
    this.#gone = new AbortController();
    handleTextActions(this, this.#gone.signal);
    if (this.hasUpdated) this.#write();
  }
  override disconnectedCallback(): void {
    this.#gone?.abort();
    super.disconnectedCallback();
  }

  /** The content is written directly, not by a template. */
  protected override render(): unknown {
    return undefined;
  }
  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    if (changed.has("text") || changed.has("plain") || this.#language !== pageLanguage()) this.#write();
  }

  #write(): void {
    const { citations, plain } = this;
    this.#language = pageLanguage();
    const fragment = sanitizedFragment(renderMarkdown(this.text, { citations, newTab: true, topHeadingLevel: 5, leaves: "wait" }));
    if (plain) withoutControls(fragment);
    this.replaceChildren(fragment);
    void upgrade(this).then(() => plain && nameFormulas(this));
    if (this.#gone && this.querySelector("[data-diagram]")) drawDiagrams(this, { signal: this.#gone.signal });
  }
}

/** Gives formulas a name, because accessible names would leave them out. */
function nameFormulas(text: Element): void {
  for (const math of text.querySelectorAll("math")) math.setAttribute("aria-label", formulaWords(math));
}

/** Removes controls; links and headings become plain text. */
function withoutControls(fragment: DocumentFragment): void {
  for (const control of fragment.querySelectorAll("button, figcaption, input")) control.remove();
  for (const worded of fragment.querySelectorAll("a, h1, h2, h3, h4, h5, h6")) {
    const words = document.createElement("span");
    words.append(...worded.childNodes);
    worded.replaceWith(words);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quiz-text": QuizText;
  }
}
