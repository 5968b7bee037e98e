import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { fromEnglish, msg } from "../messages/page.ts";
import { citationHref } from "../rendering/citations.ts";
import { canMove, dropRefusal, type Path } from "./edits.ts";
import { sceneWords } from "./preview/scene-words.ts";
import { sceneForm } from "./scene-form.ts";
import type { RatedFinding, Severity } from "./severity.ts";
import type { BoardPreview } from "./storyboard-preview.ts";
import { finderNames, layoutNames, problemNames, secondsWords, severityNames } from "./words.ts";

/** The edit actions of a scene. */
export interface SceneActions {
  open(sceneId: string | null): void;
  write(sceneId: string, path: Path, value: unknown): void;
  move(sceneId: string, by: -1 | 1): void;
  drop(sceneId: string): void;
}

export interface SceneCard {
  scenes: readonly Scene[];
  at: number;
  sources: readonly Citation[];
  findings: readonly RatedFinding[];
  /** The form is open. */
  open: boolean;
  invalidFields: ReadonlySet<string>;
  acts: SceneActions | null;
  preview: BoardPreview | null;
}

/** One scene of a storyboard: preview, narration, sources and findings. */
export function sceneCard(card: SceneCard) {
  const { scenes, at, findings, open, invalidFields, acts } = card;
  const scene = scenes[at] as Scene;
  const title = sceneTitle(scene);
  return html`<li class="scene" data-scene=${scene.sceneId}>
    <div class="over"><span class="number">${at + 1}</span><h4>${msg(layoutNames[scene.layout])}<span class="visually-hidden">: ${title}</span></h4><span class="seconds">${secondsWords(scene.seconds)}</span></div>
    ${scenePicture(scene, card.preview)}
    <div class="said">
      <p dir="auto">${scene.narration}</p>
      ${sourceChips(scene, card.sources)}
      ${findings.length ? findingList(findings) : nothing}
      ${invalidFields.size && !open ? html`<p class="note bad">${msg("explainer.somethingSceneMustOpen")}</p>` : nothing}
      ${acts ? actions(card, acts, title) : nothing}
    </div>
    ${open && acts ? sceneForm({ scene, invalidFields, write: (path, value) => acts.write(scene.sceneId, path, value) }) : nothing}
  </li>`;
}

/** The scene's last picture; what it shows in words while there is none. */
function scenePicture(scene: Scene, preview: BoardPreview | null) {
  const shown = preview?.previews.shownOf(scene, preview.settings.aspect);
  if (shown?.kind === "refused")
    return html`<div class="frame"><div class="visually-hidden shows">${sceneWords(scene)}</div><ul class="findings">${shown.findings.map((finding) => html`<li>${icons.alert}<span dir="auto">${fromEnglish(finding)}</span></li>`)}</ul></div>`;
  if (!preview || (!shown && preview.previews.problem)) return html`<div class="frame shows">${sceneWords(scene)}</div>`;
  return html`<div class="shot"><colloquy-scene-still .previews=${preview.previews} .scene=${scene} .settings=${preview.settings} .choose=${() => preview.choose(scene.sceneId)}></colloquy-scene-still>
    <div class="visually-hidden shows">${sceneWords(scene)}</div></div>`;
}

function actions({ scenes, at, open }: SceneCard, acts: SceneActions, title: string) {
  const { sceneId } = scenes[at] as Scene;
  const move = (by: -1 | 1, label: string, icon: unknown) =>
    html`<button type="button" class="quiet" ?disabled=${!canMove(scenes, at, by)} aria-label=${label} title=${label} @click=${() => acts.move(sceneId, by)}>${icon}</button>`;
  const kept = dropRefusal(scenes, at);
  const reason = `kept-${sceneId}`;
  return html`<div class="acts"><button type="button" class="quiet word" aria-expanded=${open} @click=${() => acts.open(open ? null : sceneId)}>${open ? msg("explainer.closeTheFields") : msg("explainer.change")}<span class="visually-hidden">: ${title}</span></button>
    ${move(-1, msg("explainer.earlier", { scene: title }), html`<span class="up">${icons.down}</span>`)}${move(1, msg("explainer.later", { scene: title }), icons.down)}
    <button type="button" class="quiet word" aria-disabled=${kept ? "true" : nothing} aria-describedby=${kept ? reason : nothing} @click=${() => kept ?? acts.drop(sceneId)}>${msg("explainer.remove")}<span class="visually-hidden">: ${title}</span></button>
    ${kept ? html`<span class="kept" id=${reason}>${dropRefusalTexts[kept]()}</span>` : nothing}</div>`;
}

/** Why a scene cannot be dropped; the title and the closing question cannot move either. */
const dropRefusalTexts = {
  ends: () => msg("explainer.everyFilmBeginsTitle"),
  fewest: () => msg("explainer.filmLeastScenes", { n: filmBounds.scenes.min }),
};

/** A scene's sources, each linked to the quoted passage. */
function sourceChips({ sourceIds, quotes }: Pick<Scene, "sourceIds" | "quotes">, sources: readonly Citation[]) {
  const cited = sources.filter(({ sourceId }) => sourceIds.includes(sourceId));
  if (!cited.length) return nothing;
  return html`<ul class="sources" aria-label=${msg("explainer.sources")}>${cited.map((source) => {
    const quote = quotes.find(({ sourceId }) => sourceId === source.sourceId)?.quote ?? source.quote;
    return html`<li><a href=${citationHref({ ...source, quote })} title=${quote}><span class="cite" aria-hidden="true">${source.number}</span><bdi>${source.title}</bdi></a></li>`;
  })}</ul>`;
}

/** Findings of the review with their severity, and who found each. */
export function findingList(findings: readonly RatedFinding[], whole = false) {
  return html`<ul class=${whole ? "findings whole" : "findings"}>${findings.map(findingItem)}</ul>`;
}

const severityIcons: Readonly<Record<Severity, unknown>> = { error: icons.close, warning: icons.alert, remark: icons.hint };

function findingItem({ problem, detail, by, severity }: RatedFinding) {
  return html`<li class=${severity}>${severityIcons[severity]}<span><span class="severity">${msg(severityNames[severity])}</span> <b>${msg(problemNames[problem])}</b> <span dir="auto">${fromEnglish(detail)}</span> <small>${msg(finderNames[by])}</small></span></li>`;
}
