import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Whether the observed verdict has been scrolled out of the host's view at its top, so that the host can point to it. */
export class VerdictAbove implements ReactiveController {
  isAbove = false;
  readonly #host: ReactiveControllerHost & HTMLElement;
  #verdict: Element | null = null;
  #observer: IntersectionObserver | null = null;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.observe(null);
  }

  /** Observes this verdict instead of the previous one. */
  observe(verdict: Element | null): void {
    if (verdict === this.#verdict) return;
    this.#observer?.disconnect();
    this.#verdict = verdict;
    this.#set(false);
    if (!verdict) return;
    this.#observer = new IntersectionObserver(
      (entries) => {
        // A busy page delivers several changes at once.
        const now = entries.at(-1);
        this.#set(!!now && !now.isIntersecting && now.boundingClientRect.top < (now.rootBounds?.top ?? 0));
      },
      { root: this.#host },
    );
    this.#observer.observe(verdict);
  }

  #set(isAbove: boolean): void {
    if (isAbove === this.isAbove) return;
    this.isAbove = isAbove;
    this.#host.requestUpdate();
  }
}
