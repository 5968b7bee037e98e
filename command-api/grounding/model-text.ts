import { seen } from "@colloquy/schemas/text/strip-invisible.ts";

/**
 * What text of courses, learners and models is before a model reads it. A reader cannot see everything that stands in a text, and a model
 * takes some of what a reader sees for more than text; both are how a text gives orders.
 */

/** The name of our own marking, in letters that look like its own, too. */
const passageTag = /[<＜﹤]\s*([/／]?)\s*(?=[pрｐ][aаａ][sѕｓ]{2}[aаａ][gɡｇ][eеｅ])/giu;
/** Tokens that templates of chats are made of: some services read them wherever they stand. */
const token = /<(?=[|｜][\p{L}\p{N}_][\p{L}\p{N}_▁ -]{0,39}[|｜]>|<\/?SYS>>|(?:start|end)_of_turn>)/giu;
const bracketToken = /\[(\/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT))\]/g;

/** The same, and nothing in it ends the place it stands in or begins another: neither our own marking nor a chat's. */
export const asMaterial = (text: string): string => seen(text).replace(passageTag, "‹$1").replace(token, "‹").replace(bracketToken, "($1)");
