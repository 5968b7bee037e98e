import { seen } from "@colloquy/schemas/text/strip-invisible.ts";

/** The names of the tags of passages and pages, also in look-alike letters. */
const courseTag = /[<＜﹤]\s*([/／]?)\s*(?=[pрｐ][aаａ](?:[sѕｓ]{2}[aаａ][gɡｇ][eеｅ]|[gɡｇ][eеｅ](?![\p{L}\p{N}_-])))/giu;
/** Tokens of chat templates: some services interpret them anywhere in a message. */
const token = /<(?=[|｜][\p{L}\p{N}_][\p{L}\p{N}_▁ -]{0,39}[|｜]>|<\/?SYS>>|(?:start|end)_of_turn>)/giu;
const bracketToken = /\[(\/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT))\]/g;

/**
 * Escapes text of courses, learners and models for a prompt, against prompt injection: removes invisible characters, and neither a tag
 * of passages or pages nor a token of a chat template in it has an effect.
 */
export const escapeUntrusted = (text: string): string =>
  seen(text).replace(courseTag, "‹$1").replace(token, "‹").replace(bracketToken, "($1)");

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": " ", "\r": " " };

/** Text as the value of an attribute in quotation marks, cut to 200 characters. */
export const attribute = (text: string): string =>
  escapeUntrusted(text)
    .slice(0, 200)
    .toWellFormed()
    .replace(/[&<>"\n\r]/g, (character) => entities[character] ?? "");
