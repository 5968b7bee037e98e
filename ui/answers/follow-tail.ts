import type { ReactiveController, ReactiveControllerHost } from "lit";
import { preferredScrollBehavior } from "../controls/motion.ts";
import { ScrollAnchor } from "./scroll-anchor.ts";

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
  readonly #held: ScrollAnchor;
  #following = false;
  /** Set while the place was chosen by us; only a reader's own scrolling says that they want to follow. */
  #placed = true;
  #last = 0;
  #lastHeight = 0;
  /** What was put in its place (pixels below the host's upper edge), and when. */
  #anchor: { element: Element; offset: number; at: number } | null = null;
  /** What was brought into view, and stays there while what stands above it is being drawn. */
  #shown: { element: Element; from: () => Element } | null = null;
  /** The reader has scrolled elsewhere since. */
  #away = false;
  #stop: AbortController | null = null;
  #sizes: ResizeObserver | null = null;

  /** @param end the element whose lower edge is the end of what is written */
  constructor(host: ReactiveControllerHost & HTMLElement, end: () => Element | null) {
    this.#host = host;
    this.#end = end;
    this.#held = new ScrollAnchor(host, () => host.firstElementChild?.children ?? []);
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#host.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    for (const intent of intents) this.#host.addEventListener(intent, () => this.#meant(), { signal, passive: true });
    this.#host.addEventListener("click", (event) => this.#clicked(event), { signal });
    this.#host.addEventListener("colloquy-written", () => this.#written(), { signal });
    this.#sizes = new ResizeObserver(() => this.contentChanged());
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

  /** Text was written: reacts at once, and again in this frame's layout, where content off screen may lose the height it just got. */
  #written(): void {
    this.contentChanged();
    const [content] = this.#host.children;
    if (!content) return;
    // Observing anew reports the size even where it is the one reported last.
    this.#sizes?.unobserve(content);
    this.#sizes?.observe(content);
  }

  /** The text grew, or the window changed. */
  contentChanged(): void {
    if (this.#shown?.element.isConnected && this.#placed) this.#toShown("instant");
    else if (this.#following) this.#toEnd("instant");
    else if (this.#anchor && this.#placed)
      this.#toAnchor(performance.now() - this.#anchor.at < smoothMs ? preferredScrollBehavior() : "instant");
    else this.#held.restore();
    this.#look();
  }

  /** Puts an element near the top; it stays there until the reader scrolls, whatever grows above or below it. */
  anchor(element: Element): void {
    this.resumeFollowing();
    this.#following = false;
    this.#placed = true;
    this.#anchor = { element, offset: nearPx, at: performance.now() };
    this.#toAnchor(preferredScrollBehavior());
    this.#look();
  }

  /** Puts an element where it was when it was left, and keeps it there until the reader scrolls. */
  openAt(element: Element, offset: number): void {
    this.#shown = null;
    this.#away = true;
    this.#following = false;
    this.#placed = true;
    // Long ago: it was not put there just now for the reader to see it go.
    this.#anchor = { element, offset, at: Number.NEGATIVE_INFINITY };
    this.contentChanged();
  }

  #toAnchor(behavior: ScrollBehavior): void {
    if (!this.#anchor) return;
    const { element, offset } = this.#anchor;
    const away = element.getBoundingClientRect().top - this.#host.getBoundingClientRect().top - offset;
    if (Math.abs(away) > 1) this.#host.scrollTo({ top: this.#host.scrollTop + away, behavior });
  }

  /** Goes to the end at once, and stays there while what was said is being written. */
  open(): void {
    this.resumeFollowing();
    this.#placed = true;
    this.#following = true;
    this.#anchor = null;
    this.#toEnd("instant");
    this.#look();
  }

  /** Goes to the end and follows it from there. */
  jump(): void {
    this.resumeFollowing();
    this.#following = true;
    this.#anchor = null;
    this.#toEnd(preferredScrollBehavior());
    this.#look();
  }

  /** The reader has just asked for something: they want to see what comes of it, wherever they have read. */
  resumeFollowing(): void {
    this.#away = false;
    this.#shown = null;
  }

  /**
   * Brings something into view that has just come, with as little moving as it takes; not for a reader who has scrolled elsewhere.
   * @param from where that begins which is to be in view with it; its beginning, where both do not fit
   */
  reveal(element: Element, from: () => Element = () => element): void {
    if (this.#away) return;
    this.#following = false;
    this.#anchor = null;
    this.#placed = true;
    this.#shown = { element, from };
    this.#toShown(preferredScrollBehavior());
    this.#look();
  }

  #toShown(behavior: ScrollBehavior): void {
    if (!this.#shown) return;
    const { element, from } = this.#shown;
    const view = this.#host.getBoundingClientRect();
    const above = from().getBoundingClientRect().top - view.top - nearPx;
    const below = element.getBoundingClientRect().bottom - view.bottom + nearPx;
    const by = above < 0 ? above : Math.max(0, Math.min(below, above));
    if (Math.abs(by) > 1) this.#host.scrollTo({ top: this.#host.scrollTop + by, behavior });
  }

  #meant(): void {
    this.#placed = false;
    this.#anchor = null;
    this.#shown = null;
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
    if (!this.#placed) this.#away = !this.#following;
    this.#last = scrollTop;
    this.#held.scrolled();
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
