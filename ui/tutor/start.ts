import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { list, msg } from "../messages/page.ts";
import { lineView } from "../rendering/line-view.ts";
import { TutorEvent } from "./events.ts";
import { courseIdOf, type ListedCourse } from "./tutoring.ts";
import { sessionWords } from "./words.ts";

/** With at least this many courses the list has a filter. */
const filterFrom = 7;
/** Courses shown at once. */
const maxShown = 40;

/**
 * @summary The start of tutoring: an introduction and the choice of a course, which is never guessed. The goal is written in the composer.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-start")
export class TutorStart extends LightElement {
  static override lightStyles = [
    css`
      colloquy-tutor-start { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s5); font: var(--text-m)/1.5 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-start h2 { margin: 0; font: 600 clamp(1.6rem, 1.2rem + 1.6vw, 2.125rem)/1.2 var(--font-read); letter-spacing: -.012em; color: var(--ink); text-wrap: balance; }
      colloquy-tutor-start p { margin: 8px 0 0; text-wrap: pretty; }
      colloquy-tutor-start fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
      colloquy-tutor-start legend { padding: 0; margin-block-end: var(--s2); font-size: var(--text-s); font-weight: 600; color: var(--ink-soft); }
      colloquy-tutor-start input[type="search"] { inline-size: 100%; min-block-size: 40px; padding: 6px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: inherit; }
      colloquy-tutor-start .courses { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
      colloquy-tutor-start label { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 12px; padding: 12px 14px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); cursor: pointer; transition: border-color var(--fast) var(--ease), background var(--fast) var(--ease); }
      colloquy-tutor-start label:hover { border-color: var(--line-strong); }
      colloquy-tutor-start label:has(:checked) { border-color: var(--accent); background: var(--accent-wash); }
      colloquy-tutor-start label:has(:focus-visible), colloquy-tutor-start :is(button, input[type="search"]):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      colloquy-tutor-start input[type="radio"] { inline-size: 18px; block-size: 18px; margin: 3px 0 0; accent-color: var(--accent); }
      colloquy-tutor-start input[type="radio"]:focus-visible { outline: none; box-shadow: none; }
      colloquy-tutor-start b { font: 600 1.0625rem/1.4 var(--font-read); color: var(--ink); }
      colloquy-tutor-start small { grid-column: 2; font-size: var(--text-s); color: var(--ink-soft); display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
      /* Where the text reads the other way, its "…" hangs beyond the line. */
      colloquy-tutor-start small:not(.facts) { margin-inline-end: -12px; padding-inline-end: 12px; }
      colloquy-tutor-start small.facts { color: var(--ink-faint); font-size: var(--text-xs); margin-block-start: 2px; }
      colloquy-tutor-start label:has(:checked) small.facts { color: var(--ink-soft); }
      colloquy-tutor-start i { display: block; block-size: 4.2rem; border-radius: var(--r-m); background: var(--sunken); animation: colloquy-wait var(--pulse, 1.4s) ease-in-out infinite; }
      @keyframes colloquy-wait { 50% { opacity: .45; } }
      @media (prefers-reduced-motion: reduce) { colloquy-tutor-start i { animation: none; } }
      colloquy-tutor-start button:not(.button) { color: var(--accent); font: 600 var(--text-m)/1.5 var(--font-ui); background: none; border: 0; padding: 4px 0; cursor: pointer; }
      colloquy-tutor-start h3 { margin: 0 0 var(--s2); font: 600 var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-start ul { list-style: none; margin: 0; padding: 0; }
      colloquy-tutor-start li button { display: block; max-inline-size: 100%; min-block-size: 44px; text-align: start; }
      @media (forced-colors: active) { colloquy-tutor-start label:has(:checked), colloquy-tutor-start label:has(:focus-visible) { outline: 2px solid Highlight; } }
    `,
  ];

  /** Null until loaded. */
  @property({ attribute: false }) courses: readonly ListedCourse[] | null = null;
  @property({ type: Boolean }) failed = false;
  @property({ attribute: false }) courseId: string | null = null;
  /** A session is being started. */
  @property({ type: Boolean }) busy = false;
  /** References attached to the session. */
  @property({ attribute: false }) references: readonly AttachedReference[] = [];
  /** Earlier sessions of this conversation, newest first. */
  @property({ attribute: false }) sessions: readonly TutorSessionSummary[] = [];
  @state() private filter = "";
  @query("input[type=radio]") private first!: HTMLInputElement | null;
  @query("input[type=radio]:checked") private checked!: HTMLInputElement | null;

  /** Moves the focus to the courses. */
  focusCourses(): void {
    (this.checked ?? this.first)?.focus();
  }

  protected override render() {
    const { references } = this;
    return html`<div><h2>${msg("composer.doWantAbleDo")}</h2>
        <p>${msg("tutor.tutorAsksFewQuestions")}</p>
        ${
          references.length
            ? html`<p>${msg("tutor.usesAttachedSources", {
                titles: list(
                  references.map(({ title }) => title),
                  "unit",
                ),
              })}</p>`
            : nothing
        }${this.#suggestion()}</div>
      ${this.#choice()}${this.#earlier()}`;
  }

  /** Starts with what is attached as the goal, so that nothing has to be written. */
  #suggestion() {
    const { courseId, busy } = this;
    const attached = this.references.find(({ href }) => courseIdOf(href) === courseId);
    if (!courseId || !attached) return nothing;
    const begin = () => this.dispatchEvent(new TutorEvent({ kind: "begin", goal: attached.title }));
    return html`<p><button type="button" class="button" ?disabled=${busy} @click=${begin}>${msg("tutor.startWith", { title: attached.title })}${icons.next}</button></p>`;
  }

  #earlier() {
    if (!this.sessions.length) return nothing;
    const open = (sessionId: string) => this.dispatchEvent(new TutorEvent({ kind: "open", sessionId }));
    return html`<section aria-labelledby="tutor-earlier"><h3 id="tutor-earlier">${msg("tutor.earlierInThisConversation")}</h3><ul>${this.sessions.map(
      (session) => html`<li><button type="button" @click=${() => open(session.sessionId)}>${sessionWords(session)}</button></li>`,
    )}</ul></section>`;
  }

  #choice() {
    const { courses, failed, filter } = this;
    if (failed)
      return html`<div role="group" aria-label=${msg("common.courses")}><p>${msg("tutor.coursesCouldNotLoaded")} <button type="button" @click=${() => this.dispatchEvent(new TutorEvent({ kind: "load" }))}>${msg("common.tryAgain")}</button></p></div>`;
    if (!courses)
      return html`<div class="courses" role="group" aria-busy="true" aria-label=${msg("tutor.loadingCourses")}><i></i><i></i></div>`;
    if (!courses.length) return html`<p>${msg("tutor.coursePublishedSoNothing")}</p>`;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = courses.filter(({ title, summary }) => words.every((word) => `${title} ${summary}`.toLowerCase().includes(word)));
    const attached = this.references.map(({ href }) => courseIdOf(href));
    const ordered = [...found].sort((one, other) => Number(attached.includes(other.courseId)) - Number(attached.includes(one.courseId)));
    return html`<fieldset><legend>${this.courseId ? msg("common.course") : msg("tutor.courseAbout")}</legend>
      ${
        courses.length >= filterFrom
          ? html`<input type="search" dir="auto" aria-label=${msg("tutor.searchCourses")} placeholder=${msg("tutor.searchCourses")} @input=${(event: Event) => (this.filter = (event.currentTarget as HTMLInputElement).value)} />`
          : nothing
      }
      <div class="courses">${repeat(
        ordered.slice(0, maxShown),
        ({ courseId }) => courseId,
        ({
          courseId,
          title,
          summary,
          topics,
          language,
        }) => html`<label><input type="radio" name="course" value=${courseId} .checked=${courseId === this.courseId}
          @change=${() => this.dispatchEvent(new TutorEvent({ kind: "choose-course", courseId }))} /><b lang=${language} dir="auto">${title}</b>
          ${summary ? html`<small lang=${language} dir="auto">${lineView(summary)}</small>` : nothing}<small class="facts">${msg("page.topics", { n: topics })}</small></label>`,
      )}</div>
      ${found.length ? nothing : html`<p>${msg("tutor.noCoursesFound")}</p>`}
      ${found.length > maxShown ? html`<p>${msg("tutor.moreLookOneName", { n: found.length - maxShown })}</p>` : nothing}</fieldset>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-start": TutorStart;
  }
}
