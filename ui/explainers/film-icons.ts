import { html, svg, type TemplateResult } from "lit";

const icon = (shape: TemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;

/** Icons of the player's controls. */
export const filmIcons = {
  play: icon(svg`<path d="M7 4.8v10.4l8-5.2z" fill="currentColor"/>`),
  pause: icon(svg`<path d="M7 5v10M13 5v10" stroke-width="2.4"/>`),
  captions: icon(svg`<rect x="3" y="5" width="14" height="10" rx="2"/><path d="M6 11.5h4M12 11.5h2M6 8.7h2M10 8.7h4"/>`),
  sound: icon(svg`<path d="M4 8v4h2.5L10 15V5L6.5 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5.5a6.4 6.4 0 0 1 0 9"/>`),
  muted: icon(svg`<path d="M4 8v4h2.5L10 15V5L6.5 8zM13 8l4 4M17 8l-4 4"/>`),
  beside: icon(
    svg`<rect x="3" y="4.5" width="14" height="11" rx="1.6"/><rect x="10" y="9.5" width="5" height="4" rx="0.8" fill="currentColor" stroke="none"/>`,
  ),
  full: icon(svg`<path d="M7.5 4H4v3.5M12.5 4H16v3.5M7.5 16H4v-3.5M12.5 16H16v-3.5"/>`),
  small: icon(svg`<path d="M4 7.5h3.5V4M16 7.5h-3.5V4M4 12.5h3.5V16M16 12.5h-3.5V16"/>`),
  save: icon(svg`<path d="M10 3.8v8.4M6.4 9 10 12.6 13.6 9M4.5 16h11"/>`),
} as const;
