import type { ReactiveController, ReactiveControllerHost } from "lit";

/** An element whose rendering can be deferred. */
export interface Deferrable extends HTMLElement {
  /** True while it is a placeholder. */
  waiting: boolean;
  readonly exchange: { readonly key: string } | null;
  readonly updateComplete: Promise<boolean>;
}

/** How many of the last exchanges are rendered at once. */
const atOnce = 2;
/** Shortest idle time in which another exchange is rendered. */
const enoughMs = 8;
/** Longest wait for an idle time, so that a busy page progresses too. */
const patienceMs = 500;
/** Time per slice in browsers without idle callbacks. */
const sliceMs = 12;

/**
 * Renders a long transcript in order of need: visible exchanges before the first paint, then the nearest ones while the browser is idle.
 * Deferred exchanges are placeholders. Searching, selecting or printing the whole text renders everything at once.
 */
export class RenderQueue implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #parts: () => Iterable<Deferrable>;
  readonly #ready: () => Promise<unknown>;
  readonly #known = new Set<string>();
  readonly #waiting = new Set<string>();
  #filling = false;
  #hurried = false;
  #cancel: (() => void) | null = null;
  #stop: AbortController | null = null;

  /**
   * @param parts the elements in document order
   * @param ready resolves when the renderer is loaded: before, heights do not tell what is visible
   */
  constructor(host: ReactiveControllerHost & HTMLElement, parts: () => Iterable<Deferrable>, ready: () => Promise<unknown>) {
    this.#host = host;
    this.#parts = parts;
    this.#ready = ready;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#host.addEventListener("scroll", () => void this.#renderVisible(), { signal, passive: true });
    window.addEventListener("beforeprint", () => void this.#renderAll(), { signal });
    // Before the browser's search opens or everything is selected.
    window.addEventListener("keydown", (event) => this.#onKeydown(event), { signal, capture: true });
    if (this.#waiting.size) this.#schedule();
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.#cancel?.();
    this.#cancel = null;
  }
  hostUpdated(): void {
    if (this.#waiting.size) void this.#renderVisible();
  }

  /** Takes the keys of all exchanges; new ones are deferred, except the last. */
  track(keys: readonly string[]): void {
    for (const [index, key] of keys.entries()) {
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      if (index < keys.length - atOnce) this.#waiting.add(key);
    }
    if (!this.#waiting.size) return;
    const present = new Set(keys);
    for (const key of this.#waiting) if (!present.has(key)) this.#waiting.delete(key);
  }

  isDeferred(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Renders visible exchanges, then the rest when idle. */
  async #renderVisible(): Promise<void> {
    if (this.#filling || !this.#waiting.size) return;
    this.#filling = true;
    try {
      await this.#ready().catch(() => undefined);
      await Promise.all([...this.#parts()].slice(-atOnce).map((part) => part.updateComplete));
      for (let next = this.#nearest(); next && next.away <= 0; next = this.#nearest()) await this.#render(next.part);
    } finally {
      this.#filling = false;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#cancel || !this.#waiting.size || !this.#host.isConnected) return;
    // Without idle times, one exchange per timeout would take minutes.
    const renderNext = (idle?: IdleDeadline) => {
      this.#cancel = null;
      void this.#renderSome(performance.now() + (idle && !idle.didTimeout ? idle.timeRemaining() : sliceMs));
    };
    if (this.#hurried || !("requestIdleCallback" in window)) {
      const timer = setTimeout(renderNext);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const idle = requestIdleCallback(renderNext, { timeout: patienceMs });
      this.#cancel = () => cancelIdleCallback(idle);
    }
  }

  /** Renders at least one exchange, and more while there is time. */
  async #renderSome(until: number): Promise<void> {
    await this.#ready().catch(() => undefined);
    do {
      const next = this.#nearest();
      if (!next) break;
      await this.#render(next.part);
    } while (until - performance.now() > enoughMs);
    this.#schedule();
  }

  async #renderAll(): Promise<void> {
    const parts = [...this.#parts()].filter((part) => part.waiting);
    this.#waiting.clear();
    for (const part of parts) part.waiting = false;
    await Promise.all(parts.map((part) => part.updateComplete));
  }

  async #render(part: Deferrable): Promise<void> {
    if (part.exchange) this.#waiting.delete(part.exchange.key);
    part.waiting = false;
    await part.updateComplete;
  }

  /** The deferred exchange nearest to the view, and its distance in pixels; zero or less is visible. */
  #nearest(): { part: Deferrable; away: number } | null {
    const { top, bottom } = this.#host.getBoundingClientRect();
    let nearest: { part: Deferrable; away: number } | null = null;
    for (const part of this.#parts()) {
      if (!part.waiting) continue;
      const place = part.getBoundingClientRect();
      const away = Math.max(top - place.bottom, place.top - bottom);
      // On a tie the later one, because conversations are read from the end.
      if (!nearest || away <= nearest.away) nearest = { part, away };
    }
    return nearest;
  }

  #onKeydown({ key, ctrlKey, metaKey }: KeyboardEvent): void {
    if (!this.#waiting.size || !(ctrlKey || metaKey) || !/^[afg]$/i.test(key)) return;
    this.#hurried = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#schedule();
  }
}
