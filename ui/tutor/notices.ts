import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { problemWords } from "../answers/problem-words.ts";
import { problemTitleOfCode } from "../api/problems.ts";
import { icons } from "../controls/icons.ts";
import { formatRelative, languageName, msg, rich } from "../messages/page.ts";
import { safeHref } from "../rendering/links.ts";
import type { TutorCommand } from "./events.ts";
import { objectiveView } from "./localized-text.ts";
import type { Tutoring } from "./tutoring.ts";
import { masteryWords, movedText } from "./words.ts";

/** Sends a notice's command. */
export type SendCommand = (command: TutorCommand) => void;

const resume: TutorCommand = { kind: "act", action: { type: "resume" } };
const button = (words: string, send: SendCommand, command: TutorCommand, kind = "quiet"): TemplateResult =>
  html`<button type="button" class=${kind} @click=${() => send(command)}>${words}</button>`;

/** The notice at the end of a session that is completed, stale, paused or ready to continue; nothing otherwise. */
export function statusNotice(tutoring: Tutoring, send: SendCommand): TemplateResult | typeof nothing {
  const { session } = tutoring;
  if (!session) return nothing;
  if (session.phase === "completed") return completedNotice(session, tutoring.daysToReview, send);
  if (tutoring.stale) return staleNotice(session, tutoring.liveRevisionId ?? null, send);
  if (session.paused) return pausedNotice(session, send);
  return session.current || tutoring.failed ? nothing : readyToContinue(session, send);
}

/** The goal is off-topic: offers other courses, rewording, or starting anyway. */
export function offTopicNotice({ offTopicGoal, courses }: Tutoring, send: SendCommand): TemplateResult | typeof nothing {
  if (!offTopicGoal) return nothing;
  const { goal, courseId, elsewhere, language } = offTopicGoal;
  const course = courses?.find((one) => one.courseId === courseId)?.title ?? "";
  return html`<section class="standing strange" aria-labelledby="tutor-strange" tabindex="-1"><h3 id="tutor-strange">${rich("tutor.doesNotCoverGoal", { course: html`<bdi lang=${language}>${course}</bdi>` })}</h3>
    <p>${rich("tutor.youWrote", { goal: html`<bdi>${goal}</bdi>` })}</p>
    <p>${msg("tutor.tutorTeachesOnlyCourse", { language: languageName(language) })}</p>
    ${
      elsewhere.length
        ? html`<h4>${msg("tutor.coursesSpeak")}</h4><div class="ways">${elsewhere.map(
            (other) =>
              html`<button type="button" class="quiet" lang=${other.language} dir="auto" @click=${() => send({ kind: "begin-anyway", courseId: other.courseId })}>${other.title}</button>`,
          )}</div>`
        : nothing
    }
    <div class="ways">${button(msg("tutor.rephraseGoal"), send, { kind: "reword" }, "primary")}${button(msg("tutor.goThroughWholeCourse"), send, { kind: "begin-anyway" })}</div></section>`;
}

function pausedNotice({ path, mastery, language }: TutorSession, send: SendCommand): TemplateResult {
  const step = path.find(({ state }) => state === "current");
  const done = mastery.filter(({ mastered }) => mastered).length;
  return html`<section class="standing paused" aria-labelledby="tutor-paused" tabindex="-1"><h3 id="tutor-paused">${step ? rich("tutor.pausedAt", { step: html`<bdi lang=${language}>${step.title}</bdi>` }) : msg("tutor.paused")}</h3>
    <p>${msg("tutor.everythingSavedAllDevices")} ${mastery.length ? msg("tutor.ofMasteredSoFar", { done, all: mastery.length }) : ""}</p>
    <div class="ways">${button(msg("tutor.continue"), send, resume, "primary")}</div></section>`;
}

function readyToContinue({ phase, messages }: TutorSession, send: SendCommand): TemplateResult {
  const planning = phase === "planning";
  const stopped = messages.at(-1)?.kind === "teaching";
  const [title, words] = planning
    ? [msg("tutor.pathNotPlannedYet"), msg("tutor.noPlanPassedCheckAgainstCourse")]
    : stopped
      ? [msg("tutor.lessonInterrupted"), msg("tutor.textFarKeptContinueFinishStep")]
      : [msg("tutor.readyToGoOn"), msg("tutor.continueWhenReady")];
  return html`<section class="standing" aria-labelledby="tutor-on" tabindex="-1"><h3 id="tutor-on">${title}</h3><p>${words}</p>
    <div class="ways">${button(planning ? msg("common.tryAgain") : msg("tutor.continue"), send, resume, "primary")}</div></section>`;
}

function staleNotice({ mastery, courseTitle }: TutorSession, live: string | null, send: SendCommand): TemplateResult {
  if (live === null)
    return html`<section class="standing" aria-labelledby="tutor-gone" tabindex="-1"><h3 id="tutor-gone">${msg("tutor.courseNoLongerPublished")}</h3>
      <p>${msg("tutor.cannotTaughtNowShown", { course: courseTitle })}</p><div class="ways">${button(msg("tutor.beginWithAnotherCourse"), send, { kind: "another" })}</div></section>`;
  const shown = mastery.some(({ evidence }) => evidence.length > 0);
  return html`<section class="standing" aria-labelledby="tutor-stale" tabindex="-1"><h3 id="tutor-stale">${msg("tutor.courseUpdated")}</h3>
    <p>${msg("tutor.someTextSessionStands")} ${shown ? msg("tutor.newSessionKeepsAnswersWhereText") : msg("tutor.newOneBeginsText")}</p>
    <div class="ways">${button(msg("tutor.startNewSessionProgress"), send, { kind: "carry-over" }, "primary")}</div></section>`;
}

const dayMs = 86_400_000;

/** When an objective is next reviewed, not before an answer can confirm its mastery; nothing if unknown or never. */
function nextReviewTime(days: number | undefined, dueAt: string | undefined): TemplateResult | typeof nothing {
  if (days === undefined) return nothing;
  const untilDue = dueAt === undefined ? 0 : Math.ceil((Date.parse(dueAt) - Date.now()) / dayMs);
  return html`<time>${formatRelative(Math.max(days, untilDue), "day", { numeric: "auto" })}</time>`;
}

function completedTitle(mastery: TutorSession["mastery"]): string {
  const done = mastery.filter(({ mastered }) => mastered).length;
  if (done < mastery.length) return msg("tutor.ofMastered", { mastered: done, all: mastery.length });
  return mastery.every(({ standing }) => standing === "confirmed") ? msg("tutor.canDoAll") : msg("tutor.masteredAllForNow");
}

function completedNotice(session: TutorSession, reviewIn: ReadonlyMap<string, number>, send: SendCommand): TemplateResult {
  const { mastery, goal, practice } = session;
  const isDue = mastery.some(({ dueAt }) => dueAt !== undefined && Date.parse(dueAt) <= Date.now());
  return html`<section class="standing done" aria-labelledby="tutor-done" tabindex="-1"><p class="kind">${msg("tutor.complete")}</p><h3 id="tutor-done">${practice ? msg("tutor.practiceComplete") : completedTitle(mastery)}</h3>
    ${goal ? html`<p>${rich("tutor.yourGoal", { goal: html`<bdi>${goal}</bdi>` })}</p>` : nothing}
    <h4>${msg(practice ? "tutor.whatYouPractised" : "tutor.reviewSchedule")}</h4>
    <ul>${mastery.map(
      (one) =>
        html`<li class=${one.mastered ? "mastered" : ""}><span>${one.standing === "confirmed" ? icons.check : icons.partly}<a href=${safeHref(one.href) ?? nothing}>${objectiveView(one.title, session.language)}</a></span>
        <small>${masteryWords(one)}</small>${nextReviewTime(reviewIn.get(one.objectiveId), one.dueAt)}</li>`,
    )}</ul>
    ${mastery.some(({ standing }) => standing === "provisional") ? html`<p>${msg("tutor.confirmationExplained")}</p>` : nothing}
    <div class="ways">${isDue ? button(msg("tutor.confirmMastery"), send, { kind: "carry-over" }, "primary") : nothing}${reviewIn.size > 0 ? html`<a class="quiet" href="/review">${msg("tutor.toYourReviews")}</a>` : nothing}${button(msg("tutor.beginAnotherGoal"), send, { kind: "another" })}</div></section>`;
}

/** What to do where no question can count: this is no fault, and one can practise. */
const noProof: Partial<Record<ErrorCode, PlainMessageKey>> = {
  no_questions: "tutor.questionsNeeded",
  questions_shown: "tutor.questionsShown",
};

/** The failure of the last request. */
export function failureNotice(tutoring: Tutoring, send: SendCommand): TemplateResult | typeof nothing {
  const { failed } = tutoring;
  if (!failed || tutoring.stale) return nothing;
  const unproven = failed.ask.kind === "start" && noProof[failed.problem.code];
  if (unproven)
    return html`<section class="standing unproven" aria-labelledby="tutor-unproven"><h3 id="tutor-unproven">${problemTitleOfCode(failed.problem.code)}</h3>
      <p>${msg(unproven)}</p>
      <div class="ways">${button(msg("tutor.practiseAnyway"), send, { kind: "retry", practice: true }, "primary")}${button(msg("common.close"), send, { kind: "forget-failure" })}</div></section>`;
  const { title, advice, action } = problemWords(failed.problem);
  return html`<div class="problem" role="group" aria-label=${msg("tutor.itDidNotWork")}>${icons.alert}<div><b>${title}</b>${advice ? html`<p>${advice}</p>` : nothing}</div>
    ${
      action === "retry"
        ? button(msg("common.tryAgain"), send, { kind: "retry" })
        : action === "sign-in"
          ? html`<a class="quiet" href=${`/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`}>${msg("common.signIn")}</a>`
          : button(msg("common.close"), send, { kind: "forget-failure" })
    }</div>`;
}

/** The session continued on another device and was read again. */
export const movedNotice = ({ isMoved: has, chosen, unsent }: Tutoring): TemplateResult | typeof nothing =>
  has
    ? html`<p class="moved" role="group">${icons.alert}<span>${movedText(unsent)}${chosen ? ` ${msg("tutor.choseKept")}` : ""}</span></p>`
    : nothing;

/** The pinned model's name if it cannot tutor, else null. */
export function unableModel(model: ModelSelection, models: readonly ModelChoice[]): string | null {
  if (model.choice !== "pinned") return null;
  const pinned = models.find(({ id }) => id === model.id);
  return pinned && !pinned.capabilities.tutor ? pinned.name : null;
}
