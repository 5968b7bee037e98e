import { type CSSResult, LitElement } from "lit";

const adopted = new WeakMap<Document | ShadowRoot, Set<CSSStyleSheet>>();

/**
 * An element without a shadow root of its own: what is read has to be selected, searched and cited as one text, and the reading styles
 * of the page apply to it as they are. Its styles (`static lightStyles`, every rule under the element's own name) are adopted once by
 * whatever root it stands in: the document, or the shadow root of an embed.
 */
export class LightElement extends LitElement {
  static lightStyles: CSSResult[] = [];

  override connectedCallback(): void {
    const root = this.getRootNode();
    if (root instanceof Document || root instanceof ShadowRoot) adopt(root, (this.constructor as typeof LightElement).lightStyles);
    super.connectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  /** Tells whether the browser is offline each time that changes, until the signal ends. */
  protected onConnectivityChange(told: (offline: boolean) => void, signal: AbortSignal): void {
    for (const event of ["online", "offline"]) addEventListener(event, () => told(!navigator.onLine), { signal });
  }

  /** Adopts more styles, of a part that was loaded later. */
  protected adoptStyles(styles: CSSResult[]): void {
    const root = this.getRootNode();
    if (root instanceof Document || root instanceof ShadowRoot) adopt(root, styles);
  }
}

function adopt(root: Document | ShadowRoot, styles: CSSResult[]): void {
  const known = adopted.get(root) ?? new Set();
  adopted.set(root, known);
  for (const { styleSheet } of styles) {
    if (!styleSheet || known.has(styleSheet)) continue;
    known.add(styleSheet);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
  }
}
