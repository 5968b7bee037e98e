import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";

/** @summary Quoted text of a course, with formulas and emphasis once the renderer is loaded. */
@customElement("colloquy-quote")
export class Quote extends LightElement {
  @property({ attribute: false }) text = "";

  /** The text is set directly, not by a template. */
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
