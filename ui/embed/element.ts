import { languageFor } from "@colloquy/schemas/languages.ts";

/** A language of the elements. */
export type EmbedLanguage = "en" | "de" | "ar";

/** The loaded part's interface for its element. */
export interface Part {
  /** An attribute or property of the element changed. */
  hostChanged(): void;
}

export interface PartModule {
  mount(host: EmbeddedElement, root: ShadowRoot): Part;
}

/** The default service is this script's origin. */
const origin = new URL(import.meta.url).origin;

/** Empty if the script was bundled into the host's page instead of loaded from a service. */
let defaultService = /^https?:/.test(origin) ? origin : "";

/** Sets the default service, for pages that bundle the elements from npm. */
export function setService(service: string): void {
  defaultService = new URL(service).origin;
}

/** The only message of this script; all others come with the parts. */
const failed: Record<EmbedLanguage, [words: string, again: string]> = {
  en: ["This part of Colloquy could not be loaded.", "Try again"],
  de: ["Dieser Teil von Colloquy konnte nicht geladen werden.", "Noch einmal versuchen"],
  ar: ["تعذّر تحميل هذا الجزء من Colloquy.", "أعد المحاولة"],
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  // A host rule such as "* { … }" would change this element's box; important inner rules win.
  ":host{display:block;position:relative;min-inline-size:0;padding:0!important;border:0!important;background:none!important;opacity:1!important;filter:none!important;columns:auto!important;writing-mode:inherit}" +
    ":host([hidden]){display:none}" +
    ".failed{all:initial;display:block;font:15px/1.5 system-ui,sans-serif;color:inherit}button{font:inherit;min-block-size:44px}",
);

/** Loads an element's part when it is about to become visible. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) (target as EmbeddedElement).load();
  },
  { rootMargin: "200px" },
);

/**
 * A Colloquy element on any page; it loads its part when it becomes visible. Its content is in its shadow root, and the page around it is
 * not changed.
 */
export abstract class EmbeddedElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [];
  #part: Part | null = null;
  #loading = false;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    this.#root.append(document.createElement("slot"));
  }

  get #root(): ShadowRoot {
    return this.shadowRoot as ShadowRoot;
  }

  /** The service's origin. */
  get service(): string {
    const named = this.getAttribute("service");
    return (named && URL.parse(named, origin)?.origin) || defaultService;
  }
  set service(service: string) {
    this.setAttribute("service", service);
  }

  /** The first supported language of: its own `lang`, the nearest `lang` around it, the browser's. */
  get language(): EmbedLanguage {
    const wanted: string[] = [];
    for (let at: Node | null = this; at; at = at instanceof ShadowRoot ? at.host : at.parentNode)
      if (at instanceof Element) wanted.push(at.getAttribute("lang") ?? "");
    return languageFor([...wanted, ...navigator.languages]);
  }

  connectedCallback(): void {
    if (!this.#loading) seen.observe(this);
  }
  disconnectedCallback(): void {
    seen.unobserve(this);
  }
  attributeChangedCallback(_name: string, _before: string | null, _value: string | null): void {
    this.changed();
  }

  /** Tells the part that an attribute or property changed. */
  protected changed(): void {
    this.#part?.hostChanged();
  }

  /** Resolves with the loaded part. */
  protected get part_(): Part | null {
    return this.#part;
  }

  protected abstract import(): Promise<PartModule>;

  /** Loads the part now, visible or not. */
  load(): void {
    if (this.#loading) return;
    this.#loading = true;
    seen.unobserve(this);
    this.import().then(
      (module) => {
        this.#part = module.mount(this, this.#root);
        this.emit("colloquy-ready", null);
      },
      () => this.#failed(),
    );
  }

  /** Dispatches a documented event. False if it was cancelled. */
  emit(name: string, detail: unknown, cancelable = false): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }

  #failed(): void {
    this.#loading = false;
    const lang = this.language;
    const [textContent, retry] = failed[lang];
    const words = Object.assign(document.createElement("p"), { className: "failed", textContent: `${textContent} `, lang, dir: "auto" });
    words.setAttribute("role", "alert");
    const again = Object.assign(document.createElement("button"), { type: "button", textContent: retry });
    again.onclick = () => {
      words.remove();
      this.load();
    };
    words.append(again);
    this.#root.append(words);
  }
}
