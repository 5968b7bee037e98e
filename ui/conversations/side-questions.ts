import { css, html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";

/** How lesson and side questions are arranged: side by side, or one in front. */
export type SideQuestionsLayout = "split" | "lesson" | "questions";

const lessonId = (name: string): string => `${name}-lesson`;
const questionsId = (name: string): string => `${name}-questions`;

/** Tabs for the lesson and the side questions, where there is no room for both. */
export function lessonTabs(name: string, shown: SideQuestionsLayout, turn: (to: "lesson" | "questions") => void): TemplateResult {
  const tab = (of: "lesson" | "questions", panel: string, words: string) =>
    html`<button type="button" role="tab" id="${panel}-tab" aria-controls=${panel} aria-selected=${shown === of} tabindex=${shown === of ? 0 : -1} @click=${() => turn(of)}>${words}</button>`;
  const pressed = (event: KeyboardEvent) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const to = event.key === "Home" ? "lesson" : event.key === "End" ? "questions" : shown === "lesson" ? "questions" : "lesson";
    turn(to);
    (event.currentTarget as HTMLElement)
      .querySelector<HTMLElement>(`#${CSS.escape(to === "lesson" ? lessonId(name) : questionsId(name))}-tab`)
      ?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${msg("conversation.lessonAndQuestions")} @keydown=${pressed}>${tab("lesson", lessonId(name), msg("conversation.lesson"))}${tab("questions", questionsId(name), msg("conversation.questions"))}</div>`;
}

/** The lesson in any arrangement; always the same element, so that scroll position and selection survive. */
export const lessonPanel = (name: string, shown: SideQuestionsLayout | null, tutor: TemplateResult): TemplateResult =>
  html`<div class="lesson" id=${lessonId(name)} role=${shown && shown !== "split" ? "tabpanel" : "group"} aria-label=${msg("conversation.lesson")} ?inert=${shown === "questions"}>${tutor}</div>`;

/** The side questions, with a button that closes them. */
export const questionsPanel = (
  name: string,
  shown: SideQuestionsLayout,
  count: number,
  asked: unknown,
  close: () => void,
): TemplateResult =>
  html`<section class="questions" id=${questionsId(name)} role=${shown === "split" ? "region" : "tabpanel"} aria-label=${msg("conversation.questions")} ?inert=${shown === "lesson"}>
    ${
      shown === "split"
        ? html`<header><h2>${msg("conversation.questions")}</h2><button type="button" aria-label=${msg("conversation.closeTheQuestions")} title=${msg("conversation.closeTheQuestions")} @click=${close}>${icons.close}</button></header>`
        : nothing
    }
    ${count ? asked : html`<div class="none"><p>${msg("conversation.askAnythingAboutCourseTypeQuiz", { command: "/quiz" })}</p></div>`}
  </section>`;

export const sideQuestionsStyles = css`
  colloquy-conversation > :is(.lesson, .questions) { display: grid; min-block-size: 0; min-inline-size: 0; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
  colloquy-conversation[data-beside="split"] > .questions { grid-template-rows: auto minmax(0, 1fr); }
  colloquy-conversation > .questions > header { display: flex; align-items: center; justify-content: space-between; min-block-size: 42px; padding-block: 3px; padding-inline: var(--s4) var(--s2); border-block-end: 1px solid var(--line); }
  colloquy-conversation > .questions > header h2 { margin: 0; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-conversation > .questions > header button { display: grid; place-items: center; inline-size: 34px; block-size: 34px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font-size: 17px; cursor: pointer; }
  colloquy-conversation > .questions > header button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-conversation > .questions > .none { align-self: center; padding: var(--s5); font: var(--text-m)/1.5 var(--font-ui); color: var(--ink-soft); text-wrap: pretty; }
  colloquy-conversation > .questions > .none p { max-inline-size: 28rem; margin: 0 auto; }
  colloquy-conversation[data-beside] > :is(.lesson, .questions)[inert] { visibility: hidden; content-visibility: hidden; }
  colloquy-conversation[data-beside="split"] { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr) clamp(23rem, 42%, 40rem); }
  colloquy-conversation[data-beside="split"] > .lesson { grid-area: 1 / 1 / 3; border-inline-end: 1px solid var(--line); }
  colloquy-conversation[data-beside="split"] > .questions { grid-area: 1 / 2; }
  colloquy-conversation[data-beside="split"] > .foot { grid-area: 2 / 2; }
  colloquy-conversation:is([data-beside="lesson"], [data-beside="questions"]) { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); }
  colloquy-conversation:is([data-beside="lesson"], [data-beside="questions"]) > :is(.lesson, .questions) { grid-area: 2 / 1; }
  /* The composer stands in the lesson's column, so that the rails reach the bottom. */
  colloquy-conversation:not([data-beside]):has(> .lesson .rail) { grid-template: auto minmax(0, 1fr) auto / auto minmax(0, 1fr) auto; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail), colloquy-conversation:not([data-beside]) > .lesson:has(.rail) > colloquy-tutor, colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .columns { display: grid; grid-area: 1 / 1 / -1 / -1; grid-template: subgrid / subgrid; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .bar { grid-area: 1 / 1 / 2 / -1; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .columns { grid-area: 2 / 1 / -1 / -1; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .rail { grid-row: 1 / -1; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .rail.path { grid-column: 1; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) .rail.progress { grid-column: 3; }
  colloquy-conversation:not([data-beside]) > .lesson:has(.rail) colloquy-tutor-flow { grid-area: 1 / 2; }
  colloquy-conversation:not([data-beside]):has(> .lesson .rail) > .foot { grid-area: 3 / 2; }
  colloquy-conversation > .tabs { display: grid; grid-template-columns: 1fr 1fr; gap: var(--s1); padding: 0 var(--s3); border-block-end: 1px solid var(--line); }
  colloquy-conversation > .tabs button { min-block-size: 44px; padding: 4px 12px; border: 0; border-block-end: 2px solid transparent; margin-block-end: -1px; background: none; color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-conversation > .tabs button:hover { color: var(--ink); }
  colloquy-conversation > .tabs button[aria-selected="true"] { border-block-end-color: var(--accent); color: var(--ink); font-weight: 600; }
  colloquy-conversation > :is(.tabs, .questions > header) button:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; }
  @media (pointer: coarse) { colloquy-conversation > .questions > header button { inline-size: 44px; block-size: 44px; } }
  @media (forced-colors: active) { colloquy-conversation > .tabs button[aria-selected="true"] { border-block-end-color: Highlight; } }
`;
