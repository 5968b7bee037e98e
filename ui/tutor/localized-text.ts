import { shownWords } from "@colloquy/schemas/text/visible-text.ts";
import { courseSaysNoMore, derivedTopic, framedHint, nothingAsked } from "@colloquy/schemas/tutor/words.ts";
import { html, type TemplateResult } from "lit";
import { msg, rich } from "../messages/page.ts";
import { lineView } from "../rendering/line-view.ts";

/** Sentences in the reader's language around a course's words, which keep their own language. */

/** Isolates a text's direction from the surrounding text. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** A hint as Markdown; `own`: a model wrote it, in the course's language. */
export function hintText(text: string): { text: string; own: boolean } {
  const framed = framedHint(text);
  if (!framed) return { text, own: true };
  return framed.kind === "where"
    ? { text: msg("tutor.standsReadAgainThen", { place: isolated(framed.place) }), own: false }
    : { text: msg("tutor.choiceWrong", { choice: isolated(framed.choice) }), own: false };
}

/** The reply to a learner who asked back. */
export function replyText(reply: string): string {
  if (reply === courseSaysNoMore) return msg("tutor.courseSaysNoMore");
  return reply === nothingAsked ? msg("tutor.nothingAsked") : reply;
}

/** An objective's name as plain text, with formulas approximated by characters. */
export function objectiveName(title: string): string {
  const topic = derivedTopic(title);
  return topic === null ? shownWords(title) : msg("tutor.sayTeachesUse", { topic: isolated(topic) });
}

/** An objective's name with the course's words marked as in the course's language. */
export function objectiveView(title: string, language: string): TemplateResult {
  const topic = derivedTopic(title);
  if (topic === null) return html`<span lang=${language} dir="auto">${lineView(title)}</span>`;
  return html`${rich("tutor.sayTeachesUse", { topic: html`<bdi lang=${language}>${topic}</bdi>` })}`;
}
