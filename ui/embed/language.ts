import type { Translator } from "@colloquy/messages/translator.ts";
import { type Language, languages } from "@colloquy/schemas/languages.ts";
import { ReactiveElement } from "lit";
import { loadTranslator, setPageLanguage } from "../messages/load.ts";
import { withTranslator } from "../messages/page.ts";
import { rerender } from "../messages/rerender.ts";
import type { EmbeddedElement } from "./element.ts";

/** The translator of each embedded element's shadow root; inner roots inherit it. */
const translators = new WeakMap<Node, Translator>();

function translatorAround(element: Element): Translator | undefined {
  const root = element.getRootNode();
  return translators.get(root) ?? (root instanceof ShadowRoot ? translatorAround(root.host) : undefined);
}

// Elements on one page may have different languages, so each renders with its own translator. This Lit is the bundle's own copy.
const drawing = ReactiveElement.prototype as unknown as { performUpdate(): void };
const { performUpdate } = drawing;
drawing.performUpdate = function (this: ReactiveElement) {
  const words = translatorAround(this);
  if (words) withTranslator(words, () => performUpdate.call(this));
  else performUpdate.call(this);
};

/**
 * The language of an embedded element: its own `lang`, else the nearest around it, else the browser's. Follows changes of these and
 * renders again in place. If the messages cannot be loaded, the language stays.
 */
export class ElementLanguage {
  readonly #part: HTMLElement;
  readonly #host: () => EmbeddedElement;
  readonly #watch = new MutationObserver(() => void this.update());
  #language: Language | null = null;
  /** Resolves once the first messages are loaded or have failed to load. */
  ready: Promise<void> = Promise.resolve();

  constructor(part: HTMLElement, host: () => EmbeddedElement) {
    this.#part = part;
    this.#host = host;
  }

  /** Observes every `lang` around the element, through enclosing shadow roots. */
  observe(): void {
    for (
      let root: Node | undefined = this.#host().getRootNode();
      root;
      root = root instanceof ShadowRoot ? root.host.getRootNode() : undefined
    )
      this.#watch.observe(root, { subtree: true, attributes: true, attributeFilter: ["lang"] });
    addEventListener("languagechange", this.update);
    this.ready = this.update();
  }
  disconnect(): void {
    this.#watch.disconnect();
    removeEventListener("languagechange", this.update);
  }

  /** Runs `words` with the element's translator. */
  translate(words: () => string): string {
    const own = translatorAround(this.#part);
    return own ? withTranslator(own, words) : words();
  }

  readonly update = async (): Promise<void> => {
    const { language, shadowRoot } = this.#host();
    if (language === this.#language || !shadowRoot) return;
    this.#language = language;
    const words = await loadTranslator(language, "all").catch(() => null);
    if (language !== this.#language) return;
    // The next change retries.
    if (!words) this.#language = null;
    else {
      translators.set(shadowRoot, words);
      this.#part.lang = language;
      // Set both directions, because the page's would be inherited.
      this.#part.dir = languages[language].direction;
      rerender(this.#part);
      // Messages after an await use the page's language, which is the last one chosen.
      await setPageLanguage(language, "all");
    }
  };
}
