import { html, type TemplateResult } from "lit";
import { icons } from "../../controls/icons.ts";
import { list, msg, rich } from "../../messages/page.ts";
import type { CheckResult } from "./check.ts";
import type { Reading, Verdict } from "./reading.ts";
import { faultWords } from "./words.ts";

/** The result of this browser's check of the chain, with an explanation. */
export function checkView(verdict: Verdict | null, { entries }: Reading, again: () => void): TemplateResult {
  if (!verdict)
    return html`<div class="check" role="status">${icons.ledger}<p>${msg("ledger.checkingEveryEventBrowser")}</p><p>${msg("ledger.events", { n: entries.length })}</p></div>`;
  if (verdict.kind === "no-cryptography")
    return html`<div class="check" role="status">${icons.alert}<p>${msg("ledger.browserCannotCheckLedger")}</p>
      <p>${rich("ledger.verificationNeedsSecureConnectionSaveLedger", { command: html`<code dir="ltr">npm run audit -- verify</code>` })}</p></div>`;
  if (verdict.kind === "no-keys")
    return html`<div class="check" role="status">${icons.alert}<p>${msg("ledger.notVerifiedYetServicesPublicKeys")}</p>
      <p><button type="button" class="link" @click=${again}>${msg("explainer.checkAgain")}</button></p></div>`;
  return verdict.found.fault ? atFault(verdict.found) : sound(verdict.found);
}

function sound({ entries, checkpoints, keyIds, signed }: CheckResult): TemplateResult {
  return html`<div class="check good" role="status">${icons.check}<p>${msg("ledger.checkedBrowserNothingAltered")}</p>
    <p>${msg("ledger.eventsStandOneChain", { n: entries.length })}
    ${
      signed
        ? rich("ledger.signedServiceKey", {
            times: msg("ledger.times", { n: checkpoints }),
            keys: html`<code dir="ltr">${list(keyIds)}</code>`,
          })
        : msg("ledger.signatureNotVerifiedBrowserDoesNot")
    }</p></div>`;
}

function atFault({ fault }: CheckResult): TemplateResult {
  const where =
    fault?.index === null || fault?.index === undefined
      ? msg("ledger.lineOfTheExport", { line: String(fault?.line ?? 1) })
      : msg("ledger.event", { event: String(fault.index) });
  return html`<div class="check bad" role="alert">${icons.alert}<p>${msg("ledger.ledgerWritten")}</p>
    <p>${where} ${fault ? faultWords(fault.code) : ""} ${msg("ledger.saveSendOperatorService")}</p></div>`;
}
