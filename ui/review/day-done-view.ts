import type { RetiredCard } from "@colloquy/schemas/review/requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import { formatNumber, msg, rich } from "../messages/page.ts";
import "../quiz/quiz-text.ts";
import type { ForecastDay, Queue, ReviewItem } from "./queue.ts";
import { dayWords, nextWords, shortDay } from "./words.ts";

/** The end of a day: cards done, the next cards, and the forecast. */
export function dayDoneView(queue: Queue, newPerDay: number): TemplateResult {
  const { done, nextDay, today, forecast, waiting } = queue;
  const title = done > 0 ? msg("review.doneForToday") : msg("review.nothingIsDueToday");
  const next = forecast.find(({ day }) => day === nextDay);
  const count = next ? next.due + next.fresh : 0;
  return html`<section class="standing" aria-labelledby="review-done" tabindex="-1"><h2 id="review-done">${title}</h2>
    <p>${done > 0 ? msg("review.youRecalledCardsToday", { n: done }) : nothing} ${
      nextDay === null ? msg("review.noCardsScheduledYet") : nextWords(count, dayWords(nextDay, today))
    }</p>
    ${waiting.length > 0 && newPerDay === 0 ? html`<p>${msg("review.newCardsWaitLong", { n: waiting.length })}</p>` : nothing}
    ${bars(forecast, today)}</section>`;
}

function bars(forecast: readonly ForecastDay[], today: number): TemplateResult {
  const most = Math.max(1, ...forecast.map(({ due, fresh }) => due + fresh));
  return html`<h3 id="review-week">${msg("review.theComingDays", { n: forecast.length })}</h3><ol class="week" aria-labelledby="review-week">${forecast.map(
    ({ day, due, fresh }) => {
      const all = due + fresh;
      return html`<li><span class="visually-hidden">${msg("review.dueNew", { day: dayWords(day, today), due, fresh })}</span>
      <span aria-hidden="true" class="count">${all ? formatNumber(all) : ""}</span><svg aria-hidden="true" viewBox="0 0 10 60" preserveAspectRatio="none"><rect class="due" x="0" width="10" y=${60 - (due / most) * 60} height=${(due / most) * 60}></rect><rect class="new" x="0" width="10" y=${60 - (all / most) * 60} height=${(fresh / most) * 60}></rect></svg>
      <span aria-hidden="true">${shortDay(day)}</span></li>`;
    },
  )}</ol><p class="legend soft" aria-hidden="true"><i class="due"></i>${msg("review.dueCards")} <i class="new"></i>${msg("review.newCards")}</p>`;
}

/** Shown before tutoring has created any cards. */
export const nothingYetView = (): TemplateResult =>
  html`<section class="standing" aria-labelledby="review-none" tabindex="-1"><h2 id="review-none">${msg("review.nothingToReviewYet")}</h2>
    <p>${msg("review.objectivesTutorTaughtCheckedKeyPoints")}</p>
    <p><a class="button button-primary" href="/ai">${msg("review.learnWithTheTutor")}</a></p></section>`;

/** Suspended, postponed and retired cards. */
export function setAsideLists(
  queue: Queue,
  retired: readonly RetiredCard[],
  resume: (item: ReviewItem) => void,
): TemplateResult | typeof nothing {
  const { suspended, buried } = queue;
  if (suspended.length + buried.length + retired.length === 0) return nothing;
  const rows = (items: readonly ReviewItem[], words: string) =>
    items.map(
      (item) =>
        html`<li><span lang=${item.card.language} dir="auto">${item.card.title}${item.card.place ? ` (${formatNumber(item.card.place.number)})` : ""}</span><button type="button" class="button" @click=${() => resume(item)}>${words}</button></li>`,
    );
  return html`${suspended.length > 0 ? html`<details><summary>${msg("review.suspendedCards", { n: suspended.length })}</summary><ul>${rows(suspended, msg("audit.resume"))}</ul></details>` : nothing}
    ${buried.length > 0 ? html`<details><summary>${msg("review.cardsPutOffTomorrow", { n: buried.length })}</summary><ul>${rows(buried, msg("review.askToday"))}</ul></details>` : nothing}
    ${
      retired.length > 0
        ? html`<details><summary>${msg("review.retiredCards", { n: retired.length })}</summary><ul>${retired.map(
            ({ kind, title, topicTitle, courseTitle, reason }) =>
              html`<li><span class="was">${kind === "key-point" ? html`<small>${rich("review.keyPointOf", { topic: html`<bdi>${topicTitle}</bdi>` })}</small><colloquy-quiz-text plain .text=${title}></colloquy-quiz-text>` : html`<span dir="auto">${title}</span>`}</span><small>${reason === "deleted" ? msg("review.removed", { course: courseTitle }) : msg("review.noLongerPublished", { course: courseTitle })}</small></li>`,
          )}</ul></details>`
        : nothing
    }`;
}
