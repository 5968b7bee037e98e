import type { AuditRecord, AuditVerification } from "@colloquy/schemas/audit/requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import { list, msg, rich } from "../messages/page.ts";

type Unproven = AuditVerification["unproven"][number];

const words = { sound: "audit.soundVerified", fault: "audit.errors", unknown: "audit.notKnown" } as const;
const tones = { sound: "good", fault: "bad", unknown: "" } as const;

/** Differences between the live session and the replay. */
export function differencesView({ differences }: AuditRecord): TemplateResult | typeof nothing {
  if (differences.length === 0) return nothing;
  return html`<section class="differing"><h2>${msg("audit.liveAndReplayDiffer")}</h2><ul class="differences">${differences.map(
    ({ index, subject, live, replay }) =>
      html`<li>${rich("audit.liveReplay", {
        what: html`<b>${whereOf(index, subject)}</b>`,
        live: html`<bdi>${live}</bdi>`,
        replay: html`<bdi>${replay}</bdi>`,
      })}</li>`,
  )}</ul></section>`;
}

/** The entry and field that differ, named as the service names them. */
function whereOf(index: number | null, named: string) {
  const subject = html`<bdi>${named}</bdi>`;
  return index === null ? rich("audit.now2", { subject }) : rich("audit.entry2", { index: String(index), subject });
}

/** Whether chain, tree and checkpoints are valid, and who signed. */
export function verificationView({
  verification: { chain, tree, signatures, fault, checkpoints, keyIds, unproven },
}: AuditRecord): TemplateResult {
  const row = (name: string, found: keyof typeof words) =>
    html`<div><dt>${name}</dt><dd class=${tones[found]}>${msg(words[found])}</dd></div>`;
  return html`<h2>${msg("audit.verification")}</h2><dl class="facts">${row(msg("audit.chain"), chain)}${row(msg("audit.tree"), tree)}${row(msg("audit.checkpoints"), signatures)}</dl>
    ${
      fault
        ? html`<p class="bad">${
            fault.index === null
              ? msg("audit.line", { line: String(fault.line), message: fault.message })
              : msg("audit.lineEntry", {
                  line: String(fault.line),
                  index: String(fault.index),
                  message: fault.message,
                })
          }</p>`
        : html`<p class="soft">${msg("audit.checkpointsSignedBy", { n: checkpoints, keys: list(keyIds) })}</p>${unprovenView(unproven)}`
    }`;
}

const unprovenWords = {
  model_judgement: "audit.unprovenModelJudgement",
  own_words: "audit.unprovenOwnWords",
  carried_answer: "audit.unprovenCarriedAnswer",
  question_missing: "audit.unprovenQuestionMissing",
  question_counts: "audit.unprovenQuestionCounts",
  second_look: "audit.unprovenSecondLook",
} as const satisfies Record<Unproven["what"], string>;

/** What the record states and the ledger alone does not prove. */
function unprovenView(unproven: readonly Unproven[]): TemplateResult | typeof nothing {
  if (unproven.length === 0) return nothing;
  const groups = [...Map.groupBy(unproven, ({ what }) => what)];
  return html`<p class="soft">${msg("audit.notRecomputed")}</p><ul class="soft">${groups.map(
    ([what, own]) => html`<li>${msg(unprovenWords[what], { entries: list(own.map(({ index }) => String(index))) })}</li>`,
  )}</ul>`;
}
