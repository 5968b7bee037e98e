import { css, html } from "lit";
import { customElement, state } from "lit/decorators.js";
import { LightElement } from "./light-element.ts";

/** NVDA drops what is announced while the focus moves. */
const delayMs = 250;

/**
 * @summary The one live region of a workspace. It stands outside the transcript, which is never read out letter by letter.
 */
@customElement("colloquy-announcer")
export class Announcer extends LightElement {
  static override lightStyles = [
    css`colloquy-announcer { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }`,
  ];

  /** Two regions take turns, so that the same words twice are two announcements. */
  @state() private regions: [string, string] = ["", ""];
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lasting = "";

  /** Says something politely. Of several calls at once the last counts; what is said `lasting` is said before it. */
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
