import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";

/**
 * @summary Quoted words of a course. Their formulas and emphasis are set as on the page they come from; until what does that is loaded, they
 * stand as they were written.
 */
@customElement("colloquy-quote")
export class Quote extends LightElement {
  @property({ attribute: false }) text = "";

  /** The words are put in by hand, not by a template. */
  protected override render(): unknown {
    return undefined;
  }
  protected override update(changed: PropertyValues): void {
    super.update(changed);
    const { text } = this;
    this.textContent = text;
    if (!/[$`*_\\[]/.test(text)) return;
    void import("./answer-writer.ts").then(
      ({ writeInline }) => this.text === text && writeInline(this, text),
      () => undefined,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quote": Quote;
  }
}
