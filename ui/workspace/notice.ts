import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { currentPath } from "./address.ts";
import type { Sessions } from "./sessions.ts";

/** The notice above the composer about what prevents saving, if anything. */
export function notice(sessions: Sessions | null, offline: boolean) {
  const state = sessions?.library.outbox.status.state;
  const signedOut = sessions?.expired || state === "signed-out";
  // Without storage, no text may promise to keep anything.
  if (sessions && !sessions.store.persistent) {
    if (signedOut) return signIn(lostBySigningIn());
    return sessions.refusal ? refused(sessions) : keepsNothing();
  }
  if (offline) return html`<p class="notice" role="group">${icons.offline}<span>${msg("workspace.offlineWriteKeptBrowser")}</span></p>`;
  if (signedOut) return signIn(msg("workspace.signExpiredUnsavedWorkStaysBrowser"));
  if (state === "waiting")
    return html`<p class="notice" role="group">${icons.offline}<span>${msg("workspace.serviceDoesNotRespondAnswersChanges")}</span></p>`;
  if (sessions && sessions.library.connection === "waiting" && !sessions.library.loaded)
    return html`<p class="notice" role="group">${icons.offline}<span>${msg("workspace.serviceDoesNotRespondSeeWhat")}</span></p>`;
  if (sessions?.refusal) return refused(sessions);
  return sessions?.unattached ? notAttached(sessions, sessions.unattached) : nothing;
}

function notAttached(sessions: Sessions, { page, reason }: NonNullable<Sessions["unattached"]>) {
  const again = html`<button type="button" @click=${() => void sessions.attachCarriedPage(page)}>${msg("common.tryAgain")}</button>`;
  return html`<p class="notice" role="group">${icons.alert}<span>${reason === "missing" ? msg("workspace.pageNotFoundNotAttached") : msg("workspace.pageNotLoadedNotAttached")}</span>
    ${reason === "missing" ? nothing : again}<button type="button" @click=${() => sessions.dismissUnattached()}>${msg("common.close")}</button></p>`;
}

const lostBySigningIn = () => msg("workspace.signRunOutBrowser");

const keepsNothing = () => html`<p class="notice" role="group">${icons.alert}<span>${msg("workspace.browserKeepsNothingSite")}</span></p>`;

const signIn = (words: string) => html`<p class="notice" role="group">${icons.alert}<span>${words}</span>
  <a href=${`/sign-in?return=${encodeURIComponent(currentPath())}`}>${msg("common.signIn")}</a></p>`;

const refused = (sessions: Sessions) =>
  html`<p class="notice" role="group">${icons.alert}<span>${msg("workspace.changeCouldNotSaved")} ${sessions.refusal}</span>
    <button type="button" @click=${() => sessions.dismissRefusal()}>${msg("common.close")}</button></p>`;

/** Whether changes are being saved or exist only in this browser; empty if all is saved. */
export function saveStatus(sessions: Sessions | null): string {
  const outbox = sessions?.library.outbox.status;
  if (!outbox?.unsent) return "";
  return outbox.state === "sending" ? msg("workspace.saving") : msg("workspace.inThisBrowserOnly");
}

/** Shown when the service cannot be reached and the account is unknown. */
export function unreachable(offline: boolean, again: () => void) {
  return html`<div class="visit"><div class="invite"><div><h2>${offline ? msg("common.youAreOffline") : msg("embed.serviceDoesAnswer2")}</h2>
    <p>${offline ? msg("workspace.workspaceOpensSoonConnection") : msg("workspace.mayStartingRestartingNothing")}</p></div>
    <div class="ways"><button type="button" class="button" @click=${again}>${msg("common.tryAgain")}</button></div></div></div>`;
}
