import { bounds } from "@colloquy/schemas/bounds.ts";

/** Where markup that has begun ends. */
export type Until =
  /** Behind the first match, which is never longer than `longest`. */
  | { pattern: RegExp; longest: number }
  /** Behind the JSON value that comes next, and the calls that follow it directly. */
  | "calls";

/**
 * What begins at a place of a model's text: nothing of its own; what is not to be known before more has come; or markup that ends before
 * `end`, with text to stand in its place, after which everything up to `until` is dropped as well.
 */
export type Markup = "text" | "wait" | { end: number; instead?: string; until?: Until };

/** What is known of the text before that place. */
export interface Before {
  /** Whether nothing but white space has been let out. */
  first: boolean;
  /** The beginning of the line so far. */
  line: string;
  /** The character just before; empty at the text's beginning. */
  last: string;
  /** Names of thinking tags that were let out as text, because they stood further down. */
  opened: ReadonlySet<string>;
}

const thinkingNames = ["think", "thinking", "thought", "reasoning"];
const thinkingTags = thinkingNames.map((name) => [`<${name}>`, `</${name}>`] as const);
const thinkingPairs = [...thinkingTags, ["[THINK]", "[/THINK]"] as const];

/** Tags models put around calls of tools they were never given. */
const callTags = ["tool_call", "tool_calls", "function_call", "function_calls", "tool_code", "tool_response"];
const callOpening = new RegExp(`<(${callTags.join("|")})>`, "y");

/** A token of a model's chat template, such as <|im_end|> or <｜tool▁calls▁begin｜>. */
const token = /<[|｜]([\p{L}\p{N}_▁ -]{1,40})[|｜]>/uy;
const tokenBegun = /<[|｜]?[\p{L}\p{N}_▁ -]{0,40}[|｜]?$/uy;
const barBegun = /<[|｜]/y;

const mistralCalls = "[TOOL_CALLS]";
/** Behind that mark: a list of calls, an object, or a tool's name before its arguments. */
const callsFollow = /\s*(?:\[\s*[{\]]|\{\s*["}]|[\w.-]{1,64}(?:\[(?:ARGS|CALL_ID)\]|\{))/y;
const callsMayFollow = /\s*(?:\[\s*|\{\s*|[\w.-]{1,64}(?:\[[A-Z_]{0,7})?)?$/y;

/** Roles named behind a token that begins a message. */
const role = /(?:assistant|user|system|developer|tool|ipython)\b(?:[ \t]*\n)?/y;
const roleBegun = /[a-z]{0,9}[ \t]*$/y;
const messageTokens = new Set(["start", "im_start", "start_header_id"]);

/** Harmony: a channel's name, to whom it speaks, and the mark behind which its message stands. */
const channel = /\s*(analysis|commentary|final)\b[^<\n]{0,120}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/y;
const channelBegun =
  /\s*(?:[a-z]{0,10}|(?:analysis|commentary|final)\b[^<\n]{0,120}(?:<(?:\|[a-z]{0,10}(?:\|>?)?)?[^<\n]{0,40}(?:<(?:\|[a-z]{0,10}\|?)?)?)?)$/y;
const messageEnd = /<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)/g;

/** Tokens that begin a stretch which is not for a learner, with those that end it. */
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

/** Nothing that is waited for is longer. */
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

/** Behind a token of the template, which goes in any case. */
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
    // Whether a line ends behind the role is to be known first.
    roleBegun.lastIndex = end;
    if (!final && roleBegun.test(text)) return "wait";
    role.lastIndex = end;
    const named = role.exec(text)?.[0] ?? "";
    return { end: end + named.length, ...(!before.first && { instead: "\n\n" }) };
  }
  return { end };
}

/** Reasoning at the beginning of what is said, or the end of reasoning whose beginning stood in the prompt. */
function thinkingAt(text: string, at: number, before: Before, final: boolean): Markup {
  const begun = (whole: string): boolean => !final && text.length - at < whole.length && whole.startsWith(text.slice(at));
  for (const [open, close] of thinkingPairs) {
    if (before.first && text.startsWith(open, at))
      return { end: at + open.length, until: { pattern: literal(close), longest: close.length } };
    if (text.startsWith(close, at) && !before.opened.has(close) && !spokenOf(before)) {
      const instead = before.line.trim() === "" ? "\n" : "\n\n";
      return { end: at + close.length, ...(!before.first && { instead }) };
    }
    if (begun(close) || begun(open)) return "wait";
  }
  return "text";
}

/** A tag behind a space, a quotation mark or a bracket is one that a sentence speaks of. */
const spokenOf = ({ line, last }: Before): boolean => line.trim() !== "" && /[\s"'“‘«([*_]/.test(last);

/** The closing tags of the thinking tags that a text begins to speak of here; none for any other text. */
export function thinkingOpened(text: string, at: number): string[] {
  return thinkingPairs.flatMap(([open, close]) => (text.startsWith(open, at) ? [close] : []));
}

/** Behind the end of reasoning that a text begins with, though nothing has said so; null while there is none. */
export function thinkingEnd(text: string, final: boolean): number | null {
  for (const found of text.matchAll(loneEnd)) {
    const end = found.index + found[0].length;
    if (end === text.length && !final) return null;
    if (text.charAt(end) !== "`") return end;
  }
  return null;
}

/** Not in backticks, where reasoning speaks of it. */
const loneEnd = new RegExp(`(?<!\`)</(?:${thinkingNames.join("|")})>`, "g");

const literal = (text: string): RegExp => new RegExp(text.replaceAll(/[[\]/]/g, "\\$&"), "g");

/** A call of a tool between tags: with its end, unless it is too long; without, when it was cut off. */
function callAt(text: string, at: number, final: boolean): Markup {
  callOpening.lastIndex = at;
  const tag = callOpening.exec(text)?.[1];
  if (!tag) {
    const rest = text.slice(at, at + longestToken);
    return !final && callTags.some((name) => `<${name}>`.startsWith(rest)) ? "wait" : "text";
  }
  const close = `</${tag}>`;
  const end = text.indexOf(close, at);
  if (end >= 0 && end - at <= bounds.gateway.markupLength) return { end: end + close.length };
  if (text.length - at > bounds.gateway.markupLength) return "text";
  if (!final) return "wait";
  // A call that was cut off is no text; a tag that somebody only speaks of is.
  return /^\s*[{[<]/.test(text.slice(at + tag.length + 2)) ? { end: text.length } : "text";
}
