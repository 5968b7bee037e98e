import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import type { ClientProblem } from "../api/problems.ts";
import { icons } from "../controls/icons.ts";
import { fromEnglish, msg } from "../messages/page.ts";
import type { StoryboardRequest } from "./drafting.ts";
import { wordsOf, wordsOfEdit } from "./problem-words.ts";
import { findingList } from "./scene-card.ts";
import { rated } from "./severity.ts";

export interface Failed {
  ask: StoryboardRequest;
  problem: ClientProblem;
  findings: readonly Finding[];
  storyboard: Storyboard | null;
  again: () => void;
  /** Dismisses the failure; edits stay. */
  leave: () => void;
  /** Opens the form of a scene. */
  change: (sceneId: string) => void;
  /** Discards all edits. */
  leaveEdits: () => void;
}

/** What a model says instead of a storyboard when the page gives none with the chosen focus; null for any other failure. */
function declinedBecause({ ask, problem, findings: [finding], storyboard }: Failed): string | null {
  if (ask.kind === "edit" || problem.code !== "storyboard_rejected" || storyboard) return null;
  return finding?.by === "model" && finding.sceneId === null ? finding.detail : null;
}

/** Why drafting a storyboard or checking edits failed, with the available actions. */
export function failedView(failed: Failed) {
  const { ask, problem, findings, again, leave, change, leaveEdits } = failed;
  const declined = declinedBecause(failed);
  if (declined !== null)
    return html`<section class="trouble calm" data-part="drawing" tabindex="-1">
      <h3>${msg("explainer.noVideoWithFocus")}</h3>
      <p dir="auto">${fromEnglish(declined)}</p>
      <p class="ways"><button type="button" class="button button-primary" @click=${leave}>${msg("explainer.chooseAnotherFocus")}</button>
        <button type="button" class="button" @click=${again}>${msg("common.tryAgain")}</button></p>
    </section>`;
  const isEdit = ask.kind === "edit";
  const { title, advice, retry } = isEdit ? wordsOfEdit(problem) : wordsOf(problem);
  // Nobody can change the layout of a storyboard that was not kept.
  const told = isEdit ? findings : findings.filter(({ problem: found }) => found !== "layout");
  const sceneId = isEdit ? (findings.find((finding) => finding.sceneId !== null)?.sceneId ?? null) : null;
  return html`<section class="trouble" data-part="drawing" tabindex="-1">
    <h3>${icons.alert}${title}</h3>
    ${advice ? html`<p>${advice}</p>` : nothing}
    ${told.length ? findingList(rated(told, true)) : nothing}
    <p class="ways">${retry ? html`<button type="button" class="button button-primary" @click=${again}>${msg("common.tryAgain")}</button>` : nothing}
      ${sceneId ? html`<button type="button" class="button button-primary" @click=${() => change(sceneId)}>${msg("explainer.changeSceneAbout")}</button>` : nothing}
      ${
        !isEdit
          ? html`<button type="button" class="button" @click=${leave}>${msg("explainer.chooseAgain")}</button>`
          : problem.code === "storyboard_rejected"
            ? html`<button type="button" class="button" @click=${leaveEdits}>${msg("explainer.leaveAllChanges")}</button>`
            : html`<button type="button" class="button" @click=${leave}>${msg("explainer.keepEditing")}</button>`
      }</p>
  </section>`;
}
