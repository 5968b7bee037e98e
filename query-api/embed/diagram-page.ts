import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { html } from "../pages/html.ts";

/** The page in a frame of embedded elements: a script and nothing else. */
export function diagramPage({ scripts }: BuiltUi): string {
  const script = scripts["embed-diagrams"]?.file;
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>Colloquy</title>${script && html`<script type="module" crossorigin src="/assets/${script}"></script>`}</head><body></body></html>`
      .html
  }`;
}
