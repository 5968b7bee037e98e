import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { returnHere } from "./address.ts";
import type { Sessions } from "./sessions.ts";

/** What stands in the way of saving, above the composer; nothing when nothing does. */
export function notice(sessions: Sessions | null, offline: boolean) {
  const state = sessions?.library.outbox.current.state;
  const signedOut = sessions?.expired || state === "signed-out";
  // Then nothing may be said that promises to keep something.
  if (sessions && !sessions.store.persistent) {
    if (signedOut) return signIn(lostBySigningIn());
    return sessions.refusal ? refused(sessions) : keepsNothing();
  }
  if (offline)
    return html`<p class="notice" role="group">${icons.offline}<span>${msg("You are offline. What you write is kept in this browser.")}</span></p>`;
  if (signedOut) return signIn(msg("Your sign-in has run out. What is not saved yet stays in this browser."));
  if (state === "waiting")
    return html`<p class="notice" role="group">${icons.offline}<span>${msg("The service does not answer. What was answered and changed is kept in this browser and will be saved as soon as it does.")}</span></p>`;
  if (sessions && sessions.library.connection === "waiting" && !sessions.library.loaded)
    return html`<p class="notice" role="group">${icons.offline}<span>${msg("The service does not answer. This is what this browser keeps; what you change goes out as soon as it does.")}</span></p>`;
  return sessions?.refusal ? refused(sessions) : nothing;
}

const lostBySigningIn = () =>
  msg("Your sign-in has run out, and this browser keeps nothing for this site. What is not saved yet is lost when you leave this page.");

const keepsNothing = () =>
  html`<p class="notice" role="group">${icons.alert}<span>${msg("This browser keeps nothing for this site. What is not saved yet is lost when the page closes.")}</span></p>`;

const signIn = (words: string) => html`<p class="notice" role="group">${icons.alert}<span>${words}</span>
  <a href=${`/sign-in?return=${encodeURIComponent(returnHere())}`}>${msg("Sign in")}</a></p>`;

const refused = (sessions: Sessions) =>
  html`<p class="notice" role="group">${icons.alert}<span>${msg("A change could not be saved.")} ${sessions.refusal}</span>
    <button type="button" @click=${() => sessions.forgetRefusal()}>${msg("Close")}</button></p>`;

/** Where the newest of it is, when it is not with the server. */
export function whereabouts(sessions: Sessions | null): string {
  const outbox = sessions?.library.outbox.current;
  if (!outbox?.unsent) return "";
  return outbox.state === "sending" ? msg("Saving…") : msg("In this browser only");
}

/** It is not known who is there, because nobody answers. */
export function unreachable(offline: boolean, again: () => void) {
  return html`<div class="visit"><div class="invite"><div><h2>${offline ? msg("You are offline") : msg("The service does not answer")}</h2>
    <p>${offline ? msg("The workspace opens as soon as the connection is back.") : msg("It may be starting or restarting. Nothing you wrote is lost.")}</p></div>
    <div class="ways"><button type="button" class="button" @click=${again}>${msg("Try again")}</button></div></div></div>`;
}
