import { html, svg, type TemplateResult } from "lit";

const icon = (shape: TemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;

/** Icons of the editor that the shared set does not have. */
export const editorIcons = {
  up: icon(svg`<path d="M10 16V4.5M5.5 8.8 10 4.3l4.5 4.5"/>`),
  down: icon(svg`<path d="M10 4v11.5M5.5 11.2 10 15.7l4.5-4.5"/>`),
  grip: icon(
    svg`<g fill="currentColor" stroke="none"><circle cx="7.5" cy="5" r="1.3"/><circle cx="12.5" cy="5" r="1.3"/><circle cx="7.5" cy="10" r="1.3"/><circle cx="12.5" cy="10" r="1.3"/><circle cx="7.5" cy="15" r="1.3"/><circle cx="12.5" cy="15" r="1.3"/></g>`,
  ),
  undo: icon(svg`<path d="M7.5 5 4 8.5 7.5 12M4.5 8.5h7a4.2 4.2 0 0 1 0 8.4H9"/>`),
  redo: icon(svg`<path d="M12.5 5 16 8.5 12.5 12M15.5 8.5h-7a4.2 4.2 0 0 0 0 8.4H11"/>`),
  outline: icon(svg`<path d="M4 5h12M7.5 10H16M7.5 15H16"/><path d="M4 10h.01M4 15h.01" stroke-width="2.4"/>`),
  takeIn: icon(svg`<path d="M10 3.5v8.5M6.3 8.5 10 12.2l3.7-3.7M4 13v3.2h12V13"/>`),
} as const;
