import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { formulasInLine, lineWithFormulas } from "./line-formulas.ts";
import { sanitizedFragment } from "./sanitize.ts";
import { upgrade } from "./upgrade.ts";

/** A summary, an objective or a step's name in a template: plain text with typeset formulas. */
export const lineView = (text: string): unknown =>
  formulasInLine(text).length ? html`<colloquy-line .text=${text}></colloquy-line>` : text;

/** @summary A line with formulas. It is rendered once per text, so that re-rendering around it does not disturb it. */
@customElement("colloquy-line")
export class Line extends HTMLElement {
  set text(text: string) {
    this.replaceChildren(sanitizedFragment(lineWithFormulas(text, { leaves: "wait" })));
    void upgrade(this);
  }
}
