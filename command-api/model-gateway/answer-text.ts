import { bounds } from "@colloquy/schemas/bounds.ts";
import { callsScanner } from "./calls-scanner.ts";
import { codeSpots } from "./code-spots.ts";
import { type Markup, markupAt, thinkingEnd, thinkingOpened } from "./model-markup.ts";

/** What of a model's words is meant for a learner; see `answerText`. */
export interface AnswerText {
  /** The text that is certain now, given this next piece. */
  push(piece: string): string;
  /** The rest, once the model has ended. */
  end(): string;
}

/**
 * How models begin that think aloud without saying so: their template has opened the reasoning for them. Nothing that answers often
 * begin with ("The", "We"), which would hold back their first words.
 */
const thinkingAloud = ["okay, ", "ok, ", "alright, "]
  .flatMap((word) => ["so ", "let me ", "let's ", "the user ", "i need to "].map((more) => word + more))
  .concat("hmm", "let me think");
const longestAloud = Math.max(...thinkingAloud.map(({ length }) => length));

/**
 * Takes out of a model's stream what its service should have kept to itself: reasoning, tokens of its chat template with what they
 * enclose, and tool calls written as text. Never inside code, where such marks are somebody's example. Everything else, raw HTML too,
 * passes as it is: whoever shows it shows it as text. Reasoning that its model's template has opened is known by its end alone: an
 * answer that begins like it is held back for `bounds.gateway.markupLength` characters; of any other, what was said before such an
 * end was said, and a paragraph ends there.
 */
export function answerText(): AnswerText {
  let pending = "";
  const spots = codeSpots();
  /** Takes the text in which dropped markup goes on; how much of it that is, and whether it ends there. */
  let dropping: ((text: string, final: boolean) => { end: number; ended: boolean }) | null = null;
  /** Whether anything was let out, and whether anything was dropped before it. */
  let first = true;
  let dropped = false;
  /** White space at the beginning; it goes with what is dropped behind it. */
  let lead = "";
  /** Held for too long: it is text. */
  let letOut = false;
  let last = "";
  const opened = new Set<string>();

  /** Whether the beginning of the answer may be told; drops reasoning that was held back, and space that dropped markup leaves. */
  const begin = (final: boolean): boolean => {
    const said = pending.trimStart();
    lead += pending.slice(0, pending.length - said.length);
    pending = said;
    if (said === "") return false;
    if (letOut) return true;
    const start = said.slice(0, longestAloud).toLowerCase();
    if (!thinkingAloud.some((words) => start.startsWith(words)))
      return final || said.length >= longestAloud || !thinkingAloud.some((words) => words.startsWith(start));
    const end = thinkingEnd(pending, final);
    if (end !== null) {
      pending = pending.slice(end);
      dropped = true;
      return begin(final);
    }
    letOut = final || pending.length > bounds.gateway.markupLength;
    return letOut;
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
  const tell = (text: string): void => {
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

  /** Tells text up to markup that is dropped (then there may be more to tell), or up to what is not certain yet. */
  const pass = (final: boolean): boolean => {
    let at = 0;
    const upTo = (end: number): void => {
      tell(pending.slice(at, end));
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
      tell(found.instead ?? "");
      at = found.end;
      dropped = true;
      dropUntil(found.until);
      // What comes next may be the beginning of the answer still.
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

/** Where markup may begin next. */
function nextSpecial(text: string, from: number): number {
  const tag = text.indexOf("<", from);
  const bracket = text.indexOf("[", from);
  if (tag < 0 || bracket < 0) return Math.max(tag, bracket) < 0 ? text.length : Math.max(tag, bracket);
  return Math.min(tag, bracket);
}
