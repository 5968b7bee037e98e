import { html, nothing, render } from "lit";
import { adoptStyles } from "../../controls/light-element.ts";
import { openModal } from "../../controls/overlay-history.ts";
import { placeBeside } from "../../controls/place.ts";
import { msg } from "../../messages/page.ts";
import { tourSteps } from "./steps.ts";
import { tourStyles } from "./tour.styles.ts";

/** Distance between an element and the ring around it, in pixels. */
const ringRoom = 5;

/** Adopts the styles of the tour and of its offer. */
export const adoptTourStyles = (): void => adoptStyles(document, [tourStyles]);

/**
 * Runs the tour: highlights one element after the other with a card beside it. Escape, Back and "Skip" end it and return the focus.
 * Resolves when it is over.
 */
export async function showTour(workspace: HTMLElement): Promise<void> {
  const steps = tourSteps(workspace);
  if (!steps.length) return;
  adoptTourStyles();
  const dialog = Object.assign(document.createElement("dialog"), { className: "tour" });
  dialog.setAttribute("aria-labelledby", "colloquy-tour-title");
  let at = 0;

  const go = (to: number): void => {
    at = to;
    if (at < steps.length) draw();
    else dialog.close();
    // "Back" disappears at the first step, and with it the focus.
    if (!dialog.contains(document.activeElement)) dialog.querySelector<HTMLElement>(".button-primary")?.focus();
  };
  const draw = (): void => {
    const step = steps[at];
    if (!step) return;
    const isLast = at === steps.length - 1;
    render(
      html`<div class="ring" aria-hidden="true"></div>
        <div class="card"><div aria-live="polite"><h2 id="colloquy-tour-title">${step.title}</h2><p>${step.text}</p></div>
          <div class="ways"><small>${msg("workspace.of", { at: at + 1, all: steps.length })}</small>
            ${isLast ? nothing : html`<button type="button" class="button" @click=${() => dialog.close()}>${msg("workspace.skip")}</button>`}
            ${at > 0 ? html`<button type="button" class="button" @click=${() => go(at - 1)}>${msg("workspace.backStep")}</button>` : nothing}
            <button type="button" class="button button-primary" autofocus @click=${() => go(at + 1)}>${isLast ? msg("common.done") : msg("workspace.nextStep")}</button></div></div>`,
      dialog,
    );
    place();
  };
  const place = (): void => {
    const [ring, card] = [dialog.querySelector<HTMLElement>(".ring"), dialog.querySelector<HTMLElement>(".card")];
    const rect = steps[at]?.target.getBoundingClientRect();
    if (!ring || !card || !rect) return;
    const edges = [rect.top, innerWidth - rect.right, innerHeight - rect.bottom, rect.left].map((edge) => `${edge - ringRoom}px`);
    ring.style.inset = edges.join(" ");
    placeBeside(rect, card, { side: "above", gap: 16, edge: 12 });
  };

  workspace.append(dialog);
  draw();
  openModal(dialog);
  place();
  addEventListener("resize", place);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  removeEventListener("resize", place);
  dialog.remove();
}
