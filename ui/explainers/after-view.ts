import type { Film } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { icons } from "../controls/icons.ts";
import { formatNumber, msg, rich } from "../messages/page.ts";
import { ledgerHref } from "../tutor/ledger-address.ts";
import type { FilmScene } from "./film-scenes.ts";
import { settingsWords, unrecordedWords } from "./words.ts";

export interface ClosingQuestion {
  job: ExplainerJob;
  chosen: number | null;
  busy: boolean;
  /** A tutoring session of the course is open in another pane. */
  hasTutoring: boolean;
  /** Another site's page has no ledger to link to. */
  isEmbedded: boolean;
  choose(choice: number): void;
  reply(): void;
}

/** The closing question; once answered, the right answer and the explanation. */
export function questionView({ job, chosen, busy, hasTutoring, isEmbedded, choose, reply }: ClosingQuestion) {
  const scene = job.storyboard.scenes.find((one) => one.layout === "question");
  if (scene?.layout !== "question") return nothing;
  const { answered, answerable } = job;
  const { language } = job.storyboard;
  const given = answered?.choice ?? (answerable ? chosen : null);
  return html`<section class="closing-question" aria-labelledby="film-question">
    <fieldset><legend id="film-question" dir="auto" lang=${language}>${scene.content.question}</legend>
      ${scene.content.choices.map((choice, index) => {
        const verdict = !answered ? "" : index === answered.right ? "right" : index === answered.choice ? "wrong" : "";
        return html`<label class="choice ${verdict} ${index === given ? "chosen" : ""}"><input type="radio" name="film-answer" .checked=${live(index === given)} ?disabled=${answered !== null || !answerable || busy} @change=${() => choose(index)}>
          <span dir="auto" lang=${language}>${choice}</span>${verdict ? html`<em><span class="visually-hidden">: </span>${verdict === "right" ? icons.check : icons.close}${verdict === "right" ? msg("common.right") : msg("common.notRight")}</em>` : nothing}</label>`;
      })}</fieldset>
    ${
      answered
        ? html`<div class="outcome" data-part="answer" tabindex="-1"><p><b>${answered.choice === answered.right ? msg("common.right") : msg("common.notRight")}.</b> <span dir="auto" lang=${language}>${answered.explanation}</span></p>
          ${countedView(answered, isEmbedded)}</div>`
        : !answerable
          ? html`<p class="soft">${msg("explainer.changedQuestionAnswerKeyNotChecked")}</p>`
          : html`<p class="ways"><button type="button" class="button" ?disabled=${chosen === null || busy} @click=${reply}>${msg("explainer.checkDo")}</button>
          ${hasTutoring ? html`<span class="soft">${msg("explainer.answerGoesIntoTutoring")}</span>` : nothing}</p>`
    }
  </section>`;
}

/** Which session the answer counts in, or why it does not count. */
function countedView({ evidence, unrecorded }: NonNullable<ExplainerJob["answered"]>, isEmbedded: boolean) {
  if (unrecorded) return html`<p class="soft">${msg(unrecordedWords[unrecorded])}</p>`;
  if (!evidence) return nothing;
  const { sessionId, receipt, objective } = evidence;
  const event = msg("explainer.event", { event: String(receipt) });
  return html`<p class="soft">${icons.ledger}<span>${rich("explainer.recordedInTutoring", {
    event: isEmbedded ? event : html`<a href=${ledgerHref(sessionId, receipt)}>${event}</a>`,
    objective: html`<bdi>${objective.replace(/\.$/, "")}</bdi>`,
  })}</span></p>`;
}

/** A draft report of a mistake. `scenes`: the video's scenes. */
export interface Report {
  film: Film;
  scenes: readonly (FilmScene | null)[];
  sceneId: string | null;
  text: string;
}

export interface Correction {
  job: ExplainerJob;
  /** Null while the form is closed. */
  draft: Report | null;
  busy: boolean;
  offline: boolean;
  begin(): void;
  write(draft: Report | null): void;
  send(): void;
}

/** The form for reporting a mistake, and earlier reports. */
export function correctionView({ job, draft, busy, offline, begin, write, send }: Correction) {
  const { corrections, storyboard } = job;
  const titles = new Map(storyboard.scenes.map((scene) => [scene.sceneId, sceneTitle(scene)]));
  const most = filmBounds.correctionLength;
  const reported = corrections.length
    ? html`<div class="reported"><p>${icons.alert}<span><b>${msg("explainer.youReportedMistakes", { n: corrections.length })}</b> ${msg("explainer.coursesOwnerNotifiedVideoMarkedNo")}</span></p>
        <ul>${corrections.map(({ sceneId, text, settledAt }) => html`<li>${sceneId && titles.has(sceneId) ? html`<b dir="auto">${titles.get(sceneId)}</b> ` : nothing}<span dir="auto">${text}</span>${settledAt ? html` <em>${msg("explainer.coursesOwnerDealt")}</em>` : nothing}</li>`)}</ul></div>`
    : nothing;
  if (!draft)
    return html`<section class="correction">${reported}<p class="ways"><button type="button" class="button plain" data-part="report" ?disabled=${corrections.length >= filmBounds.corrections} @click=${begin}>${corrections.length ? msg("explainer.reportAnotherMistake") : msg("explainer.reportMistakeFilm")}</button></p></section>`;
  const { film, scenes } = draft;
  const over = draft.text.length > most;
  return html`<section class="correction">${reported}<form @submit=${(event: Event) => {
    event.preventDefault();
    send();
  }}>
    <h3>${msg("explainer.reportMistakeFilm")}</h3>
    ${job.films.length > 1 ? html`<p class="soft">${settingsWords(film.settings)}</p>` : nothing}
    <label class="field"><span>${msg("explainer.where")}</span><select @change=${(event: Event) => write({ ...draft, sceneId: (event.target as HTMLSelectElement).value || null })}>
      <option value="" ?selected=${draft.sceneId === null}>${msg("explainer.theWholeFilm")}</option>${scenes.map((scene, index) =>
        scene
          ? html`<option value=${scene.sceneId} ?selected=${scene.sceneId === draft.sceneId}>${index + 1}. ${scene.title}</option>`
          : nothing,
      )}</select></label>
    <label class="field"><span>${msg("explainer.whatIsWrong")}</span><textarea rows="4" dir="auto" .value=${live(draft.text)} aria-invalid=${over} aria-describedby="film-report-note" @input=${(event: Event) => write({ ...draft, text: (event.target as HTMLTextAreaElement).value })}></textarea>
      <span class="note ${over ? "bad" : ""}" id="film-report-note">${msg("explainer.ofLetters", { n: formatNumber(draft.text.length), most: formatNumber(most) })}</span></label>
    <p class="soft">${msg("explainer.coursesOwnerSeesMessageSceneVideo")}</p>
    <p class="ways"><button type="submit" class="button button-primary" ?disabled=${busy || offline || over || !draft.text.trim()}>${msg("explainer.sendTheReport")}</button>
      <button type="button" class="button plain" @click=${() => write(null)}>${msg("explainer.leaveIt")}</button></p></form></section>`;
}
