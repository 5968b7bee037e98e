import { modelBounds } from "@colloquy/schemas/model-bounds.ts";

/** Where dropped markup ends. */
export type Until =
  /** After the first match, which is at most `longest` characters. */
  | { pattern: RegExp; longest: number }
  /** After the next JSON value. */
  | "calls";

/**
 * What begins at a place of a model's text: ordinary text; something undecided without more text; or markup that ends before `end`, with
 * text to replace it, after which everything up to `until` is dropped too.
 */
export type Markup = "text" | "wait" | { end: number; instead?: string; until?: Until };

/** The text before that place. */
export interface Before {
  /** Whether only white space has been emitted. */
  first: boolean;
  /** The beginning of the line so far. */
  line: string;
  /** The previous character; empty at the beginning. */
  last: string;
  /** Closing tags of reasoning tags that were emitted as text. */
  opened: ReadonlySet<string>;
}

const thinkingNames = ["think", "thinking", "thought", "reasoning"];
const thinkingTags = thinkingNames.map((name) => [`<${name}>`, `</${name}>`] as const);
const thinkingPairs = [...thinkingTags, ["[THINK]", "[/THINK]"] as const];

/** Tags around calls of tools that the model was not given. */
const callTags = ["tool_call", "tool_calls", "function_call", "function_calls", "tool_code", "tool_response"];
const callOpening = new RegExp(`<(${callTags.join("|")})>`, "y");

/** A token of a model's chat template, such as <|im_end|> or <｜tool▁calls▁begin｜>. */
const token = /<[|｜]([\p{L}\p{N}_▁ -]{1,40})[|｜]>/uy;
const tokenBegun = /<[|｜]?[\p{L}\p{N}_▁ -]{0,40}[|｜]?$/uy;
const barBegun = /<[|｜]/y;

const mistralCalls = "[TOOL_CALLS]";
/** After that mark: a list of calls, an object, or a tool's name and its arguments. */
const callsFollow = /\s*(?:\[\s*[{\]]|\{\s*["}]|[\w.-]{1,64}(?:\[(?:ARGS|CALL_ID)\]|\{))/y;
const callsMayFollow = /\s*(?:\[\s*|\{\s*|[\w.-]{1,64}(?:\[[A-Z_]{0,7})?)?$/y;

/** A role after a token that begins a message. */
const role = /(?:assistant|user|system|developer|tool|ipython)\b(?:[ \t]*\n)?/y;
const roleBegun = /[a-z]{0,9}[ \t]*$/y;
const messageTokens = new Set(["start", "im_start", "start_header_id"]);

/** Harmony: the name of a channel, its recipient, and the token before its message. */
const channel = /\s*(analysis|commentary|final)\b[^<\n]{0,120}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/y;
const channelBegun =
  /\s*(?:[a-z]{0,10}|(?:analysis|commentary|final)\b[^<\n]{0,120}(?:<(?:\|[a-z]{0,10}(?:\|>?)?)?[^<\n]{0,40}(?:<(?:\|[a-z]{0,10}\|?)?)?)?)$/y;
const messageEnd = /<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)/g;

/** Tokens that begin internal text, with those that end it. */
const stretches: [RegExp, (name: string) => RegExp][] = [
  [/^tool_(?:calls?|outputs?)(?:_section)?_begin$/, (name) => endToken(name.replace("_begin", "_end"))],
  [/^tool_call_argument_begin$/, () => endToken("tool_call_end")],
  [/^begin_of_thought$/, () => endToken("end_of_thought")],
  [/^python_tag$/, () => endToken("(?:eom_id|eot_id|end_of_text)")],
];
const longestToken = 46;

function endToken(name: string): RegExp {
  return new RegExp(`<[|｜]${name.replaceAll("_", "[_▁ ]")}[|｜]>`, "gu");
}

/** What begins at `at`, which is a `<` or `[` outside code. `final`: nothing more will come. */
export function markupAt(text: string, at: number, before: Before, final: boolean): Markup {
  return text.charAt(at) === "[" ? bracketAt(text, at, before, final) : tagAt(text, at, before, final);
}

function bracketAt(text: string, at: number, before: Before, final: boolean): Markup {
  const thought = thinkingAt(text, at, before, final);
  if (thought !== "text") return thought;
  if (text.startsWith(mistralCalls, at)) {
    const after = at + mistralCalls.length;
    callsFollow.lastIndex = after;
    if (callsFollow.test(text)) return { end: after, until: "calls" };
    callsMayFollow.lastIndex = after;
    return !final && callsMayFollow.test(text) && text.length - after < longestHeader ? "wait" : "text";
  }
  return !final && mistralCalls.startsWith(text.slice(at, at + mistralCalls.length)) ? "wait" : "text";
}

/** A longer header is not a header. */
const longestHeader = 240;

function tagAt(text: string, at: number, before: Before, final: boolean): Markup {
  token.lastIndex = at;
  const found = token.exec(text);
  if (found) return tokenAt(text, at + found[0].length, (found[1] ?? "").replaceAll(/[▁ ]/g, "_").toLowerCase(), before, final);
  tokenBegun.lastIndex = at;
  barBegun.lastIndex = at;
  if (!final && (text.length === at + 1 || (barBegun.test(text) && tokenBegun.test(text)))) return "wait";
  const thought = thinkingAt(text, at, before, final);
  if (thought !== "text") return thought;
  return callAt(text, at, final);
}

/** What follows a token of the template, which is dropped in any case. */
function tokenAt(text: string, end: number, name: string, before: Before, final: boolean): Markup {
  for (const [begins, ends] of stretches) if (begins.test(name)) return { end, until: { pattern: ends(name), longest: longestToken } };
  if (name === "channel") {
    channel.lastIndex = end;
    const header = channel.exec(text);
    if (header) {
      const message = end + header[0].length;
      return header[1] === "final" ? { end: message } : { end: message, until: { pattern: messageEnd, longest: longestToken } };
    }
    channelBegun.lastIndex = end;
    return !final && text.length - end < longestHeader && channelBegun.test(text) ? "wait" : { end };
  }
  if (messageTokens.has(name)) {
    // A line break after the role belongs to it.
    roleBegun.lastIndex = end;
    if (!final && roleBegun.test(text)) return "wait";
    role.lastIndex = end;
    const named = role.exec(text)?.[0] ?? "";
    return { end: end + named.length, ...(!before.first && { instead: "\n\n" }) };
  }
  return { end };
}

/** Reasoning at the beginning of an answer, or the end of reasoning that the prompt opened. */
function thinkingAt(text: string, at: number, before: Before, final: boolean): Markup {
  const begun = (whole: string): boolean => !final && text.length - at < whole.length && whole.startsWith(text.slice(at));
  for (const [open, close] of thinkingPairs) {
    if (before.first && text.startsWith(open, at))
      return { end: at + open.length, until: { pattern: literal(close), longest: close.length } };
    if (text.startsWith(close, at) && !before.opened.has(close) && !isMentioned(before)) {
      const instead = before.line.trim() === "" ? "\n" : "\n\n";
      return { end: at + close.length, ...(!before.first && { instead }) };
    }
    if (begun(close) || begun(open)) return "wait";
  }
  return "text";
}

/** Whether a sentence mentions the tag: it follows a space, a quotation mark or a bracket. */
const isMentioned = ({ line, last }: Before): boolean => line.trim() !== "" && /[\s"'“‘«([*_]/.test(last);

/** The closing tags of the reasoning tags that the text mentions here. */
export function thinkingOpened(text: string, at: number): string[] {
  return thinkingPairs.flatMap(([open, close]) => (text.startsWith(open, at) ? [close] : []));
}

/** The index after reasoning that a text begins with without an opening tag; null while it has no end. */
export function thinkingEnd(text: string, final: boolean): number | null {
  for (const found of text.matchAll(loneEnd)) {
    const end = found.index + found[0].length;
    if (end === text.length && !final) return null;
    if (text.charAt(end) !== "`") return end;
  }
  return null;
}

/** Not in backticks, where reasoning mentions it. */
const loneEnd = new RegExp(`(?<!\`)</(?:${thinkingNames.join("|")})>`, "g");

const literal = (text: string): RegExp => new RegExp(text.replaceAll(/[[\]/]/g, "\\$&"), "g");

/** A tool call between tags: with its end unless it is too long, or without if the answer is cut off. */
function callAt(text: string, at: number, final: boolean): Markup {
  callOpening.lastIndex = at;
  const tag = callOpening.exec(text)?.[1];
  if (!tag) {
    const rest = text.slice(at, at + longestToken);
    return !final && callTags.some((name) => `<${name}>`.startsWith(rest)) ? "wait" : "text";
  }
  const close = `</${tag}>`;
  const end = text.indexOf(close, at);
  if (end >= 0 && end - at <= modelBounds.gateway.markupLength) return { end: end + close.length };
  if (text.length - at > modelBounds.gateway.markupLength) return "text";
  if (!final) return "wait";
  // A call that is cut off is dropped; a tag that is only mentioned is text.
  return /^\s*[{[<]/.test(text.slice(at + tag.length + 2)) ? { end: text.length } : "text";
}
