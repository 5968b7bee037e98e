import { html, nothing } from "lit";
import type { ClientProblem } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import { wordsOf } from "./problem-words.ts";

export interface Unavailable {
  problem: ClientProblem;
  offline: boolean;
  /** The element is in another site's page. */
  isEmbedded: boolean;
  /** The read is being retried automatically. */
  isRetrying: boolean;
  retry(): void;
}

/** The message shown instead of the videos when they cannot be loaded. */
export function unavailableView({ problem, offline, isEmbedded, isRetrying, retry }: Unavailable) {
  const { code } = problem;
  if (code === "sign_in_required")
    return html`<div class="says"><h2 tabindex="-1">${msg("common.signGo")}</h2><p>${msg("explainer.onlyVideosOwnerWatch")}</p>${isEmbedded ? nothing : html`<p><a class="button" href="/sign-in?return=${encodeURIComponent(location.pathname + location.search)}">${msg("common.signIn")}</a></p>`}</div>`;
  if (code === "not_allowed" || code === "not_found" || code === "not_owner")
    return html`<div class="says"><h2 tabindex="-1">${msg("explainer.noFilmsHere")}</h2><p>${msg("explainer.pageNotFoundAccountMayNot")}</p></div>`;
  const { title, advice } = wordsOf(problem);
  return html`<div class="says"><h2 tabindex="-1">${offline ? msg("common.youAreOffline") : title}</h2>
    <p>${offline ? msg("explainer.videosAppearWhenConnectionBack") : advice}</p>
    ${isRetrying && !offline ? html`<p>${msg("explainer.retryingAutomatically")}</p>` : nothing}
    <button type="button" class="button" @click=${retry}>${msg("common.tryAgain")}</button></div>`;
}
