import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { CitationCard } from "./citation-card.ts";

const showMs = 120;
const hideMs = 220;

/**
 * Shows a citation's card on hover, focus or tap, and hides it when pointer and focus leave. Nothing scrolls. The first tap shows the card,
 * the second follows the link; a click and Enter follow the link.
 */
export class CitationHover implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #card: () => CitationCard | null;
  readonly #citation: (chip: HTMLElement) => Citation | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #chip: HTMLElement | null = null;
  #stop: AbortController | null = null;

  constructor(
    host: ReactiveControllerHost & HTMLElement,
    card: () => CitationCard | null,
    citation: (chip: HTMLElement) => Citation | null,
  ) {
    this.#host = host;
    this.#card = card;
    this.#citation = citation;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const host = this.#host;
    host.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#onPointerover(event), { signal });
    host.addEventListener("pointerleave", () => this.#schedule(() => !this.#hasFocus() && this.hide(), hideMs), { signal });
    host.addEventListener("focusin", (event) => this.#onFocusin(event), { signal });
    host.addEventListener("focusout", () => this.#schedule(() => this.hide(), hideMs), { signal });
    host.addEventListener("click", (event) => this.#onClick(event), { signal });
    host.addEventListener("keydown", (event) => this.#onKeydown(event), { signal });
    host.addEventListener("scroll", () => this.hide(), { signal, capture: true, passive: true });
    // A page that Back restores shows no card.
    addEventListener("pagehide", () => this.hide(), { signal });
    document.addEventListener("pointerdown", (event) => this.#onPointerdown(event), { signal });
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.hide();
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#chip?.removeAttribute("aria-describedby");
    this.#chip = null;
    this.#card()?.hide();
  }

  #onPointerover(event: Event): void {
    const chip = chipOf(event);
    if ((chip && chip === this.#chip) || this.#inCard(event)) clearTimeout(this.#timer);
    else if (chip) this.#schedule(() => this.#show(chip), showMs);
    else if (this.#chip || this.#timer) this.#schedule(() => !this.#hasFocus() && this.hide(), hideMs);
  }

  #onFocusin(event: Event): void {
    const chip = chipOf(event);
    if (chip?.matches(":focus-visible")) this.#show(chip);
    else if (this.#inCard(event)) clearTimeout(this.#timer);
    // At once, because Tab would otherwise enter a card that is about to disappear.
    else if (this.#chip && !chip) this.hide();
  }

  #onClick(event: MouseEvent): void {
    const chip = chipOf(event);
    if (!chip) return;
    // The link is followed: a card that comes up afterwards would cover the passage.
    const { pointerType } = event as PointerEvent;
    if (!pointerType || pointerType === "mouse") {
      this.hide();
      return;
    }
    if (this.#chip === chip && this.#card()?.shown) return;
    event.preventDefault();
    this.#show(chip);
  }

  #onKeydown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.#card()?.shown) return;
    event.stopPropagation();
    this.hide();
  }

  #onPointerdown(event: Event): void {
    if (this.#chip && !event.composedPath().includes(this.#chip) && !this.#inCard(event)) this.hide();
  }

  #inCard(event: Event): boolean {
    const card = this.#card();
    return card !== null && event.composedPath().includes(card);
  }

  #show(chip: HTMLElement): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const citation = this.#citation(chip);
    const card = this.#card();
    if (!citation || !card) return;
    this.#chip?.removeAttribute("aria-describedby");
    this.#chip = chip;
    card.id ||= "citation-card";
    chip.setAttribute("aria-describedby", card.id);
    void card.show(chip, citation);
  }

  #hasFocus(): boolean {
    return this.#chip?.matches(":focus") || this.#card()?.matches(":focus-within") || false;
  }

  #schedule(action: () => void, milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      action();
    }, milliseconds);
  }
}

function chipOf(event: Event): HTMLElement | null {
  const [target] = event.composedPath();
  return target instanceof Element ? target.closest<HTMLElement>("a.cite") : null;
}
