import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import { css, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import type { AnswerWriter } from "./answer-writer.ts";

/** A page nobody looks at need not be drawn sixty times a second. */
const hiddenMs = 250;

let loading: Promise<typeof import("./answer-writer.ts")> | null = null;

/** Loads what writes answers. Called ahead by whoever knows that one is coming; a failed load may be tried again. */
export function loadAnswerWriter(): Promise<typeof import("./answer-writer.ts")> {
  loading ??= import("./answer-writer.ts").catch((error) => {
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
  #cancel: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("prose");
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

  #draw(): void {
    if (this.#writer) {
      this.#writer.write({ text: this.text, citations: this.citations });
      this.dispatchEvent(new Event("colloquy-written", { bubbles: true }));
      return;
    }
    void loadAnswerWriter().then(
      ({ AnswerWriter }) => {
        if (!this.isConnected || this.#writer) return;
        this.classList.remove("plain");
        this.replaceChildren();
        this.#writer = new AnswerWriter(this);
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
