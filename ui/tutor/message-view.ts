import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { ChosenBecause, TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { list, msg } from "../messages/page.ts";
import "../answers/answer.ts";
import "../answers/sources.ts";
import { decisionView } from "./decisions.ts";
import { exchangeView } from "./exchange.ts";
import type { Entry } from "./flow.ts";
import { objectiveName, objectiveView } from "./localized-text.ts";
import { type RunningWork, workWords } from "./running-work.ts";

type Message = Extract<Entry, { kind: "message" }>["message"];

const event = (receipt: number | null): TemplateResult | typeof nothing =>
  receipt === null ? nothing : html` <small>${msg("explainer.event", { event: String(receipt) })}</small>`;

/** A message other than a question; `earlier`: the conversation's sessions. */
export function messageView(
  message: Message,
  session: TutorSession,
  models: readonly ModelChoice[],
  earlier: readonly TutorSessionSummary[],
): TemplateResult | typeof nothing {
  switch (message.kind) {
    case "goal":
      return html`<div class="goal"><h3 class="visually-hidden">${msg("composer.yourGoal")}</h3><p dir="auto">${message.text ?? html`<em>${msg("ledger.yourWordsWereDeleted")}</em>`}</p></div>${session.carriedFrom === undefined ? nothing : carriedView(session, earlier)}${chosenView(session)}${session.practice ? html`<p class="line">${icons.alert}<span>${msg("tutor.practiceSession")}</span></p>` : nothing}`;
    case "plan":
      return message.verified
        ? html`<details class="line"><summary>${icons.path}<span>${msg("tutor.plannedStepsCheckedThem", { n: message.steps.length })}</span>${event(message.receipt)}</summary>
            <ol>${message.steps.map(({ title }) => html`<li lang=${session.language} dir="auto">${title}</li>`)}</ol></details>`
        : html`<details class="line"><summary>${icons.close}<span>${msg("tutor.planRejectedDidNotMatchCourse")}</span>${event(message.receipt)}</summary>
            <ul>${message.findings.map((finding) => html`<li>${finding}</li>`)}</ul></details>`;
    case "teaching": {
      const passages = new Set(message.citations.map(({ sourceId }) => sourceId)).size;
      const name = models.find(({ id }) => id === `${message.provider}/${message.model}`)?.name ?? message.model;
      return html`<section class="taught"><h3 class="trace"><span class="dot ${message.outcome}"></span><b lang=${session.language} dir="auto">${message.title}</b><span>${message.nothingElse ? nothing : taughtFrom(passages, message.angle > 1)}</span><span class="who" dir="auto">${name}</span></h3>
        ${message.nothingElse ? html`<p class="ended">${msg("tutor.nothingElseToTeach")}</p>` : html`<colloquy-answer lang=${session.language} .text=${message.text} .citations=${message.citations}></colloquy-answer>`}
        ${message.outcome === "stopped" ? html`<p class="ended">${msg("conversation.stoppedComeKept")}</p>` : nothing}
        <div class="from"><colloquy-sources .citations=${message.citations}></colloquy-sources></div></section>`;
    }
    case "asked":
      return exchangeView(message);
    case "self_report":
      return html`<p class="line">${icons.hint}<span>${message.knows ? msg("tutor.saidKnowNotedCounts") : msg("tutor.saidDoKnowNoted")}</span>${event(message.receipt)}</p>`;
    case "decision":
      return html`<p class="line why">${icons.next}<span>${decisionView(message, session)}</span>${event(message.receipt)}</p>`;
  }
}

/** What the session is about, and why. */
function chosenView({ mastery, language }: TutorSession): TemplateResult | typeof nothing {
  const chosen = mastery.flatMap(({ because, ...objective }) => (because ? [{ ...objective, because }] : []));
  if (chosen.length === 0) return nothing;
  const titleOf = (objectiveId: string): string => mastery.find((one) => one.objectiveId === objectiveId)?.title ?? "";
  const why = (because: ChosenBecause): string => {
    switch (because.kind) {
      case "goal":
        return because.words.length > 0 ? msg("tutor.chosenForWords", { words: list(because.words) }) : msg("tutor.chosenForMeaningOrText");
      case "attached":
        return msg("tutor.chosenForAttached");
      case "needed":
        return msg("tutor.chosenAsNeeded", { objective: objectiveName(titleOf(because.objectiveId)) });
      case "course":
        return msg("tutor.chosenFromBeginning");
    }
  };
  return html`<div class="chosen"><p>${msg("tutor.sessionIsAbout")}</p>
    <ul>${chosen.map(({ title, because, tooFewQuestions }) => html`<li><b>${objectiveView(title, language)}</b> <small>${why(because)}${tooFewQuestions ? html`. ${msg("tutor.tooFewQuestions")}` : nothing}</small></li>`)}</ul></div>`;
}

/** The evidence carried over from an earlier session, and the objectives that the course no longer has. */
function carriedView({ mastery, carriedFrom }: TutorSession, earlier: readonly TutorSessionSummary[]): TemplateResult {
  const before = earlier.find(({ sessionId }) => sessionId === carriedFrom)?.objectives ?? 0;
  const { length } = mastery.flatMap(({ evidence }) => evidence.filter(({ carried }) => carried));
  // Without carried evidence the session may have had other objectives, so none count as removed.
  const gone = length ? Math.max(0, before - mastery.length) : 0;
  return html`<p class="line">${icons.next}<span>${
    length ? msg("tutor.answersGoCountingTheir", { n: length }) : msg("tutor.noneAnswersCouldTaken")
  }${gone ? html` ${msg("tutor.objectivesNoLongerCourse", { n: gone })}` : nothing}</span></p>`;
}

function taughtFrom(passages: number, another: boolean): string {
  if (!passages) return another ? msg("tutor.taughtFromAnotherSide") : msg("tutor.taught");
  return another ? msg("tutor.taughtPassagesAnotherSide", { n: passages }) : msg("tutor.taughtFromPassages", { n: passages });
}

/** The running work: one line with Stop, and the lesson while it streams. */
export function teachingNow(working: RunningWork, stop: () => void): TemplateResult {
  return html`<section class="working" aria-label=${msg("tutor.tutorWork")}>
    <p class="trace"><span class="dot running"></span><span>${workWords(working)}</span><button type="button" class="stop" @click=${stop}>${icons.stop}${msg("common.stop")}</button></p>
    ${working.text ? html`<colloquy-answer .text=${working.text} .citations=${null}></colloquy-answer>` : nothing}
  </section>`;
}
