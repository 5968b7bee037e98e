import { type CSSResult, LitElement } from "lit";

const adopted = new WeakMap<Document | ShadowRoot, Set<CSSStyleSheet>>();

/**
 * An element without a shadow root, so that its text can be selected, searched and cited together with the page, and the page's reading
 * styles apply. Its styles (`static lightStyles`, scoped by the element's name) are adopted once by its root: the document, or an embed's
 * shadow root.
 */
export class LightElement extends LitElement {
  static lightStyles: CSSResult[] = [];

  override connectedCallback(): void {
    const root = this.getRootNode();
    if (root instanceof Document || root instanceof ShadowRoot) adoptStyles(root, (this.constructor as typeof LightElement).lightStyles);
    super.connectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  /** Calls back whenever the browser goes offline or online, until the signal aborts. */
  protected onConnectivityChange(listener: (offline: boolean) => void, signal: AbortSignal): void {
    for (const event of ["online", "offline"]) addEventListener(event, () => listener(!navigator.onLine), { signal });
  }

  /** Adopts further styles, of a part that was loaded later. */
  protected adoptStyles(styles: CSSResult[]): void {
    const root = this.getRootNode();
    if (root instanceof Document || root instanceof ShadowRoot) adoptStyles(root, styles);
  }
}

/** Adopts style sheets, each once per root. */
export function adoptStyles(root: Document | ShadowRoot, styles: readonly CSSResult[]): void {
  const known = adopted.get(root) ?? new Set();
  adopted.set(root, known);
  for (const { styleSheet } of styles) {
    if (!styleSheet || known.has(styleSheet)) continue;
    known.add(styleSheet);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
  }
}
