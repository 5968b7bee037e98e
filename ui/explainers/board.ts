import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { list, msg } from "../messages/page.ts";
import type { Edits } from "./edits.ts";
import { isChanged, lengthOf } from "./edits.ts";
import { findingList, type SceneActions, sceneCard } from "./scene-card.ts";
import { type RatedFinding, rated, severities } from "./severity.ts";
import type { BoardPreview } from "./storyboard-preview.ts";
import { secondsWords, severityCounts } from "./words.ts";

export interface Board {
  storyboard: Storyboard;
  findings: readonly Finding[];
  /** The findings are why it did not pass. */
  refused: boolean;
  /** The unsaved edits, if any. */
  edits: Edits | null;
  /** The scene whose fields are open. */
  openScene: string | null;
  invalidFieldsOf: (scene: Scene) => ReadonlySet<string>;
  acts: SceneActions | null;
  /** None while there is no job. */
  preview: BoardPreview | null;
  undo(): void;
  leave(): void;
  check(): void;
}

/** A storyboard: its scenes with their findings and, when edited, undo, discard and check. */
export function board(view: Board) {
  const { storyboard, edits, openScene, invalidFieldsOf, acts, preview } = view;
  const scenes = edits?.scenes ?? storyboard.scenes;
  const changed = edits !== null && isChanged(edits);
  const findings = rated(view.findings, view.refused);
  const ofAll = findings.filter(({ sceneId }) => sceneId === null);
  return html`<h3 class="visually-hidden">${msg("explainer.storyboard")}</h3>
    ${findings.length ? html`<p class="finding-count">${countOf(findings)}</p>` : nothing}
    ${ofAll.length ? findingList(ofAll, true) : nothing}
    ${preview ? html`<colloquy-preview .previews=${preview.previews} .scenes=${scenes} .storyboardTitle=${storyboard.title} .language=${storyboard.language} .settings=${preview.settings} ?voices=${preview.voices}></colloquy-preview>` : nothing}
    <ol class="scenes" lang=${storyboard.language}>${repeat(
      scenes,
      ({ sceneId }) => sceneId,
      (scene, at) =>
        sceneCard({
          scenes,
          at,
          acts,
          preview,
          sources: storyboard.sources,
          findings: findings.filter(({ sceneId }) => sceneId === scene.sceneId),
          open: openScene === scene.sceneId,
          invalidFields: edits ? invalidFieldsOf(scene) : none,
        }),
    )}</ol>
    ${changed ? changes(view, edits, scenes) : nothing}`;
}

/** "2 errors, 1 remark" */
const countOf = (findings: readonly RatedFinding[]): string =>
  list(
    severities.flatMap((severity) => {
      const n = findings.filter((one) => one.severity === severity).length;
      return n > 0 ? msg(severityCounts[severity], { n }) : [];
    }),
    "unit",
  );

const none: ReadonlySet<string> = new Set();

/** Edited scenes must be checked before a video is made. */
function changes({ undo, leave, check, invalidFieldsOf }: Board, edits: Edits, scenes: readonly Scene[]) {
  const { seconds, fits } = lengthOf(scenes);
  const broken = scenes.filter((scene) => invalidFieldsOf(scene).size > 0).length;
  const why =
    fits === "long"
      ? msg("explainer.longerThanMinuteShorten", { seconds: secondsWords(seconds) })
      : fits === "short"
        ? msg("explainer.shorterThanHalfMinute", { seconds: secondsWords(seconds) })
        : broken
          ? msg("explainer.scenesProblems", { n: broken })
          : msg("explainer.videoLongChangesCheckedAgainstCourse", {
              seconds: secondsWords(seconds),
            });
  const fine = fits === "yes" && broken === 0;
  return html`<div class="changes" data-part="changes" tabindex="-1"><p class=${fine ? "" : "bad"}>${fine ? nothing : icons.alert}${why}</p>
    <div class="ways"><button type="button" class="button button-primary" ?disabled=${!fine} @click=${check}>${msg("explainer.checkAgain")}</button>
    <button type="button" class="button" ?disabled=${edits.past.length === 0} @click=${undo}>${icons.undo}${msg("common.undo")}</button>
    <button type="button" class="button plain" @click=${leave}>${msg("explainer.leaveAllChanges")}</button></div></div>`;
}
