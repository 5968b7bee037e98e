import { html, svg, type TemplateResult } from "lit";

const icon = (shape: TemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;

export const icons = {
  send: icon(svg`<path d="M10 16V4.5M5 9.2 10 4.2l5 5"/>`),
  stop: icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.6" fill="currentColor" stroke="none"/>`),
  undo: icon(svg`<path d="M7.5 5 4 8.5 7.5 12M4.5 8.5h7a4.2 4.2 0 0 1 0 8.4H9"/>`),
  redo: icon(svg`<path d="M12.5 5 16 8.5 12.5 12M15.5 8.5h-7a4.2 4.2 0 0 0 0 8.4H11"/>`),
  close: icon(svg`<path d="m6 6 8 8M14 6l-8 8"/>`),
  menu: icon(svg`<path d="M3.5 6h13M3.5 10h13M3.5 14h13"/>`),
  compose: icon(
    svg`<path d="M10.5 4.5h-4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-4"/><path d="m9 11 .5-2 5.6-5.6a1.1 1.1 0 0 1 1.5 1.5L11 10.5z"/>`,
  ),
  add: icon(svg`<path d="M10 5v10M5 10h10"/>`),
  microphone: icon(svg`<rect x="7.5" y="3" width="5" height="9" rx="2.5"/><path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5"/>`),
  down: icon(svg`<path d="m6 8.5 4 4 4-4"/>`),
  toEnd: icon(svg`<path d="M10 4v11M5.2 10.6 10 15.4l4.8-4.8"/>`),
  previous: icon(svg`<path d="m11.5 6-4 4 4 4"/>`),
  next: icon(svg`<path d="m8.5 6 4 4-4 4"/>`),
  model: icon(svg`<path d="M10 3.5 11.6 8.4 16.5 10l-4.9 1.6L10 16.5l-1.6-4.9L3.5 10l4.9-1.6z"/>`),
  quiz: icon(svg`<path d="M7.6 7.4a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .8-1 1.6M10 13.9v.1"/><circle cx="10" cy="10" r="7"/>`),
  partly: icon(svg`<circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" stroke="none"/>`),
  hint: icon(svg`<path d="M10 3.5a4.8 4.8 0 0 0-2.6 8.8c.4.3.6.7.6 1.2h4c0-.5.2-.9.6-1.2A4.8 4.8 0 0 0 10 3.5zM8.4 16.5h3.2"/>`),
  pause: icon(svg`<path d="M7.5 5.5v9M12.5 5.5v9"/>`),
  path: icon(svg`<circle cx="5" cy="5" r="1.8"/><circle cx="5" cy="15" r="1.8"/><path d="M5 6.8v6.4M9.5 5h6M9.5 15h6"/>`),
  progress: icon(svg`<path d="M4 15.5h12M5.5 12.5v-3M10 12.5v-8M14.5 12.5v-5"/>`),
  check: icon(svg`<path d="m5 10.5 3.4 3.4L15.2 7"/>`),
  alert: icon(svg`<path d="M10 6.4v4.4M10 13.6v.1"/><circle cx="10" cy="10" r="7"/>`),
  split: icon(svg`<rect x="3.5" y="4.5" width="13" height="11" rx="1.6"/><path d="M10 4.5v11"/>`),
  more: icon(svg`<path d="M4.6 10h.01M10 10h.01M15.4 10h.01" stroke-width="2.4"/>`),
  side: icon(svg`<rect x="3.5" y="4.5" width="13" height="11" rx="1.6"/><path d="M8 4.5v11"/>`),
  page: icon(svg`<path d="M5.5 3.5h6l3 3v10h-9z"/><path d="M11.5 3.5v3h3M8 10h4M8 13h4"/>`),
  ledger: icon(svg`<path d="M5 3.5h10.5v13H5a1.5 1.5 0 0 1 0-3h10.5M5 3.5A1.5 1.5 0 0 0 3.5 5v10M7.5 7h5"/>`),
  film: icon(svg`<rect x="3.5" y="4.5" width="13" height="11" rx="1.6"/><path d="M8.5 8v4l3.4-2z"/>`),
  talk: icon(svg`<path d="M4 5.5h12v8.5H9.5L6 17v-3H4z"/>`),
  settings: icon(svg`<path d="M4 6.5h7M15 6.5h1M4 13.5h1M9 13.5h7"/><circle cx="13" cy="6.5" r="1.9"/><circle cx="7" cy="13.5" r="1.9"/>`),
  offline: icon(svg`<path d="M4 4l12 12M3 9.2a9.6 9.6 0 0 1 3-2M17 9.2a9.8 9.8 0 0 0-6-2.7M5.8 12a5.9 5.9 0 0 1 2.8-1.5M10 15.2v.1"/>`),
} as const;
