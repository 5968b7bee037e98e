import { responseText } from "@colloquy/schemas/questions/key-text.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../../controls/icons.ts";
import { msg } from "../../messages/page.ts";
import "../../quiz/quiz-text.ts";
import { countedWords, kindWords, masteryChanges, momentWords, questionOf, sentenceOf } from "./words.ts";

type Answer = Extract<TutorMessage, { kind: "answer" }>;

/**
 * One event: number, sentence, change of mastery, and its details in a fold.
 * @param here whether the address names this event
 */
export function entryView(entry: EvidenceEntry, session: TutorSession, here: boolean): TemplateResult {
  const moves = masteryChanges(entry, session);
  const isCompared = session.messages.some((message) => message.kind === "answer" && message.receipt === entry.index && message.compared);
  const verdict =
    entry.correct === undefined || isCompared
      ? nothing
      : html` <span class=${entry.correct ? "good" : "bad"}>${entry.correct ? msg("common.right") : msg("common.notRight")}</span>`;
  return html`<li id="event-${entry.index}" aria-current=${here ? "true" : nothing}>
    <span class="number"><span class="visually-hidden">${msg("ledger.event2", { event: String(entry.index) })}</span><span aria-hidden="true">${entry.index}</span></span>
    <div><p class="what"><span><b>${kindWords(entry)}</b>${verdict}</span><time datetime=${entry.at}>${momentWords(entry.at)}</time></p>
      <p class="said" dir="auto">${isCompared ? msg("audit.compared") : sentenceOf(entry, session)}</p>
      ${moves.length ? html`<ul class="moves">${moves.map(({ title, words }) => html`<li><span dir="auto">${title}</span> <b>${words}</b></li>`)}</ul>` : nothing}
      <details><summary>${msg("ledger.sources")}${icons.down}</summary>${factsOf(entry, session)}</details></div></li>`;
}

function factsOf(entry: EvidenceEntry, session: TutorSession): TemplateResult {
  const question = questionOf(entry, session);
  const answer = session.messages.find((message): message is Answer => message.kind === "answer" && message.receipt === entry.index);
  const fact = (name: string, value: unknown) => (value === nothing ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`<dl>
    ${fact(msg("common.question"), question ? html`<colloquy-quiz-text plain .text=${question.prompt}></colloquy-quiz-text>` : nothing)}
    ${fact(msg("ledger.yourAnswer"), answer ? answered(answer, question) : nothing)}
    ${fact(msg("ledger.howItCounted"), entry.kind === "plan" || entry.decision ? nothing : countedWords(entry))}
    ${fact(msg("audit.sent"), entry.via ? html`<bdi>${entry.via.clientId}</bdi>` : nothing)}
    ${fact(msg("common.model"), entry.model ? html`<bdi>${entry.model}</bdi>` : nothing)}
    ${fact(msg("audit.hash"), html`<code dir="ltr">${entry.hash}</code>`)}
    ${fact(msg("ledger.hashBefore"), html`<code dir="ltr">${entry.previousHash}</code>`)}</dl>`;
}

function answered({ choiceIds, text, response, key }: Answer, question: ReturnType<typeof questionOf>) {
  if (response === null) return html`<em>${msg("ledger.yourWordsWereDeleted")}</em>`;
  if (response && key) return html`<colloquy-quiz-text .text=${responseText(key, response)}></colloquy-quiz-text>`;
  if (!choiceIds.length) return html`<span dir="auto">${text ?? html`<em>${msg("ledger.yourWordsWereDeleted")}</em>`}</span>`;
  const chosen = question?.choices.filter(({ choiceId }) => choiceIds.includes(choiceId)) ?? [];
  return html`<ul>${chosen.map((choice) => html`<li><colloquy-quiz-text plain .text=${choice.text}></colloquy-quiz-text></li>`)}</ul>`;
}
