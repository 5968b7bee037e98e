import type { AuditMoment, AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import { msg } from "../messages/page.ts";
import { kindOf, movementOf, outcomeOf, toneOf } from "./words.ts";

/** Height of a row in CSS pixels, as in the stylesheet; rows out of view become space of this height. */
export const rowHeight = 37;
const before = 10;
const drawn = 60;
const columns = 7;

interface Table {
  record: AuditRecord;
  /** First visible row, from 0. */
  from: number;
  /** The selected row, from 0. */
  at: number;
  choose: (place: number) => void;
  scrolled: (from: number) => void;
}

/** All moments as rows; only visible rows are rendered, because a session may have thousands. */
export function entriesTable({ record, from, at, choose, scrolled }: Table): TemplateResult {
  const { moments, session, differences } = record;
  const titles = new Map(session.objectives.map(({ objectiveId, title }) => [objectiveId, title]));
  const differing = new Set(differences.map(({ index }) => index));
  const first = Math.max(0, from - before);
  const rows = moments.slice(first, first + drawn);
  const space = (count: number) =>
    count > 0 ? html`<tr aria-hidden="true"><td colspan=${columns} style="height: ${count * rowHeight}px"></td></tr>` : nothing;
  const row = (moment: AuditMoment, place: number) => {
    const { entry } = moment;
    const differs = entry !== null && differing.has(entry.index);
    const chosen = place === at;
    const about = aboutOf(moment).flatMap((id) => titles.get(id) ?? []);
    return html`<tr aria-rowindex=${place + 2} class=${`${chosen ? "chosen" : ""} ${differs ? "differs" : ""}`} @click=${() => choose(place)}>
      <td><button type="button" tabindex="-1" aria-current=${chosen ? "true" : nothing} title=${entry ? nothing : msg("audit.partSessionButNoEvidenceNo")}>${entry?.index ?? html`<span class="none">${msg("audit.noEntry")}</span>`}</button></td>
      <td class="when">${moment.at.slice(11, 19)}</td><td>${kindOf(moment)}</td><td class="about" dir="auto"><span title=${about.length ? about.join("; ") : nothing}>${about.join("; ")}</span></td>
      <td class=${toneOf(moment)}>${outcomeOf(moment)}${entry?.via ? html` <small class="via">${msg("audit.byAnAssistant")}</small>` : nothing}${differs ? html` <b class="bad">${msg("audit.differs")}</b>` : nothing}</td>
      <td>${movementOf(entry)}</td><td class="hash" dir="ltr">${entry ? `${entry.hash.slice(0, 4)}…${entry.hash.slice(-2)}` : ""}</td></tr>`;
  };
  const onScroll = (event: Event) => scrolled(Math.floor((event.target as HTMLElement).scrollTop / rowHeight));
  return html`<div class="entries" tabindex="0" role="region" aria-label=${msg("audit.eventsOfTheSession")} @scroll=${onScroll}>
    <table aria-rowcount=${moments.length + 1}><thead><tr><th scope="col">${msg("audit.event")}</th><th scope="col" class="when">${msg("audit.whenUtc")}</th><th scope="col">${msg("audit.kind")}</th>
      <th scope="col" class="about">${msg("audit.objective")}</th><th scope="col">${msg("audit.answer")}</th><th scope="col">${msg("audit.mastery")}</th><th scope="col" class="hash">${msg("audit.hash")}</th></tr></thead>
    <tbody>${space(first)}${rows.map((moment, index) => row(moment, first + index))}${space(moments.length - first - rows.length)}</tbody></table></div>`;
}

/** The objectives of a moment; an opening and a plan concern all objectives and list none. */
function aboutOf({ entry, message }: AuditMoment): readonly string[] {
  if (entry) return entry.kind === "opened" || entry.kind === "plan" ? [] : entry.objectiveIds;
  return message?.kind === "question" ? message.objectiveIds : [];
}
