import { seen } from "@colloquy/schemas/text/strip-invisible.ts";

/** The name of the passage tag, also in look-alike letters. */
const passageTag = /[<＜﹤]\s*([/／]?)\s*(?=[pрｐ][aаａ][sѕｓ]{2}[aаａ][gɡｇ][eеｅ])/giu;
/** Tokens of chat templates: some services interpret them anywhere in a message. */
const token = /<(?=[|｜][\p{L}\p{N}_][\p{L}\p{N}_▁ -]{0,39}[|｜]>|<\/?SYS>>|(?:start|end)_of_turn>)/giu;
const bracketToken = /\[(\/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT))\]/g;

/**
 * Escapes text of courses, learners and models for a prompt, against prompt injection: removes invisible characters, and neither a passage
 * tag nor a token of a chat template in it has an effect.
 */
export const escapeUntrusted = (text: string): string =>
  seen(text).replace(passageTag, "‹$1").replace(token, "‹").replace(bracketToken, "($1)");
