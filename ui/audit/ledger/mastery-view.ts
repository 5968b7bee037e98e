import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, svg, type TemplateResult } from "lit";
import { list, msg } from "../../messages/page.ts";
import { percent, standingWords } from "../../tutor/words.ts";

const [width, height] = [600, 40];

/** The mastery of each objective event by event, with the threshold. */
export function masteryView({ mastery }: TutorSession, entries: readonly EvidenceEntry[]): TemplateResult {
  const most = Math.max(1, entries.length - 1);
  const x = (place: number) => ((place / most) * width).toFixed(1);
  const y = (probability: number) => (height - 2 - probability * (height - 4)).toFixed(1);
  const begins = entries[0]?.opening?.parameters.learned ?? masteryParameters.learned;
  return html`<ul class="objectives">${mastery.map(({ objectiveId, title, probability, standing, masteredAt }) => {
    const points = [{ place: 0, p: begins }];
    for (const [place, { masteryAfter }] of entries.entries()) {
      const p = masteryAfter[objectiveId];
      if (p !== undefined && p !== points.at(-1)?.p) points.push({ place, p });
    }
    const line = points.map(({ place, p }, index) => (index ? `H${x(place)}V${y(p)}` : `M${x(place)} ${y(p)}`)).join("");
    const state =
      standing === "provisional" && masteredAt !== undefined
        ? msg("ledger.masteredForNowAtEvent", { event: String(masteredAt) })
        : standingWords(standing);
    return html`<li><p class="name"><b dir="auto">${title}</b> <span>${msg("audit.beforeAfter", { before: percent(begins), after: percent(probability) })}, ${state}</span></p>
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${msg("ledger.titleValues", { title, values: list(points.slice(-12).map(({ p }) => percent(p))) })}>
        ${svg`<path class="goal" d="M0 ${y(masteryParameters.threshold)}H${width}"/><path class="curve" d="${line}H${width}"/>`}</svg></li>`;
  })}</ul>`;
}
