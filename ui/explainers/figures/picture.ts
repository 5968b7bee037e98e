import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing } from "lit";
import { styleMap } from "lit/directives/style-map.js";

/** A figure of the course with numbers where its call-outs point, and their words. @param sources whose addresses name the course */
export function pictureFigure({ picture, callouts }: SceneContent<"figure">, sources: readonly Citation[]) {
  const { sourceId, sha256, alt, width, height } = picture;
  const href = sources.find((source) => source.sourceId === sourceId)?.href ?? "";
  const [, , courseId] = href.split(/[/#]/);
  const pin = ({ at, side }: (typeof callouts)[number], index: number) => {
    const translate = `${side.endsWith("left") ? "-100%" : "0"} ${side.startsWith("top") ? "-100%" : "0"}`;
    return html`<b aria-hidden="true" style=${styleMap({ left: `${at.x * 100}%`, top: `${at.y * 100}%`, translate })}>${index + 1}</b>`;
  };
  return html`<div class="pictured"><div class="paper">${
    courseId ? html`<img src="/api/courses/${courseId}/assets/${sha256}" alt=${alt} width=${width} height=${height} loading="lazy">` : alt
  }${callouts.map(pin)}</div>${
    callouts.length > 0 ? html`<ol class="callouts">${callouts.map(({ label }) => html`<li>${label}</li>`)}</ol>` : nothing
  }</div>`;
}
