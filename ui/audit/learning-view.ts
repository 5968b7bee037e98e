import type { AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { Step } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, svg, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { list, msg } from "../messages/page.ts";
import { standingWords } from "../tutor/words.ts";
import type { SessionState } from "./session-states.ts";
import { probabilityWords } from "./words.ts";

const width = 300;
const height = 42;
/** Rows of the table beside the curves; only the latest are shown. */
const tableRows = 100;

const stateWords = {
  ahead: "audit.ahead",
  current: "audit.now",
  mastered: "common.mastered",
  skipped: "audit.leftForLater",
} as const satisfies Record<Step["state"], string>;

/** The path at the chosen moment, each step with its prerequisites. */
export function pathView({ path }: SessionState): TemplateResult | typeof nothing {
  if (!path.length) return nothing;
  const numbers = new Map(path.map(({ stepId }, index) => [stepId, index + 1]));
  return html`<h2>${msg("audit.path")}</h2><ol class="path">${path.map(({ title, state, prerequisites }) => {
    const first = prerequisites.flatMap((id) => numbers.get(id) ?? []);
    return html`<li class=${state} aria-current=${state === "current" ? "step" : nothing}><i aria-hidden="true">${state === "mastered" ? icons.check : nothing}</i>
      <div><b dir="auto">${title}</b><small>${first.length ? msg("audit.afterSteps", { n: first.length, state: msg(stateWords[state]), steps: list(first.map(String)) }) : msg(stateWords[state])}</small></div></li>`;
  })}</ol>`;
}

/** Mastery of each objective up to a moment, as a curve with the threshold and as a table. */
export function masteryView({ session, moments }: AuditRecord, at: number): TemplateResult {
  const most = Math.max(1, moments.length - 1);
  const along = moments.slice(0, at + 1);
  const x = (place: number) => ((place / most) * width).toFixed(1);
  const y = (probability: number) => (height - 2 - probability * (height - 4)).toFixed(1);
  const curves = session.objectives.map(({ objectiveId, title }) => {
    const points = along.flatMap(({ entry }, place) => {
      const p = entry?.masteryAfter[objectiveId];
      return p === undefined ? [] : { place, p };
    });
    const now = points.at(-1)?.p;
    const standing = along.findLast(({ entry }) => entry?.standings?.[objectiveId] !== undefined)?.entry?.standings?.[objectiveId];
    const words = now === undefined ? msg("audit.notBegun") : probabilityWords(now);
    const line = points.map(({ place, p }, index) => (index ? `H${x(place)}V${y(p)}` : `M${x(place)} ${y(p)}`)).join("");
    const said = points.slice(-12).map(({ p }) => probabilityWords(p));
    return html`<figure><figcaption><span dir="auto">${title}</span> <b>${standing && standing !== "none" ? msg("audit.standingNow", { probability: words, standing: standingWords(standing) }) : words}</b></figcaption>
      <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${`${title}: ${said.length ? list(said) : msg("audit.noEntryYet")}`} preserveAspectRatio="none">
        ${svg`<path class="goal" d="M0 ${y(masteryParameters.threshold)}H${width}"/><path class="curve" d=${line ? `${line}H${x(at)}` : "M0 0"} />`}</svg></figure>`;
  });
  const moved = along.flatMap(({ entry }) =>
    entry
      ? session.objectives
          .filter(({ objectiveId }) => entry.masteryAfter[objectiveId] !== entry.masteryBefore[objectiveId])
          .map(({ objectiveId, title }) => ({ index: entry.index, title, after: entry.masteryAfter[objectiveId] ?? 0 }))
      : [],
  );
  return html`<h2>${msg("audit.mastery")}</h2>${curves}
    <details><summary>${msg("audit.asATable")}</summary><table><thead><tr><th scope="col">${msg("audit.entry")}</th><th scope="col">${msg("audit.objective")}</th><th scope="col">${msg("audit.after")}</th></tr></thead>
      <tbody>${moved.slice(-tableRows).map(({ index, title, after }) => html`<tr><td>${index}</td><td>${title}</td><td>${probabilityWords(after)}</td></tr>`)}</tbody></table></details>`;
}
