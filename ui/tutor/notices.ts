import type { ModelChoice, ModelSelection } from "@colloquy/schemas/ai/models.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { problemWords } from "../conversation/problem-words.ts";
import { safeHref } from "../rendering/links.ts";
import type { TutorCommand } from "./events.ts";
import { daysToReview } from "./first-review.ts";
import type { Tutoring } from "./tutoring.ts";
import { masteryWords, movedWords } from "./words.ts";

/** Sends a command up from whoever shows a notice. */
export type Tell = (command: TutorCommand) => void;

const resume: TutorCommand = { kind: "act", action: { type: "resume" } };
const button = (words: string, tell: Tell, command: TutorCommand, kind = "quiet"): TemplateResult =>
  html`<button type="button" class=${kind} @click=${() => tell(command)}>${words}</button>`;

/** What stands at the end of a session where no question waits, or in the way of the one that does; nothing while it goes on. */
export function closing(tutoring: Tutoring, tell: Tell): TemplateResult | typeof nothing {
  const { session } = tutoring;
  if (!session) return nothing;
  if (session.phase === "completed") return completed(session, tell);
  if (tutoring.stale) return stale(session, tutoring.live ?? null, tell);
  if (session.paused) return paused(session, tell);
  return session.current || tutoring.failed ? nothing : goOn(session, tell);
}

function paused({ path, mastery }: TutorSession, tell: Tell): TemplateResult {
  const step = path.find(({ state }) => state === "current");
  const done = mastery.filter(({ mastered }) => mastered).length;
  return html`<section class="standing paused" aria-labelledby="tutor-paused" tabindex="-1"><h3 id="tutor-paused">Paused${step ? html` at “${step.title}”` : nothing}</h3>
    <p>Everything is kept, on every device. ${mastery.length ? `${done} of ${mastery.length} mastered so far.` : ""}</p>
    <div class="ways">${button("Go on", tell, resume, "primary")}</div></section>`;
}

function goOn({ phase, messages }: TutorSession, tell: Tell): TemplateResult {
  const planning = phase === "planning";
  const stopped = messages.at(-1)?.kind === "teaching";
  const [title, words] = planning
    ? ["The path is not planned yet", "No plan could be checked against the course so far. Nothing is lost; another try often does."]
    : stopped
      ? ["You stopped the lesson here", "What had come is kept. Going on teaches the step to its end and asks about it."]
      : ["Ready to go on", "The next step comes when you want it."];
  return html`<section class="standing" aria-labelledby="tutor-on" tabindex="-1"><h3 id="tutor-on">${title}</h3><p>${words}</p>
    <div class="ways">${button(planning ? "Try again" : "Go on", tell, resume, "primary")}</div></section>`;
}

function stale({ mastery, courseTitle }: TutorSession, live: string | null, tell: Tell): TemplateResult {
  if (live === null)
    return html`<section class="standing" aria-labelledby="tutor-gone" tabindex="-1"><h3 id="tutor-gone">This course is not published any more</h3>
      <p>“${courseTitle}” cannot be taught from now. What you have shown stays in your ledger.</p><div class="ways">${button("Begin with another course", tell, { kind: "another" })}</div></section>`;
  const shown = mastery.some(({ evidence }) => evidence.length > 0);
  return html`<section class="standing" aria-labelledby="tutor-stale" tabindex="-1"><h3 id="tutor-stale">The course has been published anew</h3>
    <p>This session stands on the text as it was. ${
      shown ? "A new one takes over your answers wherever the text is unchanged." : "A new one begins with the text as it is now."
    }</p>
    <div class="ways">${button("Start anew with what you have shown", tell, { kind: "carry-over" }, "primary")}</div></section>`;
}

function completed(session: TutorSession, tell: Tell): TemplateResult {
  const { mastery, goal } = session;
  const done = mastery.filter(({ mastered }) => mastered).length;
  const title = done === mastery.length ? "You can do all of it" : `${done} of ${mastery.length} mastered`;
  return html`<section class="standing done" aria-labelledby="tutor-done" tabindex="-1"><p class="kind">Complete</p><h3 id="tutor-done">${title}</h3>
    ${goal ? html`<p>Your goal: ${goal}</p>` : nothing}
    <h4>What to look at again, and when</h4>
    <ul>${mastery.map((one) => {
      const days = daysToReview(one);
      return html`<li class=${one.mastered ? "mastered" : ""}><span>${one.mastered ? icons.check : icons.partly}<a href=${safeHref(one.href) ?? nothing}>${one.title}</a></span>
        <small>${masteryWords(one)}</small><time>${days > 1 ? `in ${days} days` : "tomorrow"}</time></li>`;
    })}</ul>
    <div class="ways">${button("Begin another goal", tell, { kind: "another" })}</div></section>`;
}

/** What went wrong with the last thing asked of the tutor. */
export function failure(tutoring: Tutoring, tell: Tell): TemplateResult | typeof nothing {
  const { failed } = tutoring;
  if (!failed || tutoring.stale || (failed.problem.code === "plan_unverified" && tutoring.session)) return nothing;
  const { title, advice, action } = problemWords(failed.problem);
  return html`<div class="problem" role="group" aria-label="It did not work">${icons.alert}<div><b>${title}</b>${advice ? html`<p>${advice}</p>` : nothing}</div>
    ${
      action === "retry"
        ? button("Try again", tell, { kind: "retry" })
        : action === "sign-in"
          ? html`<a class="quiet" href=${`/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`}>Sign in</a>`
          : button("Close", tell, { kind: "forget-failure" })
    }</div>`;
}

/** Another device went on; what is shown was brought up to it. */
export const moved = ({ moved: has, chosen }: Tutoring): TemplateResult | typeof nothing =>
  has
    ? html`<p class="moved" role="group">${icons.alert}<span>${movedWords}${chosen ? " What you chose is kept." : ""}</span></p>`
    : nothing;

/** The chosen model, when it cannot tutor. */
export function unableModel(model: ModelSelection, models: readonly ModelChoice[]): string | null {
  if (model.choice !== "pinned") return null;
  const pinned = models.find(({ id }) => id === model.id);
  return pinned && !pinned.capabilities.tutor ? pinned.name : null;
}
