import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, svg } from "lit";
import { msg } from "../../messages/page.ts";
import { boxSize, placeBoxes, wrapLabel } from "./boxes.ts";

/** A diagram as boxes and arrows, with a text alternative that lists the arrows. */
export function diagramFigure(content: SceneContent<"diagram" | "build">) {
  const { width, height, boxes, arrows, lifelines } = placeBoxes(content);
  const names = new Map(content.nodes.map(({ key, label }) => [key, label]));
  const told = content.edges.map(({ from, to, label }) => {
    const ends = { from: names.get(from) ?? from, to: names.get(to) ?? to };
    return label ? msg("explainer.to2", { ...ends, label }) : msg("explainer.to3", ends);
  });
  return html`<svg class="diagram" viewBox="-6 -6 ${width + 12} ${height + 12}" role="img" aria-label=${told.join("; ")} direction="ltr">
    ${lifelines.map(({ x, from, to }) => svg`<line class="life" x1=${x} x2=${x} y1=${from} y2=${to} />`)}
    ${arrows.map(({ from, to, by, label, at }) => {
      const towards = by ?? from;
      const turn = (Math.atan2(to.y - towards.y, to.x - towards.x) * 180) / Math.PI;
      return svg`<path class="arrow" d=${by ? `M${from.x} ${from.y}Q${by.x} ${by.y} ${to.x} ${to.y}` : `M${from.x} ${from.y}L${to.x} ${to.y}`} />
        <path class="head" d="M0 0L-9 -4.5L-9 4.5Z" transform="translate(${to.x} ${to.y}) rotate(${turn})" />
        ${label ? svg`<text class="said" x=${at.x} y=${at.y}>${wrapLabel(label, 22)[0]}</text>` : null}`;
    })}
    ${boxes.map(({ label, x, y }) => {
      const lines = wrapLabel(label, 16);
      return svg`<rect class="box" x=${x} y=${y} width=${boxSize.width} height=${boxSize.height} rx="10" />
        ${lines.map((line, index) => svg`<text class="label" x=${x + boxSize.width / 2} y=${y + boxSize.height / 2 + (index - (lines.length - 1) / 2) * 18}>${line}</text>`)}`;
    })}
  </svg>`;
}
