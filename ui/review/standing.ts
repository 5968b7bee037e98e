import type { RetiredCard } from "@colloquy/schemas/review/requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import "../quiz/quiz-text.ts";
import { formatNumber, msg, plural, rich } from "../messages/page.ts";
import type { ForecastDay, Queue, ReviewItem } from "./queue.ts";
import { dayWords, nextWords, shortDay } from "./words.ts";

/** What there is to say when no card is left: what was done, when the next ones come, what the week brings. */
export function dayDone(queue: Queue, newPerDay: number): TemplateResult {
  const { done, nextDay, today, forecast, waiting } = queue;
  const title = done > 0 ? msg("Done for today") : msg("Nothing is due today");
  const next = forecast.find(({ day }) => day === nextDay);
  const count = next ? next.due + next.fresh : 0;
  return html`<section class="standing" aria-labelledby="review-done" tabindex="-1"><h2 id="review-done">${title}</h2>
    <p>${done > 0 ? plural(done, "You recalled {n} card today.", "You recalled {n} cards today.") : nothing} ${
      nextDay === null ? msg("No card has a date yet.") : nextWords(count, dayWords(nextDay, today))
    }</p>
    ${waiting.length > 0 && newPerDay === 0 ? html`<p>${plural(waiting.length, "{n} new card waits for as long as you begin none a day (below).", "{n} new cards wait for as long as you begin none a day (below).")}</p>` : nothing}
    ${bars(forecast, today)}</section>`;
}

function bars(forecast: readonly ForecastDay[], today: number): TemplateResult {
  const most = Math.max(1, ...forecast.map(({ due, fresh }) => due + fresh));
  return html`<h3 id="review-week">${plural(forecast.length, "The coming {n} day", "The coming {n} days")}</h3><ol class="week" aria-labelledby="review-week">${forecast.map(
    ({ day, due, fresh }) => {
      const all = due + fresh;
      return html`<li><span class="visually-hidden">${msg("{day}: {due} due, {fresh} new", { day: dayWords(day, today), due, fresh })}</span>
      <span aria-hidden="true" class="count">${all ? formatNumber(all) : ""}</span><svg aria-hidden="true" viewBox="0 0 10 60" preserveAspectRatio="none"><rect class="due" x="0" width="10" y=${60 - (due / most) * 60} height=${(due / most) * 60}></rect><rect class="new" x="0" width="10" y=${60 - (all / most) * 60} height=${(fresh / most) * 60}></rect></svg>
      <span aria-hidden="true">${shortDay(day)}</span></li>`;
    },
  )}</ol><p class="legend soft" aria-hidden="true"><i class="due"></i>${msg("due|cards")} <i class="new"></i>${msg("new|cards")}</p>`;
}

/** Nothing was met in tutoring yet. */
export const nothingYet = (): TemplateResult =>
  html`<section class="standing" aria-labelledby="review-none" tabindex="-1"><h2 id="review-none">${msg("Nothing to review yet")}</h2>
    <p>${msg("What you learn with the tutor comes here by itself: each objective it has taught you or checked, and the key points of its topic. Then a few minutes a day keep it.")}</p>
    <p><a class="button button-primary" href="/ai">${msg("Learn with the tutor")}</a></p></section>`;

/** Cards that are not asked, and why. */
export function asideLists(
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
  return html`${suspended.length > 0 ? html`<details><summary>${plural(suspended.length, "{n} suspended card", "{n} suspended cards")}</summary><ul>${rows(suspended, msg("Resume"))}</ul></details>` : nothing}
    ${buried.length > 0 ? html`<details><summary>${plural(buried.length, "{n} card put off to tomorrow", "{n} cards put off to tomorrow")}</summary><ul>${rows(buried, msg("Ask today"))}</ul></details>` : nothing}
    ${
      retired.length > 0
        ? html`<details><summary>${plural(retired.length, "{n} retired card", "{n} retired cards")}</summary><ul>${retired.map(
            ({ kind, title, topicTitle, courseTitle, reason }) =>
              html`<li><span class="was">${kind === "key-point" ? html`<small>${rich("Key point of {topic}", { topic: html`<bdi>${topicTitle}</bdi>` })}</small><colloquy-quiz-text plain .text=${title}></colloquy-quiz-text>` : html`<span dir="auto">${title}</span>`}</span><small>${reason === "deleted" ? msg("Taken out of {course}", { course: courseTitle }) : msg("{course} is not published any more", { course: courseTitle })}</small></li>`,
          )}</ul></details>`
        : nothing
    }`;
}
