import type { MessageKey } from "@colloquy/messages/translator.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import type { ConnectorScope } from "@colloquy/schemas/assistants/assistant.ts";
import type { Language } from "@colloquy/schemas/languages.ts";
import { escapeHtml, renderNotice } from "../../http/notice-page.ts";

const style = `
.who{margin-block-start:1.5rem;padding:.875rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--raised);overflow-wrap:anywhere}
.who b{display:block;font-size:1.0625rem}
.who small{color:var(--ink-soft);font-size:.8125rem}
fieldset{margin-block-start:1.5rem;padding:0;border:0}
legend{padding:0;font-weight:600}
label{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;min-block-size:44px;padding:.625rem 0;border-block-end:1px solid var(--line);cursor:pointer}
input{inline-size:1.25rem;block-size:1.25rem;margin-block-start:.125rem;accent-color:var(--accent)}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:1.75rem}
.buttons button{min-block-size:44px;padding:.5rem 1.125rem;border-radius:10px;font:600 .9375rem/1.5 var(--font-ui);color:var(--ink);background:none;border:1px solid var(--line-strong);cursor:pointer}
.buttons .first{background:var(--accent);color:var(--accent-ink);border-color:transparent}
@media (forced-colors:active){.buttons button{border-color:ButtonBorder}}
`;

/** What an assistant asks for, before anything is given. */
export interface Consent {
  /** Where the form leads. */
  action: string;
  /** What the assistant calls itself. */
  clientName: string;
  /** Where the browser goes next: the one thing here that cannot be made up. */
  leadsTo: string;
  account: { key: string; name: string };
  scopes: readonly ConnectorScope[];
  language: Language;
}

const scopeTexts = {
  "sources:read": "page.searchReadPublishedCourses",
  "tutor:read": "page.readTutoringSessionsGoals",
  "tutor:write": "page.startTutoringSessionsPropose",
  "tutor:answer": "page.passAnswersHintsAsk",
} as const satisfies Record<ConnectorScope, MessageKey>;

/** The page that says what an assistant wants to do, of which any part can be refused. It works without scripts. */
export function consentPage({ action, clientName, leadsTo, account, scopes, language }: Consent): string {
  const { msg } = translatorFor(language);
  const escaped: typeof msg = (...message) => escapeHtml(msg(...message));
  const wishes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${escaped(scopeTexts[scope])}</span></label>`,
  );
  return renderNotice({
    language,
    title: msg("page.letAnAssistantIn"),
    text: [
      msg("page.usesOwnModelBehalfGetsNo", {
        name: account.name,
      }),
      msg("page.canDisconnectAnyTime"),
    ],
    html: `<div class="who"><b dir="auto">${escapeHtml(clientName || msg("page.assistantWithoutName"))}</b><small>${escaped("page.callsItselfSoGo", { place: leadsTo && `\u2068${leadsTo}\u2069` })}</small></div>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="account" value="${escapeHtml(account.key)}">
<fieldset><legend>${escaped("page.itMay")}</legend>${wishes.join("")}</fieldset>
<div class="buttons"><button class="first" name="consent" value="allow">${escaped("page.allow")}</button><button name="consent" value="refuse">${escaped("page.deny")}</button><button name="consent" value="other">${escaped("page.useAnotherAccount")}</button></div></form>`,
    style,
    foot: msg("page.servedEmbeddedOpenidProvider"),
  });
}
