import { languageFor } from "@colloquy/schemas/languages.ts";

/** A language the elements speak. */
export type EmbedLanguage = "en" | "de" | "ar";

/** What the loaded part of an element offers to the element it stands in. */
export interface Part {
  /** An attribute or property of the element changed. */
  hostChanged(): void;
}

export interface PartModule {
  mount(host: EmbeddedElement, root: ShadowRoot): Part;
}

/** Where the elements of a page ask, unless they say otherwise: where this script came from. */
const origin = new URL(import.meta.url).origin;

/** Where the script came from is a service only when it was loaded from one, and not bundled into a page of the host's. */
let defaultService = /^https?:/.test(origin) ? origin : "";

/** Names the service for every element that does not name one itself: for pages that bundle the elements from npm. */
export function setService(service: string): void {
  defaultService = new URL(service).origin;
}

/** The one thing this script itself says; all other words come with the parts. */
const failed: Record<EmbedLanguage, [words: string, again: string]> = {
  en: ["This part of Colloquy could not be loaded.", "Try again"],
  de: ["Dieser Teil von Colloquy konnte nicht geladen werden.", "Noch einmal versuchen"],
  ar: ["تعذّر تحميل هذا الجزء من Colloquy.", "أعد المحاولة"],
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  // What a sheet of the host says of every element ("* { … }") would otherwise reach the box of this one; important rules inside win.
  ":host{display:block;position:relative;min-inline-size:0;padding:0!important;border:0!important;background:none!important;opacity:1!important;filter:none!important;columns:auto!important;writing-mode:inherit}" +
    ":host([hidden]){display:none}" +
    ".failed{all:initial;display:block;font:15px/1.5 system-ui,sans-serif;color:inherit}button{font:inherit;min-block-size:44px}",
);

/** Loads what an element needs when it is about to be seen. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) (target as EmbeddedElement).load();
  },
  { rootMargin: "200px" },
);

/**
 * An element of ours in anybody's page: little more than its name, until it is seen. What it shows stands in its shadow root; the page
 * around it is left as it is.
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

  /** The origin that is asked. */
  get service(): string {
    const named = this.getAttribute("service");
    return (named && URL.parse(named, origin)?.origin) || defaultService;
  }
  set service(service: string) {
    this.setAttribute("service", service);
  }

  /** The first language the interface speaks: of its own `lang`, those around it from the nearest on, and the browser's. */
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

  /** Tells the part that something of the element is different. */
  protected changed(): void {
    this.#part?.hostChanged();
  }

  /** The part once it is there. */
  protected get part_(): Part | null {
    return this.#part;
  }

  protected abstract import(): Promise<PartModule>;

  /** Loads the part now, seen or not. */
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

  /** Sends one of the documented events. Returns whether nobody cancelled it. */
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
