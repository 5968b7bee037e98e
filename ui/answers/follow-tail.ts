import type { ReactiveController, ReactiveControllerHost } from "lit";
import { preferredScrollBehavior } from "../controls/motion.ts";
import { ScrollAnchor } from "./scroll-anchor.ts";

/** A reader within this distance of the end is following. */
const nearPx = 24;
const jumpPx = 48;
/** So much of the latest must be in view for it to be seen. */
const seenPx = 96;
/** Room at the top for what is pinned there. */
const pinnedPx = 56;
/** A smooth scroll is over after this long. */
const smoothMs = 600;
const intents = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Keeps a growing transcript at its end, only for a reader who is there; the first scroll upwards stops it. A sent question moves near the
 * top, and its answer grows below without moving anything.
 */
export class FollowTail implements ReactiveController {
  /** Whether there is unseen content below. */
  below = false;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #end: () => Element | null;
  readonly #latest: () => Element | null;
  readonly #held: ScrollAnchor;
  #following = false;
  /** True while the position was set by this class; only the reader's own scrolling starts following. */
  #isPlaced = true;
  #last = 0;
  #lastHeight = 0;
  /** An element that keeps its place (pixels below the host's top edge), and since when. */
  #anchor: { element: Element; offset: number; at: number } | null = null;
  /** An element that was scrolled into view, and stays there while content above it is rendered. */
  #revealed: { element: Element; from: () => Element; isWhole: boolean } | null = null;
  /** The reader has scrolled elsewhere since. */
  #isElsewhere = false;
  #stop: AbortController | null = null;
  #sizes: ResizeObserver | null = null;

  /**
   * @param end the element whose bottom edge is the end of the text
   * @param latest the element that leaves nothing unseen once its beginning is in view
   */
  constructor(host: ReactiveControllerHost & HTMLElement, end: () => Element | null, latest: () => Element | null = () => null) {
    this.#host = host;
    this.#end = end;
    this.#latest = latest;
    this.#held = new ScrollAnchor(host, () => host.firstElementChild?.children ?? []);
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#host.addEventListener("scroll", () => this.#onScroll(), { signal, passive: true });
    for (const intent of intents) this.#host.addEventListener(intent, () => this.#onScrollIntent(), { signal, passive: true });
    this.#host.addEventListener("click", (event) => this.#onClick(event), { signal });
    this.#host.addEventListener("colloquy-written", () => this.#written(), { signal });
    this.#sizes = new ResizeObserver(() => this.contentChanged());
    this.#sizes.observe(this.#host);
  }
  /** The content is the host's first element, which exists only after the first render. */
  hostUpdated(): void {
    const [content] = this.#host.children;
    if (content) this.#sizes?.observe(content);
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.#sizes?.disconnect();
  }

  /** Text was written: reacts at once, and again in this frame's layout, where off-screen content may lose its new height. */
  #written(): void {
    this.contentChanged();
    const [content] = this.#host.children;
    if (!content) return;
    // Observing again reports the size even if it is unchanged.
    this.#sizes?.unobserve(content);
    this.#sizes?.observe(content);
  }

  /** The text grew, or the window was resized. */
  contentChanged(): void {
    if (this.#revealed?.element.isConnected && this.#isPlaced) this.#scrollToRevealed("instant");
    else if (this.#following) this.#toEnd("instant");
    else if (this.#anchor && this.#isPlaced)
      this.#toAnchor(performance.now() - this.#anchor.at < smoothMs ? preferredScrollBehavior() : "instant");
    else this.#held.restore();
    this.#updateBelow();
  }

  /** Scrolls an element near the top and keeps it there until the reader scrolls. */
  anchor(element: Element): void {
    this.resumeFollowing();
    this.#following = false;
    this.#isPlaced = true;
    this.#anchor = { element, offset: nearPx, at: performance.now() };
    this.#toAnchor(preferredScrollBehavior());
    this.#updateBelow();
  }

  /** Restores an element's position and keeps it there until the reader scrolls. */
  openAt(element: Element, offset: number): void {
    this.#revealed = null;
    this.#isElsewhere = true;
    this.#following = false;
    this.#isPlaced = true;
    // In the past, so that the position is set without animation.
    this.#anchor = { element, offset, at: Number.NEGATIVE_INFINITY };
    this.contentChanged();
  }

  #toAnchor(behavior: ScrollBehavior): void {
    if (!this.#anchor) return;
    const { element, offset } = this.#anchor;
    const away = element.getBoundingClientRect().top - this.#host.getBoundingClientRect().top - offset;
    if (Math.abs(away) > 1) this.#host.scrollTo({ top: this.#host.scrollTop + away, behavior });
  }

  /** Jumps to the end, and stays there while the text is being written. */
  open(): void {
    this.resumeFollowing();
    this.#isPlaced = true;
    this.#following = true;
    this.#anchor = null;
    this.#toEnd("instant");
    this.#updateBelow();
  }

  /** Scrolls to the end and follows it. */
  jump(): void {
    this.resumeFollowing();
    this.#following = true;
    this.#anchor = null;
    this.#toEnd(preferredScrollBehavior());
    this.#updateBelow();
  }

  /** The reader has just asked for something and wants to see the result, wherever they scrolled before. */
  resumeFollowing(): void {
    this.#isElsewhere = false;
    this.#revealed = null;
  }

  /**
   * Scrolls a new element into view with the least movement, unless the reader has scrolled elsewhere.
   * @param from an element that should also be visible; if both do not fit, its top wins
   * @param isWhole whether `element` wins instead: all of it is shown, or its top if it does not fit
   */
  reveal(element: Element, from: () => Element = () => element, isWhole = false): void {
    if (this.#isElsewhere) return;
    this.#following = false;
    this.#anchor = null;
    this.#isPlaced = true;
    this.#revealed = { element, from, isWhole };
    this.#scrollToRevealed(preferredScrollBehavior());
    this.#updateBelow();
  }

  #scrollToRevealed(behavior: ScrollBehavior): void {
    if (!this.#revealed) return;
    const { element, from, isWhole } = this.#revealed;
    const view = this.#host.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const above = from().getBoundingClientRect().top - view.top - nearPx;
    const below = box.bottom - view.bottom + nearPx;
    const most = isWhole ? box.top - view.top - pinnedPx : above;
    const by = above < 0 ? Math.max(above, Math.min(below, most)) : Math.max(0, Math.min(below, most));
    if (Math.abs(by) > 1) this.#host.scrollTo({ top: this.#host.scrollTop + by, behavior });
  }

  #onScrollIntent(): void {
    this.#isPlaced = false;
    this.#anchor = null;
    this.#revealed = null;
  }

  /** Somebody who expands something, or answers a question, wants to read it in place. */
  #onClick(event: Event): void {
    if (event.composedPath().some((node) => node instanceof Element && node.matches("summary, colloquy-quiz"))) this.#following = false;
  }

  #onScroll(): void {
    const { scrollTop, scrollHeight } = this.#host;
    // A text that became shorter also changes the position; that is not the reader's scrolling.
    if (scrollTop < this.#last - 1 && scrollHeight >= this.#lastHeight) this.#following = false;
    else if (!this.#isPlaced && this.#distance() <= nearPx) this.#following = true;
    if (!this.#isPlaced) this.#isElsewhere = !this.#following;
    this.#last = scrollTop;
    this.#held.scrolled();
    this.#lastHeight = scrollHeight;
    this.#updateBelow();
  }

  /** Pixels from the window's bottom edge to the end of the text. */
  #distance(): number {
    const end = this.#end();
    return end ? end.getBoundingClientRect().bottom - this.#host.getBoundingClientRect().bottom : 0;
  }

  #seesLatest(): boolean {
    const latest = this.#latest();
    return latest !== null && latest.getBoundingClientRect().top + seenPx < this.#host.getBoundingClientRect().bottom;
  }

  #toEnd(behavior: ScrollBehavior): void {
    const distance = this.#distance();
    if (distance > -nearPx) this.#host.scrollTo({ top: this.#host.scrollTop + distance + nearPx, behavior });
  }

  #updateBelow(): void {
    const below = this.#distance() > jumpPx && !this.#seesLatest();
    if (below === this.below) return;
    this.below = below;
    this.#host.requestUpdate();
  }
}
