import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { returnHere } from "./address.ts";
import type { Sessions } from "./sessions.ts";

/** What stands in the way of saving, above the composer; nothing when nothing does. */
export function notice(sessions: Sessions | null, offline: boolean) {
  const state = sessions?.library.outbox.current.state;
  if (offline)
    return html`<p class="notice" role="group">${icons.offline}<span>You are offline. What you write is kept in this browser.</span></p>`;
  if (sessions?.expired || state === "signed-out")
    return html`<p class="notice" role="group">${icons.alert}<span>Your sign-in has run out. What is not saved yet stays in this browser.</span>
      <a href=${`/sign-in?return=${encodeURIComponent(returnHere())}`}>Sign in</a></p>`;
  if (state === "waiting")
    return html`<p class="notice" role="group">${icons.offline}<span>The service does not answer. What you asked is kept in this browser and will be saved as soon as it does.</span></p>`;
  if (sessions?.refusal)
    return html`<p class="notice" role="group">${icons.alert}<span>A change could not be saved. ${sessions.refusal}</span>
      <button type="button" @click=${() => sessions.forgetRefusal()}>Close</button></p>`;
  return nothing;
}

/** Where the newest of it is, when it is not with the server. */
export function whereabouts(sessions: Sessions | null): string {
  const outbox = sessions?.library.outbox.current;
  if (!outbox?.unsent) return "";
  return outbox.state === "sending" ? "Saving…" : "In this browser only";
}

/** It is not known who is there, because nobody answers. */
export function unreachable(offline: boolean, again: () => void) {
  return html`<div class="visit"><div class="invite"><div><h2>${offline ? "You are offline" : "The service does not answer"}</h2>
    <p>${offline ? "The workspace opens as soon as the connection is back." : "It may be starting or restarting. Nothing you wrote is lost."}</p></div>
    <div class="ways"><button type="button" class="button" @click=${again}>Try again</button></div></div></div>`;
}
