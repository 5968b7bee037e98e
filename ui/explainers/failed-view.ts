import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { html, nothing } from "lit";
import type { ClientProblem } from "../api/problems.ts";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import type { StoryboardRequest } from "./drafting.ts";
import { wordsOf, wordsOfEdit } from "./problem-words.ts";
import { findingList } from "./scene-card.ts";
import { rated } from "./severity.ts";

export interface Failed {
  ask: StoryboardRequest;
  problem: ClientProblem;
  findings: readonly Finding[];
  again: () => void;
  /** Dismisses the failure; edits stay. */
  leave: () => void;
  /** Opens the form of a scene. */
  change: (sceneId: string) => void;
  /** Discards all edits. */
  leaveEdits: () => void;
}

/** Why drafting a storyboard or checking edits failed, with the available actions. */
export function failedView({ ask, problem, findings, again, leave, change, leaveEdits }: Failed) {
  const isEdit = ask.kind === "edit";
  const { title, advice, retry } = isEdit ? wordsOfEdit(problem) : wordsOf(problem);
  const sceneId = isEdit ? (findings.find((finding) => finding.sceneId !== null)?.sceneId ?? null) : null;
  return html`<section class="trouble" data-part="drawing" tabindex="-1">
    <h3>${icons.alert}${title}</h3>
    ${advice ? html`<p>${advice}</p>` : nothing}
    ${findings.length ? findingList(rated(findings, true)) : nothing}
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
