import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { formulasInLine, lineWithFormulas } from "./line-formulas.ts";
import { sanitizedFragment } from "./sanitize.ts";
import { upgrade } from "./upgrade.ts";

/** A summary, an objective or the name of a step in a template: plain text, with its formulas set. */
export const lineView = (text: string): unknown =>
  formulasInLine(text).length ? html`<colloquy-line .text=${text}></colloquy-line>` : text;

/** @summary A line of a course that holds formulas. Written once for each text, so that they stand still while what is around them is drawn anew. */
@customElement("colloquy-line")
export class Line extends HTMLElement {
  set text(text: string) {
    this.replaceChildren(sanitizedFragment(lineWithFormulas(text, { leaves: "wait" })));
    void upgrade(this);
  }
}
