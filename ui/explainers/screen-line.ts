import type { ScreenLine } from "@colloquy/schemas/explainers/screen-line.ts";
import { html, nothing } from "lit";
import { lineView } from "../rendering/line-view.ts";

/** A line of a scene: formulas are typeset, code is marked as such, other text is literal. */
export function screenLineView({ as, text, label }: ScreenLine) {
  const beside = label ? html` <span class="soft">(<bdi>${label}</bdi>)</span>` : nothing;
  if (as === "code") return html`<code dir="ltr">${text}</code>${beside}`;
  return html`${as === "formula" ? html`<bdi dir="ltr">${lineView(`\\(${text}\\)`)}</bdi>` : html`<bdi>${text}</bdi>`}${beside}`;
}
