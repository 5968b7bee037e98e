import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../../controls/light-element.ts";
import { engines, loadMath } from "../../rendering/engines.ts";
import { sanitizedFragment } from "../../rendering/sanitize.ts";

/** @summary A piece of TeX, typeset; its source until the engine is there, and where it cannot be had. */
@customElement("colloquy-film-formula")
export class FilmFormula extends LightElement {
  @property({ attribute: false }) tex = "";

  /** It is written by hand, not by a template. */
  protected override render(): unknown {
    return undefined;
  }
  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    if (changed.has("tex")) this.#write();
  }

  #write(): void {
    const { tex } = this;
    if (engines.math) {
      this.replaceChildren(sanitizedFragment(engines.math(tex, true)));
      return;
    }
    this.textContent = tex;
    void loadMath().then(
      () => this.tex === tex && this.#write(),
      () => undefined,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-film-formula": FilmFormula;
  }
}
