import type { Finding } from "@colloquy/schemas/explainer/job.ts";

import { html, nothing } from "lit";
import type { ClientProblem } from "../api/problems.ts";
import { titleOf } from "../api/problems.ts";
import { icons } from "../controls/icons.ts";
import { formatDate, msg, plural, said } from "../words/page.ts";
import type { Ask, Drawing } from "./drawing.ts";
import { findingItem } from "./scene-card.ts";
import { phaseNames, phasesDone, secondsWords } from "./words.ts";

const phases = Object.keys(phaseNames) as (keyof typeof phaseNames)[];

/** A storyboard as it is being drawn up: what is done, what is being done and for how long. @param now on the page's clock */
export function drawingView(drawing: Drawing, now: number, stop: () => void) {
  const { phase, done, repairing, sources, startedAt, broke } = drawing;
  const elapsed = Math.max(0, Math.round((now - startedAt) / 1_000));
  return html`<section class="drawing" data-part="drawing" tabindex="-1" aria-label=${msg("Storyboard")}>
    <ol class="phases">${phases.map((one) => {
      const over = done.find((before) => before.phase === one);
      const here = one === phase;
      const words = here ? msg(phaseNames[one]) : over ? msg(phasesDone[one]) : msg(phaseNames[one]);
      return html`<li class=${here ? "here" : over ? "over" : ""} aria-current=${here ? "step" : nothing}><i aria-hidden="true">${over && !here ? icons.check : nothing}</i><span>${words}${
        one === "retrieving" && sources !== null ? html` · ${plural(sources, "{n} source", "{n} sources")}` : nothing
      }${here && repairing ? html` · ${msg("mending what was found, once")}` : nothing}</span>${over && !here ? html`<small>${secondsWords(Math.round(over.ms / 100) / 10)}</small>` : nothing}</li>`;
    })}</ol>
    ${broke ? html`<p class="soft">${icons.offline}${msg("The connection broke. It goes on by itself as soon as the service answers.")}</p>` : nothing}
    <p class="ways"><button type="button" class="button" @click=${stop}>${icons.stop}${msg("Stop")}</button><span class="soft" aria-hidden="true">${secondsWords(elapsed)}</span></p>
  </section>`;
}

export interface Failed {
  ask: Ask;
  problem: ClientProblem;
  findings: readonly Finding[];
  again: () => void;
  /** Leaves the failure, not what was written. */
  leave: () => void;
  /** Opens the fields of a scene. */
  change: (sceneId: string) => void;
  /** Gives up everything that was changed. */
  leaveEdits: () => void;
}

/** What kept a storyboard from being drawn up, or changed scenes from being taken, and what can be done. */
export function failedView({ ask, problem, findings, again, leave, change, leaveEdits }: Failed) {
  const isEdit = ask.kind === "edit";
  const { title, advice, retry } = isEdit ? refusedEdit(problem) : wordsOf(problem);
  const sceneId = isEdit ? (findings.find((finding) => finding.sceneId !== null)?.sceneId ?? null) : null;
  return html`<section class="trouble" data-part="drawing" tabindex="-1">
    <h3>${icons.alert}${title}</h3>
    ${advice ? html`<p>${advice}</p>` : nothing}
    ${findings.length ? html`<ul class="findings">${findings.map(findingItem)}</ul>` : nothing}
    <p class="ways">${retry ? html`<button type="button" class="button button-primary" @click=${again}>${msg("Try again")}</button>` : nothing}
      ${sceneId ? html`<button type="button" class="button button-primary" @click=${() => change(sceneId)}>${msg("Change the scene it is about")}</button>` : nothing}
      ${
        !isEdit
          ? html`<button type="button" class="button" @click=${leave}>${msg("Choose again")}</button>`
          : problem.code === "storyboard_rejected"
            ? html`<button type="button" class="button" @click=${leaveEdits}>${msg("Leave all changes")}</button>`
            : html`<button type="button" class="button" @click=${leave}>${msg("Go on changing")}</button>`
      }</p>
  </section>`;
}

/** What a person reads whose changed scenes were not taken: they are all still there, and so is the storyboard as it was. */
function refusedEdit(problem: ClientProblem): ReturnType<typeof wordsOf> {
  if (problem.code === "storyboard_rejected")
    return {
      title: msg("Your changes did not pass the review"),
      advice: msg(
        "Nothing is lost: they are kept below, and the storyboard stands as it was checked last. What was found stands at its scene too. Change that and check again, or leave all changes.",
      ),
      retry: false,
    };
  if (problem.code === "stale_session")
    return {
      title: msg("The film moved on elsewhere meanwhile"),
      advice: msg(
        "You see it now as it stands. What you changed is kept below as long as the storyboard is the same; look it over and check again.",
      ),
      retry: false,
    };
  const { detail, retryable } = problem;
  return {
    title: titleOf(problem),
    advice: `${msg("Your changes were not checked yet. They are kept below.")} ${detail ? said(detail) : ""}`.trim(),
    retry: retryable || problem.code === "unavailable",
  };
}

/** What a person reads whose wish about a film that is drawn up was refused: the quota there is of films that wait, not of storyboards. */
export function refusedWish(problem: ClientProblem): ReturnType<typeof wordsOf> {
  if (problem.code !== "quota_exhausted") return wordsOf(problem);
  return {
    title: msg("Too many of your films wait to be made"),
    advice: msg("Have this one made once another is ready, or cancel one."),
    retry: false,
  };
}

/** What a person reads of a problem. */
export function wordsOf(problem: ClientProblem): { title: string; advice: string; retry: boolean } {
  const { code, detail, retryAfterSeconds } = problem;
  if (code === "storyboard_rejected")
    return {
      title: msg("No storyboard passed the review"),
      advice: msg(
        "It was mended once and looked at again. What the review found stands below; another kind of film may fit this page better.",
      ),
      retry: true,
    };
  if (code === "quota_exhausted") {
    const again = retryAfterSeconds
      ? formatDate(new Date(Date.now() + retryAfterSeconds * 1_000), { weekday: "long", hour: "numeric", minute: "2-digit" })
      : null;
    return {
      title: msg("You have drawn up as many films as you may today"),
      advice: again
        ? msg("You can draw up the next one from {when} on. Those you have can be watched and changed.", { when: again })
        : msg("You can draw up the next one tomorrow. Those you have can be watched and changed."),
      retry: false,
    };
  }
  return { title: titleOf(problem), advice: detail ? said(detail) : "", retry: problem.retryable || code === "unavailable" };
}
