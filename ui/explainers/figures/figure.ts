import { intervalsOf, modelTex, stabilityTex } from "@colloquy/schemas/explainers/forgetting.ts";
import { numberLineFacts } from "@colloquy/schemas/explainers/number-line.ts";
import { planeFacts } from "@colloquy/schemas/explainers/plane.ts";
import type { Scene, SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing, type TemplateResult } from "lit";
import { msg } from "../../messages/page.ts";
import { diagramFigure } from "./diagram.ts";
import "./formula.ts";
import { pictureFigure } from "./picture.ts";
import { plotFigure } from "./plot.ts";

/** A preview of a scene by its layout: labels and pictures without the narration. @param sources of the storyboard */
export function sceneFigure(scene: Scene, sources: readonly Citation[]): TemplateResult {
  return html`<div class="frame ${scene.layout}" dir="auto">${shown(scene, sources)}</div>`;
}

function shown(scene: Scene, sources: readonly Citation[]): TemplateResult {
  switch (scene.layout) {
    case "title":
      return html`<p class="great">${scene.content.heading}</p>${scene.content.subtitle ? html`<p class="under">${scene.content.subtitle}</p>` : nothing}`;
    case "points":
    case "recap":
      return html`${head(scene.content.heading)}<ul class="points">${scene.content.points.map((point) => html`<li>${point}</li>`)}</ul>`;
    case "formula":
      return html`${head(scene.content.heading)}<div class="terms">${scene.content.terms.map(
        ({ tex, label }, at, { length }) =>
          html`<span class="term"><colloquy-film-formula .tex=${amongOthers(tex, at, length)}></colloquy-film-formula>${label ? html`<small>${label}</small>` : nothing}</span>`,
      )}</div>`;
    case "diagram":
    case "build":
      return html`${head(scene.content.heading)}${diagramFigure(scene.content)}`;
    case "code":
      return html`${head(scene.content.heading)}${codeFigure(scene.content)}`;
    case "compare":
      return html`${head(scene.content.heading)}<div class="sides">${[scene.content.left, scene.content.right].map(
        ({ title, points }) => html`<div><b>${title}</b><ul>${points.map((point) => html`<li>${point}</li>`)}</ul></div>`,
      )}</div>`;
    case "plot":
      return html`${head(scene.content.heading)}${plotFigure(scene.content)}`;
    case "plane":
      return html`${head(scene.content.heading)}<div class="terms">${planeFacts(scene.content).map(
        ({ states }) => html`<span class="term"><colloquy-film-formula .tex=${states.at(-1) ?? ""}></colloquy-film-formula></span>`,
      )}</div>`;
    case "number-line":
      return html`${head(scene.content.heading)}<div class="terms">${numberLineFacts(scene.content).map(
        (tex) => html`<span class="term"><colloquy-film-formula .tex=${tex}></colloquy-film-formula></span>`,
      )}</div>`;
    case "timeline":
      return html`${head(scene.content.heading)}<ul class="points">${scene.content.lanes.map(
        ({ label, marks }) => html`<li>${label}: ${marks.map(({ at }) => at).join(", ")} (${scene.content.unit})</li>`,
      )}</ul>`;
    case "forgetting":
      return html`${head(scene.content.heading)}<div class="terms">${[
        modelTex,
        ...intervalsOf(scene.content).slice(0, 1).map(stabilityTex),
      ].map((tex) => html`<span class="term"><colloquy-film-formula .tex=${tex}></colloquy-film-formula></span>`)}</div>`;
    case "derive":
      return html`${head(scene.content.heading)}<div class="terms">${scene.content.steps.map(
        ({ tex, reason }) =>
          html`<span class="term"><colloquy-film-formula .tex=${tex}></colloquy-film-formula>${reason ? html`<small>${reason}</small>` : nothing}</span>`,
      )}</div>`;
    case "table": {
      const { heading, columns, rows } = scene.content;
      return html`${head(heading)}<table><thead><tr>${columns.map((name) => html`<th>${name}</th>`)}</tr></thead><tbody>${rows.map(
        (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody></table>`;
    }
    case "figure":
      return html`${head(scene.content.heading)}${pictureFigure(scene.content, sources)}`;
    case "trace": {
      const { heading, code, start, printed } = scene.content;
      return html`${head(heading)}<pre dir="ltr" tabindex="0" aria-label=${msg("editor.code")}><code>${[code, start, printed].filter(Boolean).join("\n\n")}</code></pre>`;
    }
    case "question":
      return html`<p class="asks">${scene.content.question}</p><ol class="choices">${scene.content.choices.map((choice) => html`<li>${choice}</li>`)}</ol>`;
  }
}

/** Adds empty neighbours to a term, so that an operator at its edge keeps its spacing. */
const amongOthers = (tex: string, at: number, length: number) => `${at > 0 ? "{}" : ""}${tex}${at < length - 1 ? "{}" : ""}`;

const head = (heading: string) => html`<p class="heading">${heading}</p>`;

/** Numbered code, with the lines that are highlighted step by step. */
function codeFigure({ code, steps }: SceneContent<"code">) {
  const lines = code.replace(/\n$/, "").split("\n");
  const stepOf = (line: number) => steps.findIndex(({ from, to }) => line >= from && line <= to);
  return html`<pre dir="ltr" tabindex="0" aria-label=${msg("editor.code")}><code>${lines.map(
    (line, index) => html`<span class=${stepOf(index + 1) === -1 ? "line" : "line lit"}>${line || " "}</span>`,
  )}</code></pre>
  ${
    steps.some(({ label }) => label)
      ? html`<ol class="steps">${steps.map(
          ({ from, to, label }) =>
            html`<li><span>${from === to ? msg("explainer.line", { from }) : msg("explainer.linesTo", { from, to })}</span> ${label}</li>`,
        )}</ol>`
      : nothing
  }`;
}
