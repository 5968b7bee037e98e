import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { html } from "lit";
import { msg } from "../messages/page.ts";

interface Offering {
  job: ExplainerJob;
  isBusy: boolean;
  offer(isOffered: boolean): void;
}

/** For owners of courses: whether everyone who reads the page may watch the video. */
export function offerView({ job: { offered = false }, isBusy, offer }: Offering) {
  return html`<section class="approve" aria-labelledby="film-offer">
    <h3 id="film-offer">${offered ? msg("explainer.offeredToAll") : msg("explainer.offerToAll")}</h3>
    <p class="soft">${offered ? msg("explainer.offeredUntil") : msg("explainer.offerMeans")}</p>
    <p class="ways"><button type="button" class="button" ?disabled=${isBusy} @click=${() => offer(!offered)}>${offered ? msg("explainer.withdraw") : msg("explainer.offer")}</button></p>
  </section>`;
}
