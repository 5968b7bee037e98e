import type { ReactiveController, ReactiveControllerHost } from "lit";
import { gentle } from "../controls/motion.ts";

/** Within this distance of the end one reads along. */
const nearPx = 24;
const jumpPx = 48;
/** A smooth scroll is over after this long. */
const smoothMs = 600;
const intents = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * What the transcript does about its end. It follows only for a reader who is there, and lets go at the first scroll upwards;
 * a question that is sent moves near the top and its answer grows below without moving anything.
 */
export class FollowTail implements ReactiveController {
  /** Whether there is something below that the reader has not seen. */
  below = false;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #end: () => Element | null;
  #following = false;
  /** Set while the place was chosen by us; only a reader's own scrolling says that they want to follow. */
  #placed = true;
  #last = 0;
  #lastHeight = 0;
  /** What was put near the top, and when. */
  #anchor: { element: Element; at: number } | null = null;
  #stop: AbortController | null = null;
  #sizes: ResizeObserver | null = null;

  /** @param end the element whose lower edge is the end of what is written */
  constructor(host: ReactiveControllerHost & HTMLElement, end: () => Element | null) {
    this.#host = host;
    this.#end = end;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#host.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    for (const intent of intents) this.#host.addEventListener(intent, () => this.#meant(), { signal, passive: true });
    this.#host.addEventListener("click", (event) => this.#clicked(event), { signal });
    this.#host.addEventListener("colloquy-written", () => this.grown(), { signal });
    this.#sizes = new ResizeObserver(() => this.grown());
    this.#sizes.observe(this.#host);
  }
  /** What is written is the host's first element, and there only once it was rendered. */
  hostUpdated(): void {
    const [content] = this.#host.children;
    if (content) this.#sizes?.observe(content);
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.#sizes?.disconnect();
  }

  /** The text grew, or the window changed. */
  grown(): void {
    if (this.#following) this.#toEnd("instant");
    else if (this.#anchor && this.#placed) this.#toAnchor(performance.now() - this.#anchor.at < smoothMs ? gentle() : "instant");
    this.#look();
  }

  /** Puts an element near the top; it stays there until the reader scrolls, whatever grows above or below it. */
  anchor(element: Element): void {
    this.#following = false;
    this.#placed = true;
    this.#anchor = { element, at: performance.now() };
    this.#toAnchor(gentle());
    this.#look();
  }

  #toAnchor(behavior: ScrollBehavior): void {
    if (!this.#anchor) return;
    const away = this.#anchor.element.getBoundingClientRect().top - this.#host.getBoundingClientRect().top - nearPx;
    if (Math.abs(away) > 1) this.#host.scrollTo({ top: this.#host.scrollTop + away, behavior });
  }

  /** Goes to the end at once, and stays there while what was said is being written. */
  open(): void {
    this.#placed = true;
    this.#following = true;
    this.#anchor = null;
    this.#toEnd("instant");
    this.#look();
  }

  /** Goes to the end and follows it from there. */
  jump(): void {
    this.#following = true;
    this.#anchor = null;
    this.#toEnd(gentle());
    this.#look();
  }

  #meant(): void {
    this.#placed = false;
    this.#anchor = null;
  }

  /** Whoever unfolds something, or answers a question, wants to read it where it is. */
  #clicked(event: Event): void {
    if (event.composedPath().some((node) => node instanceof Element && node.matches("summary, colloquy-quiz"))) this.#following = false;
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight } = this.#host;
    // A text that became shorter moves the place, too; that is nobody's scrolling.
    if (scrollTop < this.#last - 1 && scrollHeight >= this.#lastHeight) this.#following = false;
    else if (!this.#placed && this.#distance() <= nearPx) this.#following = true;
    this.#last = scrollTop;
    this.#lastHeight = scrollHeight;
    this.#look();
  }

  /** How far below the window the end of the text is. */
  #distance(): number {
    const end = this.#end();
    return end ? end.getBoundingClientRect().bottom - this.#host.getBoundingClientRect().bottom : 0;
  }

  #toEnd(behavior: ScrollBehavior): void {
    const distance = this.#distance();
    if (distance > -nearPx) this.#host.scrollTo({ top: this.#host.scrollTop + distance + nearPx, behavior });
  }

  #look(): void {
    const below = this.#distance() > jumpPx;
    if (below === this.below) return;
    this.below = below;
    this.#host.requestUpdate();
  }
}
