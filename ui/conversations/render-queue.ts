import type { ReactiveController, ReactiveControllerHost } from "lit";

/** What is drawn when its turn comes. */
export interface Deferrable extends HTMLElement {
  /** Set while it only holds its place. */
  waiting: boolean;
  readonly exchange: { readonly key: string } | null;
  readonly updateComplete: Promise<boolean>;
}

/** So many of the last exchanges are drawn with the transcript itself. */
const atOnce = 2;
/** An idle time that is shorter than this is too short for one more. */
const enoughMs = 8;
/** Longest wait for an idle time: a busy page gets on, too. */
const patienceMs = 500;
/** How long it may take at a time where a browser does not tell of idle times, or has none. */
const sliceMs = 12;

/**
 * The order in which a long transcript is drawn: what is in view, before anything is painted; then, whenever the browser has nothing else
 * to do, the others, the nearest first. What waits holds a place; what searches, selects or prints the whole text has it drawn at once.
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
   * @param parts the elements on the page, in their order
   * @param ready resolves when what draws them is loaded: before, their heights do not say what is in view
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
    this.#host.addEventListener("scroll", () => void this.#fill(), { signal, passive: true });
    window.addEventListener("beforeprint", () => void this.#drawAll(), { signal });
    // Long before its dialog finds anything, and before everything is selected.
    window.addEventListener("keydown", (event) => this.#pressed(event), { signal, capture: true });
    if (this.#waiting.size) this.#later();
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.#cancel?.();
    this.#cancel = null;
  }
  hostUpdated(): void {
    if (this.#waiting.size) void this.#fill();
  }

  /** Takes in what the transcript is to show; of what was never shown before, all but the last wait. */
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

  /** Draws what is in view, then goes on when there is time. */
  async #fill(): Promise<void> {
    if (this.#filling || !this.#waiting.size) return;
    this.#filling = true;
    try {
      await this.#ready().catch(() => undefined);
      await Promise.all([...this.#parts()].slice(-atOnce).map((part) => part.updateComplete));
      for (let next = this.#nearest(); next && next.away <= 0; next = this.#nearest()) await this.#draw(next.part);
    } finally {
      this.#filling = false;
    }
    this.#later();
  }

  #later(): void {
    if (this.#cancel || !this.#waiting.size || !this.#host.isConnected) return;
    // Where there never is an idle time, one exchange at a time would take minutes for a long transcript.
    const goOn = (idle?: IdleDeadline) => {
      this.#cancel = null;
      void this.#drawSome(performance.now() + (idle && !idle.didTimeout ? idle.timeRemaining() : sliceMs));
    };
    if (this.#hurried || !("requestIdleCallback" in window)) {
      const timer = setTimeout(goOn);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const idle = requestIdleCallback(goOn, { timeout: patienceMs });
      this.#cancel = () => cancelIdleCallback(idle);
    }
  }

  /** At least one, and as many more as there is time for. */
  async #drawSome(until: number): Promise<void> {
    await this.#ready().catch(() => undefined);
    do {
      const next = this.#nearest();
      if (!next) break;
      await this.#draw(next.part);
    } while (until - performance.now() > enoughMs);
    this.#later();
  }

  async #drawAll(): Promise<void> {
    const parts = [...this.#parts()].filter((part) => part.waiting);
    this.#waiting.clear();
    for (const part of parts) part.waiting = false;
    await Promise.all(parts.map((part) => part.updateComplete));
  }

  async #draw(part: Deferrable): Promise<void> {
    if (part.exchange) this.#waiting.delete(part.exchange.key);
    part.waiting = false;
    await part.updateComplete;
  }

  /** What waits nearest to the view, and how far away it is in pixels: nothing or less is in view. */
  #nearest(): { part: Deferrable; away: number } | null {
    const { top, bottom } = this.#host.getBoundingClientRect();
    let nearest: { part: Deferrable; away: number } | null = null;
    for (const part of this.#parts()) {
      if (!part.waiting) continue;
      const place = part.getBoundingClientRect();
      const away = Math.max(top - place.bottom, place.top - bottom);
      // Of two that are as near the later one: a conversation is read from its end.
      if (!nearest || away <= nearest.away) nearest = { part, away };
    }
    return nearest;
  }

  #pressed({ key, ctrlKey, metaKey }: KeyboardEvent): void {
    if (!this.#waiting.size || !(ctrlKey || metaKey) || !/^[afg]$/i.test(key)) return;
    this.#hurried = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#later();
  }
}
