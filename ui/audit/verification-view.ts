import type { AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import { list, marked, msg, plural, rich } from "../messages/page.ts";

const words = { sound: marked("sound|verified"), fault: marked("at fault"), unknown: marked("not known") } as const;
const tones = { sound: "good", fault: "bad", unknown: "" } as const;

/** What was live and what the replay gives, where they are not the same. */
export function differencesView({ differences }: AuditRecord): TemplateResult | typeof nothing {
  if (differences.length === 0) return nothing;
  return html`<section class="differing"><h2>${msg("Live and replay differ")}</h2><ul class="differences">${differences.map(
    ({ index, subject, live, replay }) =>
      html`<li>${rich("{what}: live {live}, replay {replay}", {
        what: html`<b>${whereOf(index, subject)}</b>`,
        live: html`<bdi>${live}</bdi>`,
        replay: html`<bdi>${replay}</bdi>`,
      })}</li>`,
  )}</ul></section>`;
}

/** Of which entry something is not the same, and what; it is named as the service names it. */
function whereOf(index: number | null, named: string) {
  const subject = html`<bdi>${named}</bdi>`;
  return index === null ? rich("Now, {subject}", { subject }) : rich("Entry {index}, {subject}", { index: String(index), subject });
}

/** Whether chain, tree and checkpoints hold, and who signed. */
export function verificationView({ verification: { chain, tree, signatures, fault, checkpoints, keyIds } }: AuditRecord): TemplateResult {
  const row = (name: string, found: keyof typeof words) =>
    html`<div><dt>${name}</dt><dd class=${tones[found]}>${msg(words[found])}</dd></div>`;
  return html`<h2>${msg("Verification")}</h2><dl class="facts">${row(msg("Chain"), chain)}${row(msg("Tree"), tree)}${row(msg("Checkpoints"), signatures)}</dl>
    ${
      fault
        ? html`<p class="bad">${
            fault.index === null
              ? msg("Line {line}: {message}", { line: String(fault.line), message: fault.message })
              : msg("Line {line}, entry {index}: {message}", {
                  line: String(fault.line),
                  index: String(fault.index),
                  message: fault.message,
                })
          }</p>`
        : html`<p class="soft">${plural(checkpoints, "{n} checkpoint, signed by {keys}.", "{n} checkpoints, signed by {keys}.", { keys: list(keyIds) })}</p>`
    }`;
}
