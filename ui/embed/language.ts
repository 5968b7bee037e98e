import type { Translator } from "@colloquy/messages/translator.ts";
import { type Language, languages } from "@colloquy/schemas/languages.ts";
import { ReactiveElement } from "lit";
import { loadTranslator, setPageLanguage } from "../messages/load.ts";
import { withTranslator } from "../messages/page.ts";
import { rerender } from "../messages/rerender.ts";
import type { EmbeddedElement } from "./element.ts";

/** What is said in a shadow root of an embedded element, and in the roots inside it. */
const translators = new WeakMap<Node, Translator>();

function translatorAround(element: Element): Translator | undefined {
  const root = element.getRootNode();
  return translators.get(root) ?? (root instanceof ShadowRoot ? translatorAround(root.host) : undefined);
}

// Elements of one page may speak different languages, so what stands in one is drawn with its words. This Lit is the bundle's own copy.
const drawing = ReactiveElement.prototype as unknown as { performUpdate(): void };
const { performUpdate } = drawing;
drawing.performUpdate = function (this: ReactiveElement) {
  const words = translatorAround(this);
  if (words) withTranslator(words, () => performUpdate.call(this));
  else performUpdate.call(this);
};

/**
 * The language of an embedded element: its own `lang`, else the nearest around it, else the browser's. It changes with any of these, in
 * place and at once. Where its words cannot be loaded, things stay as they are said.
 */
export class ElementLanguage {
  readonly #part: HTMLElement;
  readonly #host: () => EmbeddedElement;
  readonly #watch = new MutationObserver(() => void this.update());
  #language: Language | null = null;
  /** Resolves once the first words are here, or cannot be had. */
  ready: Promise<void> = Promise.resolve();

  constructor(part: HTMLElement, host: () => EmbeddedElement) {
    this.#part = part;
    this.#host = host;
  }

  /** Follows every `lang` around the element, in the roots it stands in too. */
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

  /** Says something at once with the element's words, whatever the others on the page speak. */
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
    // Another try is made with the next change.
    if (!words) this.#language = null;
    else {
      translators.set(shadowRoot, words);
      this.#part.lang = language;
      // A page's own direction would come through, so this is said for both.
      this.#part.dir = languages[language].direction;
      rerender(this.#part);
      // What is said later, after something was waited for, is said with the words that were chosen last on the page.
      await setPageLanguage(language, "all");
    }
  };
}
