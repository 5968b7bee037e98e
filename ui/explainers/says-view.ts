import { html, nothing } from "lit";
import type { ClientProblem } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import { wordsOf } from "./problem-words.ts";

export interface Says {
  problem: ClientProblem;
  offline: boolean;
  /** The page is another site's. */
  foreign: boolean;
  /** It is tried again by itself. */
  goesOn: boolean;
  again(): void;
}

/** What is said in the place of everything where nothing can be shown. */
export function saysView({ problem, offline, foreign, goesOn, again }: Says) {
  const { code } = problem;
  if (code === "sign_in_required")
    return html`<div class="says"><h2 tabindex="-1">${msg("Sign in to go on")}</h2><p>${msg("A film is only shown to whoever it belongs to.")}</p>${foreign ? nothing : html`<p><a class="button" href="/sign-in?return=${encodeURIComponent(location.pathname + location.search)}">${msg("Sign in")}</a></p>`}</div>`;
  if (code === "not_allowed" || code === "not_found" || code === "not_owner")
    return html`<div class="says"><h2 tabindex="-1">${msg("No films here")}</h2><p>${msg("There is no such page, or this account may not make films of it.")}</p></div>`;
  const { title, advice } = wordsOf(problem);
  return html`<div class="says"><h2 tabindex="-1">${offline ? msg("You are offline") : title}</h2>
    <p>${offline ? msg("Films are kept by the service. They show as soon as the connection is back.") : advice}</p>
    ${goesOn && !offline ? html`<p>${msg("It is tried again by itself.")}</p>` : nothing}
    <button type="button" class="button" @click=${again}>${msg("Try again")}</button></div>`;
}
