import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import { css, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { pageLanguage } from "../messages/page.ts";
import type { AnswerWriter } from "./answer-writer.ts";

/** A page nobody looks at need not be drawn sixty times a second. */
const hiddenMs = 250;

let loading: Promise<typeof import("./answer-parts.ts")> | null = null;

/** Loads what writes answers. Called ahead by whoever knows that one is coming; a failed load may be tried again. */
export function loadAnswerWriter(): Promise<typeof import("./answer-parts.ts")> {
  loading ??= import("./answer-parts.ts").catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/**
 * @summary The text of an answer, drawn at most once a frame while it grows, on the same nodes from its first word to its last.
 */
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
  /** What the buttons in it were labelled in. */
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

  /** The text is written by the writer, not by a template. */
  protected override render(): unknown {
    return undefined;
  }
  protected override update(changed: PropertyValues): void {
    const first = !this.hasUpdated;
    super.update(changed);
    if (first) this.#draw();
    else this.#soon();
  }

  /** Once its first words stand, too: what writes them may have to be loaded. */
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

  /** Has another writer begin with nothing; what writes is loaded then. */
  #begin: () => void = () => undefined;

  #draw(): void {
    // While it grows nothing is begun anew; its end does it.
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
        // Without the parser the words are still there to be read.
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
