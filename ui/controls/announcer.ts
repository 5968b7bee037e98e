import { css, html } from "lit";
import { customElement, state } from "lit/decorators.js";
import { LightElement } from "./light-element.ts";

/** NVDA drops announcements made while the focus moves. */
const delayMs = 250;

/** @summary The page's only live region. It is outside the transcript, which must not be read out word by word. */
@customElement("colloquy-announcer")
export class Announcer extends LightElement {
  static override lightStyles = [
    css`colloquy-announcer { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }`,
  ];

  /** Two regions alternate, so that a repeated text is announced again. */
  @state() private regions: [string, string] = ["", ""];
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lasting = "";

  /** Announces a text politely. Of several calls in a row only the last is read, after the last `lasting` one. */
  announce(text: string, lasting = false): void {
    clearTimeout(this.#timer);
    if (lasting) this.#lasting = text;
    else text = `${this.#lasting} ${text}`.trim();
    this.#timer = setTimeout(() => {
      this.#lasting = "";
      this.#turn = 1 - this.#turn;
      this.regions = this.#turn ? ["", text] : [text, ""];
    }, delayMs);
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  protected override render() {
    return this.regions.map((text) => html`<div role="status" aria-live="polite" aria-atomic="true">${text}</div>`);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-announcer": Announcer;
  }
}
