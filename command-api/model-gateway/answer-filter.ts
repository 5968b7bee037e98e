import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { codeTracker } from "./code-tracker.ts";
import { type Markup, markupAt, thinkingEnd, thinkingOpened } from "./model-markup.ts";

/** Removes internal markup from a streamed answer; see `answerFilter`. */
export interface AnswerFilter {
  /** Adds a chunk; returns the text that later chunks cannot change. */
  push(piece: string): string;
  /** The rest, after the last chunk. */
  end(): string;
}

/**
 * How models begin reasoning whose opening tag is in their chat template. No words that answers often begin with ("The", "We"), whose
 * first words would be delayed.
 */
const reasoningOpenings = ["okay, ", "ok, ", "alright, "]
  .flatMap((word) => ["so ", "let me ", "let's ", "the user ", "i need to "].map((more) => word + more))
  .concat("hmm", "let me think");
const longestOpening = Math.max(...reasoningOpenings.map(({ length }) => length));

/**
 * Removes what the model's service should have removed: reasoning, tokens of the chat template with what they enclose, and tool calls
 * written as text. Not in code, where such markup is an example. Everything else passes, raw HTML too, because it is rendered as text.
 * Reasoning that the template opened shows only by its closing tag: an answer that begins like reasoning is held back for
 * `modelBounds.gateway.markupLength` characters; in any other answer the text before that tag stays and ends a paragraph.
 */
export function answerFilter(): AnswerFilter {
  let pending = "";
  const spots = codeTracker();
  /** Scans text within dropped markup: how far it goes, and whether it ends there. */
  let dropping: ((text: string, final: boolean) => { end: number; ended: boolean }) | null = null;
  /** Whether nothing was emitted yet, and whether markup was dropped before that. */
  let first = true;
  let dropped = false;
  /** White space at the beginning; dropped together with markup after it. */
  let lead = "";
  /** What was held back is text after all. */
  let isReleased = false;
  let last = "";
  const opened = new Set<string>();

  /** Whether the beginning of the answer can be emitted; drops reasoning that was held back. */
  const begin = (final: boolean): boolean => {
    const text = pending.trimStart();
    lead += pending.slice(0, pending.length - text.length);
    pending = text;
    if (text === "") return false;
    if (isReleased) return true;
    const start = text.slice(0, longestOpening).toLowerCase();
    if (!reasoningOpenings.some((words) => start.startsWith(words)))
      return final || text.length >= longestOpening || !reasoningOpenings.some((words) => words.startsWith(start));
    const end = thinkingEnd(pending, final);
    if (end !== null) {
      pending = pending.slice(end);
      dropped = true;
      return begin(final);
    }
    isReleased = final || pending.length > modelBounds.gateway.markupLength;
    return isReleased;
  };

  const dropUntil = (until: Exclude<Markup, string>["until"]): void => {
    if (until === "calls") {
      const scanner = callsScanner();
      dropping = (text) => scanner.scan(text);
    } else if (until)
      dropping = (text, final) => {
        until.pattern.lastIndex = 0;
        const found = until.pattern.exec(text);
        if (found) return { end: found.index + found[0].length, ended: true };
        return { end: final ? text.length : Math.max(0, text.length - until.longest), ended: false };
      };
  };

  let out = "";
  const emit = (text: string): void => {
    if (!text) return;
    if (first && lead && !dropped) {
      spots.add(lead);
      out += lead;
    }
    spots.add(text);
    last = text.charAt(text.length - 1);
    first = false;
    out += text;
  };

  /** Emits text up to dropped markup (true: there may be more) or up to what is undecided. */
  const pass = (final: boolean): boolean => {
    let at = 0;
    const upTo = (end: number): void => {
      emit(pending.slice(at, end));
      at = end;
    };
    while (at < pending.length && !dropping) {
      upTo(nextSpecial(pending, at));
      if (at >= pending.length) break;
      const found = spots.inCode() ? "text" : markupAt(pending, at, { first, line: spots.line(), last, opened }, final);
      if (found === "wait") break;
      if (found === "text") {
        for (const close of thinkingOpened(pending, at)) opened.add(close);
        upTo(at + 1);
        continue;
      }
      emit(found.instead ?? "");
      at = found.end;
      dropped = true;
      dropUntil(found.until);
      // The next text may still be the beginning of the answer.
      if (first || dropping) {
        pending = pending.slice(at);
        return true;
      }
    }
    pending = pending.slice(at);
    return false;
  };

  const drain = (final: boolean): string => {
    out = "";
    for (let more = true; more; ) {
      if (dropping) {
        const { end, ended } = dropping(pending, final);
        pending = pending.slice(end);
        if (!ended) break;
        dropping = null;
      }
      more = (!first || begin(final)) && pass(final);
    }
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

/** The next character that can begin markup. */
function nextSpecial(text: string, from: number): number {
  const tag = text.indexOf("<", from);
  const bracket = text.indexOf("[", from);
  if (tag < 0 || bracket < 0) return Math.max(tag, bracket) < 0 ? text.length : Math.max(tag, bracket);
  return Math.min(tag, bracket);
}

/** Finds the end of tool calls written as JSON (a list of calls, an object, or a tool's name and its arguments) in chunks of any size. */
function callsScanner(): { scan(text: string): { end: number; ended: boolean } } {
  let depth = 0;
  let named = false;
  let inString = false;
  let escaped = false;
  return {
    scan(text) {
      for (let at = 0; at < text.length; at += 1) {
        const character = text.charAt(at);
        if (escaped) escaped = false;
        else if (inString) {
          if (character === "\\") escaped = true;
          else if (character === '"') inString = false;
        } else if (character === "{" || (character === "[" && !named)) depth += 1;
        else if (depth > 0 && character === "[") depth += 1;
        else if (depth > 0 && character === '"') inString = true;
        else if (depth > 0 && (character === "}" || character === "]")) {
          depth -= 1;
          if (depth === 0) return { end: at + 1, ended: true };
        } else if (depth === 0 && /\S/.test(character)) named = true;
      }
      return { end: text.length, ended: false };
    },
  };
}
