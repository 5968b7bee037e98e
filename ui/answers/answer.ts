import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { css, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { loadOnce } from "../controls/load-once.ts";
import { pageLanguage } from "../messages/page.ts";
import type { AnswerWriter } from "./answer-writer.ts";

/** Update interval of a hidden page. */
const hiddenMs = 250;

/** Loads the answer renderer, ahead of the first answer where possible. */
export const loadAnswerWriter = loadOnce(() => import("./answer-parts.ts"));

/** @summary The text of an answer, rendered at most once per frame while it grows, always on the same nodes. */
@customElement("colloquy-answer")
export class Answer extends LightElement {
  static override lightStyles = [
    css`
      colloquy-answer { display: block; font: var(--text-l)/var(--leading-read) var(--font-read); max-inline-size: var(--measure); overflow-wrap: break-word; }
      colloquy-answer > :first-child { margin-block-start: 0; }
      colloquy-answer > :last-child { margin-block-end: 0; }
      /* A number stays on the line of the word it belongs to: an inline block could begin the next one. */
      colloquy-answer .cite { display: inline; }
      colloquy-answer .cite[data-unsupported] { background: none; outline: 1px dashed var(--ink-faint); outline-offset: -1px; color: var(--ink-soft); }
      colloquy-answer .cite[data-unsupported]::after { content: "?"; }
      colloquy-answer.plain { white-space: pre-wrap; }
    `,
  ];

  @property({ attribute: false }) text = "";
  /** Null while the answer grows. */
  @property({ attribute: false }) citations: Citation[] | null = null;
  #writer: AnswerWriter | null = null;
  /** The language of the buttons in the text. */
  #language = pageLanguage();
  #cancel: (() => void) | null = null;
  #loading: Promise<void> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("prose");
    if (!this.hasAttribute("dir")) this.dir = "auto";
    if (this.hasUpdated) this.#draw();
  }

  override disconnectedCallback(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#writer?.end();
    this.#writer = null;
    super.disconnectedCallback();
  }

  /** The writer renders the text, not a template. */
  protected override render(): unknown {
    return undefined;
  }
  protected override update(changed: PropertyValues): void {
    const first = !this.hasUpdated;
    super.update(changed);
    if (first) this.#draw();
    else this.#soon();
  }

  /** Also waits for the first text, whose renderer may have to be loaded. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const complete = await super.getUpdateComplete();
    await this.#loading;
    return complete;
  }

  #soon(): void {
    if (this.#cancel) return;
    const draw = () => {
      this.#cancel = null;
      this.#draw();
    };
    if (document.hidden) {
      const timer = setTimeout(draw, hiddenMs);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(draw);
      this.#cancel = () => cancelAnimationFrame(frame);
    }
  }

  /** Starts over with a new writer, once the renderer is loaded. */
  #begin: () => void = () => undefined;

  #draw(): void {
    // A growing answer is not started over for a new language; its end is.
    if (this.#writer && this.citations && this.#language !== pageLanguage()) {
      this.#writer.end();
      this.#begin();
    }
    if (this.#writer) {
      this.#writer.write({ text: this.text, citations: this.citations });
      this.dispatchEvent(new Event("colloquy-written", { bubbles: true }));
      return;
    }
    this.#loading = loadAnswerWriter().then(
      ({ AnswerWriter }) => {
        if (!this.isConnected || this.#writer) return;
        this.classList.remove("plain");
        this.#begin = () => {
          this.replaceChildren();
          this.#language = pageLanguage();
          this.#writer = new AnswerWriter(this);
        };
        this.#begin();
        this.#draw();
      },
      () => {
        // Without the renderer the plain text is shown.
        this.classList.add("plain");
        this.textContent = this.text;
        addEventListener("online", () => this.isConnected && this.#soon(), { once: true });
      },
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-answer": Answer;
  }
}
