/** Line icons on a 20 by 20 grid in the text's colour. They always accompany a text. */
const paths = {
  note: '<path d="M4 4.5h12v8.25L12.25 16.5H4z"/><path d="M16 12.75h-3.75v3.75M7 8h6M7 11h3"/>',
  tip: '<path d="M10 2.75a5 5 0 0 0-2.9 9.07c.56.4.9 1.03.9 1.72v.46h4v-.46c0-.69.34-1.32.9-1.72A5 5 0 0 0 10 2.75Z"/><path d="M8.25 17h3.5"/>',
  warning: '<path d="m10 3.25 7.25 12.9H2.75z"/><path d="M10 8.25v3.5M10 13.9v.1"/>',
  important: '<circle cx="10" cy="10" r="7.25"/><path d="M10 6.25v4.5M10 13.4v.1"/>',
  prerequisite: '<path d="M3.5 16.5h3.25V13H10V9.5h3.25V6h3.25"/><path d="M13.5 3.5 16.5 6l-3 2.5"/>',
  questions: '<circle cx="10" cy="10" r="7.25"/><path d="M7.9 7.9a2.1 2.1 0 1 1 3.05 1.87c-.6.3-.95.72-.95 1.48M10 13.75v.1"/>',
  definition:
    '<path d="M4 4.75c2.25-.75 4.25-.5 6 .75 1.75-1.25 3.75-1.5 6-.75v10.5c-2.25-.75-4.25-.5-6 .75-1.75-1.25-3.75-1.5-6-.75z"/><path d="M10 5.5V16"/>',
  example: '<path d="M8 3.25h4M8.75 3.25v4.5L4.4 15.1a1.1 1.1 0 0 0 .95 1.65h9.3a1.1 1.1 0 0 0 .95-1.65l-4.35-7.35v-4.5M6.6 12h6.8"/>',
  testimonial: '<path d="M4 9.25c0-2.5 1.25-4 3.5-4.5M4 9.25h3.75v4.5H4zM11.5 9.25c0-2.5 1.25-4 3.5-4.5M11.5 9.25h3.75v4.5H11.5z"/>',
  discussion: '<path d="M3 4.25h9.5v6.5H8l-2.75 2.5v-2.5H3z"/><path d="M14.75 7.5H17v6.25h-2V16l-2.6-2.25H9.5"/>',
  instructor: '<path d="m10 4 8 3.5-8 3.5-8-3.5z"/><path d="M5.25 9.25v4c1.25 1.25 2.85 1.85 4.75 1.85s3.5-.6 4.75-1.85v-4M18 7.5v4.75"/>',
  exercise: '<path d="m12.9 4.1 3 3L7.4 15.6l-3.65.65.65-3.65zM11.25 5.75l3 3"/>',
  key: '<circle cx="6.75" cy="10" r="3.25"/><path d="M10 10h7M14.25 10v2.75M17 10v1.75"/>',
  chevron: '<path d="m7.5 5 5 5-5 5"/>',
  objectives: '<circle cx="10" cy="10" r="7.25"/><circle cx="10" cy="10" r="3.25"/><path d="M10 10h.01"/>',
} as const;

export type IconName = keyof typeof paths;

/** An icon as inline SVG, hidden from assistive technology. */
export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">${paths[name]}</svg>`;
}
