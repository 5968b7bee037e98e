import type { AuditMoment, AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { type MasteryParameters, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { html, nothing, type TemplateResult } from "lit";
import { msg, rich } from "../messages/page.ts";
import "../answers/answer.ts";
import "../answers/sources.ts";
import { icons } from "../controls/icons.ts";
import "../quiz/quiz-text.ts";
import { decisionView } from "../tutor/decisions.ts";
import { hintText } from "../tutor/localized-text.ts";
import type { SessionState } from "./session-states.ts";
import { kindOf, phaseWords, ruleOf } from "./words.ts";

type Message = NonNullable<AuditMoment["message"]>;
type Question = Extract<Message, { kind: "question" }>;
type Answer = Extract<Message, { kind: "answer" }>;

/** A moment: what the learner saw and did, the mastery rule, and who wrote the text. */
export function momentView(moment: AuditMoment, stand: SessionState, record: AuditRecord): TemplateResult {
  const { event, message, entry, model } = moment;
  const commitment = entry?.response && "commitment" in entry.response ? entry.response.commitment : null;
  return html`<h2>${entry ? msg("audit.atEvent", { event: String(entry.index) }) : kindOf(moment)}</h2>
    <div class="shown">${message ? shown(message, stand, record) : html`<p class="soft">${msg("audit.nothingWasShown")}</p>`}</div>
    ${commitment === null ? nothing : html`<p class="soft">${rich("audit.answeredLearnersOwnWords", { commitment: html`<code dir="ltr">${commitment.slice(0, 12)}…</code>` })}</p>`}
    ${entry ? html`<p class="rule">${ruleOf(entry, parametersOf(record))}</p>` : nothing}
    <dl class="facts">
      ${fact(msg("audit.phase"), stand.paused ? msg("audit.paused", { phase: phaseWords(stand.phase) }) : phaseWords(stand.phase))}
      ${entry && isGraded(entry.kind) ? fact(msg("audit.gradedBy"), entry.gradedBy === "model" ? msg("audit.aModel") : msg("audit.theApplication")) : nothing}
      ${entry?.via ? fact(msg("audit.sent"), html`${msg("audit.anAssistant")} <code dir="ltr">${entry.via.clientId}</code>`) : nothing}
      ${model ? fact(msg("audit.writtenBy"), html`<code dir="ltr">${model}</code>`) : nothing}
      ${entry ? fact(msg("audit.revision"), html`<code dir="ltr" title=${entry.courseRevisionId}>${entry.courseRevisionId.slice(0, 12)}</code>`) : nothing}
      ${entry ? fact(msg("audit.hash"), html`<code dir="ltr" title=${entry.hash}>${entry.hash.slice(0, 12)}</code>`) : nothing}
      ${fact(msg("audit.inTheStore"), html`<bdi>#${event}</bdi>`)}
    </dl>`;
}

const fact = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
const isGraded = (kind: string): boolean => kind === "probe" || kind === "check";

/** The mastery parameters that the session was opened with. */
function parametersOf({ moments }: AuditRecord): MasteryParameters {
  return moments.find(({ entry }) => entry?.opening)?.entry?.opening?.parameters ?? masteryParameters;
}

function shown(message: Message, stand: SessionState, record: AuditRecord): TemplateResult {
  switch (message.kind) {
    case "question":
      return html`${prompt(message.prompt)}${choices(message)}`;
    case "answer":
      return answered(message, questionOf(message.itemId, record));
    case "teaching":
      return html`<h3 dir="auto">${message.title}</h3>${message.nothingElse ? html`<p class="soft">${msg("tutor.nothingElseToTeach")}</p>` : html`<colloquy-answer .text=${message.text} .citations=${message.citations}></colloquy-answer>`}
        ${message.outcome === "stopped" ? html`<p class="soft">${msg("audit.learnerStopped")}</p>` : nothing}${sources(message.citations)}`;
    case "plan":
      return html`<ol>${message.steps.map(({ title }) => html`<li dir="auto">${title}</li>`)}</ol>${message.findings.map((finding) => html`<p class="bad">${finding}</p>`)}`;
    case "goal":
      return html`<p class="soft">${msg("audit.learnerSaidTheyWant")}</p>`;
    case "asked":
      return html`<p class="soft">${msg("audit.learnerAskedBack")}</p>${sources(message.citations)}`;
    case "self_report":
      return html`<p>${message.knows ? msg("audit.learnerSaidTheyKnow") : msg("audit.learnerSaidTheyDoNotKnow")}</p>`;
    case "explanation":
      return html`${text(message.text, message.citations)}${sources(message.citations)}`;
    case "hint":
      return text(hintText(message.text).text);
    case "decision":
      return html`<p>${decisionView(message, { path: stand.path, messages: messagesOf(record) })}</p>`;
  }
}

const messagesOf = ({ moments }: AuditRecord): Message[] => moments.flatMap(({ message }) => message ?? []);

function questionOf(itemId: string, { moments }: AuditRecord): Question | null {
  const found = moments.find(({ message }) => message?.kind === "question" && message.itemId === itemId)?.message;
  return found?.kind === "question" ? found : null;
}

function answered(answer: Answer, question: Question | null): TemplateResult {
  return html`${question ? html`${prompt(question.prompt)}${choices(question, answer)}` : nothing}
    ${answer.criteria.length ? html`<ul class="criteria">${answer.criteria.map(({ criterion, met }) => html`<li class=${met ? "good" : "bad"}>${met ? icons.check : icons.close}<span>${criterion}</span><span class="visually-hidden">${met ? msg("audit.met") : msg("audit.notMet")}</span></li>`)}</ul>` : nothing}
    ${answer.disputed ? html`<p class="bad">${msg("audit.learnerDisputedGradeDoesNotCount")}</p>` : nothing}
    ${answer.explanation ? text(answer.explanation, answer.citations) : nothing}${sources(answer.citations)}`;
}

/** A question's choices in the learner's order; after an answer, with the chosen and right ones marked. */
function choices({ choices: all }: Question, answer?: Answer): TemplateResult | typeof nothing {
  if (!all.length) return nothing;
  return html`<ul class="choices">${all.map(({ choiceId, text: words }) => {
    const chosen = answer?.choiceIds.includes(choiceId) ?? false;
    const right = answer?.right.includes(choiceId) ?? false;
    const said = chosen ? (right ? msg("audit.chosenRight") : msg("audit.chosen")) : right ? msg("audit.rightAnswer") : null;
    return html`<li class="${chosen ? "chosen" : ""} ${right ? "good" : chosen ? "bad" : ""}"><colloquy-quiz-text plain dir="auto" .text=${words}></colloquy-quiz-text>${said ? html`<small>${said}</small>` : nothing}</li>`;
  })}</ul>`;
}

const prompt = (words: string) => html`<colloquy-quiz-text plain class="prompt" dir="auto" .text=${words}></colloquy-quiz-text>`;
const text = (words: string, citations: readonly Citation[] = []) =>
  html`<colloquy-quiz-text dir="auto" .text=${words} .citations=${citations}></colloquy-quiz-text>`;
const sources = (citations: readonly Citation[]) =>
  citations.length ? html`<div class="from"><colloquy-sources .citations=${citations}></colloquy-sources></div>` : nothing;
