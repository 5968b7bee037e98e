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
 * @summary Untrusted text of a quiz as Markdown with formulas, code and diagrams. A `plain` one has nothing in it that can be operated,
 * because it names a control.
 */
@customElement("colloquy-quiz-text")
export class QuizText extends LightElement {
  @property({ attribute: false }) text = "";
  @property({ attribute: false }) citations: readonly Citation[] = [];
  @property({ type: Boolean }) plain = false;
  #gone: AbortController | null = null;
  /** What its buttons were labelled in. */
  #language = pageLanguage();

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("prose");
    // A choice turns as a whole, so that its words stay beside what chooses it.
    if (!this.hasAttribute("dir") && !this.closest("label")) this.dir = "auto";
    this.#gone = new AbortController();
    handleTextActions(this, this.#gone.signal);
    if (this.hasUpdated) this.#write();
  }
  override disconnectedCallback(): void {
    this.#gone?.abort();
    super.disconnectedCallback();
  }

  /** The text is written by hand, not by a template. */
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

/** The name of a control leaves out formulas that have no name of their own. */
function nameFormulas(text: Element): void {
  for (const math of text.querySelectorAll("math")) math.setAttribute("aria-label", formulaWords(math));
}

/** Takes away what can be operated; links and headings become their words. */
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
