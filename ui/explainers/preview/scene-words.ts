import { onScreen } from "@colloquy/schemas/explainers/on-screen.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import { screenLineView } from "../screen-line.ts";

/** What a scene shows, in words. */
export function sceneWords(scene: Scene) {
  const lines = onScreen(scene);
  return html`<p class="heading" dir="auto">${sceneTitle(scene)}</p>${lines.length > 0 ? html`<ul dir="auto">${lines.map((line) => html`<li>${screenLineView(line)}</li>`)}</ul>` : nothing}`;
}
