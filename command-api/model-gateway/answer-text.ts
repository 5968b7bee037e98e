import { bounds } from "@colloquy/schemas/bounds.ts";

/** What of a model's words is meant for a learner; see `answerText`. */
export interface AnswerText {
  /** The text that is certain now, given this next piece. */
  push(piece: string): string;
  /** The rest, once the model has ended. */
  end(): string;
}

/** Tags models put around calls of tools they were never given. */
const callTags = ["tool_call", "tool_calls", "function_call", "function_calls", "tool_code", "tool_response"];
const callOpening = new RegExp(`<(${callTags.join("|")})>`, "y");
/** A token of a model's chat template, such as <|im_end|> or <｜tool▁calls▁begin｜>. */
const templateToken = /<[|｜][\p{L}\p{N}_▁ -]{1,40}[|｜]>/uy;
const templateTokenBegun = /<[|｜][\p{L}\p{N}_▁ -]{0,40}[|｜]?$/uy;
const thinking = /^\s*<(think|thinking|reasoning)>/;
const thinkingOpenings = ["<think>", "<thinking>", "<reasoning>"];
const longestTag = 20;

/**
 * Takes out of a model's stream what its service should have kept to itself: a block of reasoning at the very beginning,
 * tokens of its chat template, and tool calls written as text. Never inside code, where such marks are somebody's example.
 * Everything else, raw HTML too, passes as it is: whoever shows it shows it as text.
 */
export function answerText(): AnswerText {
  let pending = "";
  /** Reasoning comes first or not at all. */
  let beginning: "open" | { close: string } | "after" | "past" = "open";
  let fence = "";
  let lineStart = "";
  let ticks = 0;

  /** Goes through plain text, keeping track of code. */
  const note = (text: string): void => {
    for (const character of text) {
      if (character === "\n") {
        const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(lineStart)?.[1];
        if (mark && !fence) fence = mark;
        else if (mark && fence && mark.startsWith(fence)) fence = "";
        lineStart = "";
        ticks = 0;
      } else {
        if (lineStart.length < 64) lineStart += character;
        if (character === "`") ticks += 1;
      }
    }
  };
  const inCode = (): boolean => fence !== "" || ticks % 2 === 1 || /^[ \t>]*(`{3,}|~{3,})/.test(lineStart);

  const begin = (final: boolean): boolean => {
    if (beginning === "past") return true;
    if (beginning === "open") {
      const tag = thinking.exec(pending)?.[1];
      if (tag) beginning = { close: `</${tag}>` };
      else {
        const start = pending.trimStart();
        if (!final && pending.length < 200 && thinkingOpenings.some((opening) => opening.startsWith(start))) return false;
        beginning = "past";
        return true;
      }
    }
    if (beginning !== "after") {
      const { close } = beginning;
      const end = pending.indexOf(close);
      if (end < 0) {
        pending = final ? "" : pending.slice(-close.length);
        return false;
      }
      pending = pending.slice(end + close.length);
      beginning = "after";
    }
    pending = pending.trimStart();
    if (pending) beginning = "past";
    return pending !== "";
  };

  /** The index after the markup that begins at `at`; `at` when there is none; -1 when that is not to be known yet. */
  const markupEnd = (at: number, final: boolean): number => {
    templateToken.lastIndex = at;
    const token = templateToken.exec(pending);
    if (token) return at + token[0].length;
    templateTokenBegun.lastIndex = at;
    if (!final && templateTokenBegun.test(pending)) return -1;
    callOpening.lastIndex = at;
    const tag = callOpening.exec(pending)?.[1];
    if (!tag) {
      const rest = pending.slice(at);
      const mayOpen = rest.length < longestTag && callTags.some((name) => `<${name}>`.startsWith(rest));
      return mayOpen && !final ? -1 : at;
    }
    const close = `</${tag}>`;
    const end = pending.indexOf(close, at);
    if (end >= 0 && end - at <= bounds.gateway.markupLength) return end + close.length;
    if (pending.length - at > bounds.gateway.markupLength) return at;
    if (!final) return -1;
    // A call that was cut off is no text; a tag that somebody only speaks of is.
    return /^\s*[{[<]/.test(pending.slice(at + tag.length + 2)) ? pending.length : at;
  };

  const drain = (final: boolean): string => {
    if (!begin(final)) return "";
    let out = "";
    let at = 0;
    const emit = (end: number): void => {
      const text = pending.slice(at, end);
      note(text);
      out += text;
      at = end;
    };
    while (at < pending.length) {
      const next = pending.indexOf("<", at);
      if (next !== at) {
        emit(next < 0 ? pending.length : next);
        continue;
      }
      const end = inCode() ? at : markupEnd(at, final);
      if (end < 0) break;
      if (end === at) emit(at + 1);
      else at = end;
    }
    pending = pending.slice(at);
    return out;
  };

  return {
    push(piece) {
      pending += piece;
      return drain(false);
    },
    end: () => drain(true),
  };
}
