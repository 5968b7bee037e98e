import { html, type TemplateResult } from "lit";
import { icons } from "../../controls/icons.ts";
import { list, msg, plural, rich } from "../../messages/page.ts";
import type { Checked } from "./check.ts";
import type { Reading, Verdict } from "./reading.ts";
import { faultWords } from "./words.ts";

/** Whether the chain holds, as this browser found it; what that means stands in a sentence. */
export function checkView(verdict: Verdict | null, { entries }: Reading, again: () => void): TemplateResult {
  if (!verdict)
    return html`<div class="check" role="status">${icons.ledger}<p>${msg("Checking every event in this browser…")}</p><p>${plural(entries.length, "{n} event", "{n} events")}</p></div>`;
  if (verdict.kind === "no-cryptography")
    return html`<div class="check" role="status">${icons.alert}<p>${msg("This browser cannot check the ledger here")}</p>
      <p>${rich("It checks only over a secure connection. Save the ledger and check it anywhere: {command}", { command: html`<code dir="ltr">npm run audit -- verify</code>` })}</p></div>`;
  if (verdict.kind === "no-keys")
    return html`<div class="check" role="status">${icons.alert}<p>${msg("Not checked yet: the service's public keys did not come")}</p>
      <p><button type="button" class="link" @click=${again}>${msg("Check again")}</button></p></div>`;
  return verdict.found.fault ? atFault(verdict.found) : sound(verdict.found);
}

function sound({ entries, checkpoints, keyIds, signed }: Checked): TemplateResult {
  return html`<div class="check good" role="status">${icons.check}<p>${msg("Checked in this browser: nothing was altered, added or left out")}</p>
    <p>${plural(entries.length, "{n} event stands in the chain, and mastery, reckoned anew from the answers, is what is stated.", "{n} events stand in one chain, and mastery, reckoned anew from the answers, is what is stated.")}
    ${
      signed
        ? rich("Signed by the service {times}, with key {keys}.", {
            times: plural(checkpoints, "{n} time", "{n} times"),
            keys: html`<code dir="ltr">${list(keyIds)}</code>`,
          })
        : msg("Who signed it was not checked: this browser does not know the kind of signature.")
    }</p></div>`;
}

function atFault({ fault }: Checked): TemplateResult {
  const where =
    fault?.index === null || fault?.index === undefined
      ? msg("Line {line} of the export:", { line: String(fault?.line ?? 1) })
      : msg("Event {event}:", { event: String(fault.index) });
  return html`<div class="check bad" role="alert">${icons.alert}<p>${msg("This ledger is not as it was written")}</p>
    <p>${where} ${fault ? faultWords(fault.code) : ""} ${msg("Save it as it is, and show it to whoever runs this service.")}</p></div>`;
}
