import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../../controls/light-element.ts";
import { engines, loadMath } from "../../rendering/engines.ts";
import { sanitizedFragment } from "../../rendering/sanitize.ts";

/** @summary Typeset TeX; shows the source until the engine has loaded, or if it cannot load. */
@customElement("colloquy-film-formula")
export class FilmFormula extends LightElement {
  @property({ attribute: false }) tex = "";

  /** The content is written directly, not by a template. */
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
