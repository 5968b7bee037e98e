import { html, render } from "lit";
import { msg } from "../../messages/page.ts";
import type { Sessions } from "../sessions.ts";
import { adoptTourStyles, showTour } from "./tour.ts";

/** The part of the sessions that the offer needs. */
export type TourSessions = Pick<Sessions, "events" | "history" | "library" | "preferences">;

/** Whether the learner is new: no data on the service, and the offer was never answered on any device. */
export const isNew = ({ history, library, preferences }: TourSessions): boolean =>
  library.loaded && history.length === 0 && preferences.choices.tour === undefined;

/**
 * Offers the tour without blocking anything. It disappears once something was asked; after an answer it is not offered again on any device.
 */
export function offerTour(workspace: HTMLElement, sessions: TourSessions): void {
  adoptTourStyles();
  const section = Object.assign(document.createElement("section"), { className: "tour-offer" });
  section.setAttribute("aria-label", msg("workspace.tourWorkspace"));
  const answer = async (show: boolean): Promise<void> => {
    section.remove();
    await sessions.preferences.choose({ tour: "seen" });
    if (show) await showTour(workspace);
  };
  sessions.events.on("change", () => {
    if (!isNew(sessions)) section.remove();
  });
  render(
    html`<p>${msg("workspace.newMinuteShowsCan")}</p>
      <div class="ways"><button type="button" class="button" @click=${() => void answer(true)}>${msg("workspace.takeTour")}</button>
        <button type="button" class="button" @click=${() => void answer(false)}>${msg("common.notNow")}</button></div>`,
    section,
  );
  workspace.querySelector(":scope > main")?.before(section);
}
