import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { quoteFor, splitSentences } from "./quote.ts";
import type { TurnPassage } from "./retrieve.ts";

/** The citation a passage becomes when a sentence stands on it: address, title and quote frozen as they are now. */
export function citationOf(passage: TurnPassage, number: number, sentence: string): Citation {
  const { sourceId, href, title, trail } = passage.source;
  return { number, sourceId, href, title, trail, revisionId: passage.revisionId, quote: quoteFor(passage.text, sentence) };
}

/** Turns a model's stream into the text a learner gets; see `citationWriter`. */
export interface CitationWriter {
  /** The text that is certain now, given this next piece of the model's text. */
  push(text: string): string;
  /** The rest, once the model has ended. */
  end(): string;
  /** What has been cited so far, in order of first use. */
  citations(): Citation[];
}

/** A marker of the model's: [s1], [s1, s3], 【s2】; or a footnote mark of its own, which would pose as one of ours. */
const marker = /[[【]\s*(?:\^\d{1,6}|[sS]\d{1,4}(?:\s*[,;]\s*[sS]\d{1,4})*)\s*[\]】]/y;
const markerBegun = /[[【]\s*(?:\^\d{0,6}|[sS]\d{0,4}(?:\s*[,;]\s*(?:[sS]\d{0,4})?)*)?\s*$/y;
/** No marker is longer; what is, is text. */
const longestMarker = 80;
/** A code span that has not closed within so many characters is taken for plain text. */
const longestCodeSpan = 2_000;

const fenceLine = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)$/;
const fenceBegun = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(?:[`~]+$|`{3,}|~{3,})/;
const prefixBegun = /^(?:[ \t>]|[-*+](?:[ \t]|$)|\d{1,9}(?:[.)](?:[ \t]|$)|$))*$/;
/** Beyond so many characters a line that has not shown what it is, is text: keeps every test above linear in the text. */
const longestPrefix = 64;
const indentedCode = /^(?: {4}|\t)/;
const listItem = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * Rewrites a model's source markers into numbered citations (`[^N]`, N in order of first use) while the text streams.
 * A marker whose passage was not given in this turn is dropped, as is a footnote mark of the model's own; half a marker is
 * never let out; code (fences, spans, indented) is passed through untouched.
 */
export function citationWriter(passages: readonly TurnPassage[]): CitationWriter {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const cited = new Map<string, Citation>();
  let pending = "";
  let fence: { mark: string; length: number } | null = null;
  let atLineStart = true;
  let blankBefore = true;
  let inList = false;
  /** Text let out since the last paragraph break: the end of it is what a marker stands for. */
  let paragraph = "";
  /** Numbers already standing at this spot, so that [s1][s1] is one. */
  let here = new Set<number>();

  const cite = (text: string): string => {
    let out = "";
    for (const key of text.toLowerCase().match(/s\d+/g) ?? []) {
      const number = numberOf(key);
      if (number === undefined || here.has(number)) continue;
      here.add(number);
      out += `[^${number}]`;
    }
    return out;
  };

  const numberOf = (key: string): number | undefined => {
    const known = cited.get(key);
    if (known) return known.number;
    const passage = byKey.get(key);
    if (!passage || cited.size >= bounds.citation.perAnswer) return undefined;
    const number = cited.size + 1;
    cited.set(key, citationOf(passage, number, splitSentences(paragraph).at(-1) ?? paragraph));
    return number;
  };

  /** Lets out what is certain of `pending`; with `final`, all of it. */
  const drain = (final: boolean): string => {
    let out = "";
    let at = 0;
    const emit = (text: string): void => {
      out += text;
      paragraph += text;
      if (text.trim() !== "") here = new Set();
    };
    while (at < pending.length) {
      if (atLineStart) {
        const newline = pending.indexOf("\n", at);
        const line = newline < 0 ? pending.slice(at) : pending.slice(at, newline);
        const whole = newline >= 0 || final;
        const taken = lineStart(line, whole);
        if (taken === "wait") break;
        if (taken === "verbatim") {
          const end = newline < 0 ? pending.length : newline + 1;
          out += pending.slice(at, end);
          at = end;
          continue;
        }
        atLineStart = false;
      }
      if (fence) {
        const end = pending.indexOf("\n", at);
        const stop = end < 0 ? pending.length : end + 1;
        out += pending.slice(at, stop);
        atLineStart = end >= 0;
        at = stop;
        continue;
      }
      const character = pending.charAt(at);
      if (character === "\n") {
        out += "\n";
        paragraph += "\n";
        at += 1;
        atLineStart = true;
      } else if (character === "\\") {
        if (at + 1 >= pending.length && !final) break;
        emit(pending.slice(at, at + 2));
        at += 2;
      } else if (character === "`") {
        const length = runLength(pending, at);
        if (at + length >= pending.length && !final) break;
        const close = codeSpanEnd(pending, at, length, final);
        if (close === "wait") break;
        emit(pending.slice(at, close));
        at = close;
      } else if (character === " " || character === "[" || character === "【") {
        const start = character === " " ? at + spaces(pending, at) : at;
        if (start >= pending.length && !final) break;
        marker.lastIndex = start;
        const found = marker.exec(pending);
        if (found) {
          out += cite(found[0]);
          at = start + found[0].length;
        } else {
          markerBegun.lastIndex = start;
          if (!final && pending.length - start < longestMarker && start < pending.length && markerBegun.test(pending)) break;
          const end = Math.max(start, at + 1);
          emit(pending.slice(at, end));
          at = end;
        }
      } else {
        const end = plainEnd(pending, at);
        emit(pending.slice(at, end));
        at = end;
      }
    }
    pending = pending.slice(at);
    return out;
  };

  /** What a line's beginning decides: whether it is code as a whole, text, or not to be known yet. */
  const lineStart = (line: string, whole: boolean): "text" | "verbatim" | "wait" => {
    if (fence) {
      if (line.length > longestPrefix) return "text";
      if (!whole && /^[ \t>]*[`~]*[ \t]*$/.test(line)) return "wait";
      const close = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/.exec(line);
      if (!close?.[1]?.startsWith(fence.mark) || close[1].length < fence.length) return "text";
      fence = null;
      blankBefore = true;
      paragraph = "";
      return "verbatim";
    }
    if (line.trim() === "") {
      if (!whole) return "wait";
      blankBefore = true;
      paragraph = "";
      return "text";
    }
    if (indentedCode.test(line) && blankBefore && !inList) return whole ? "verbatim" : "wait";
    if (!whole && mayOpenFence(line)) return "wait";
    const [, prefix = "", mark = "", info = ""] = fenceLine.exec(line) ?? [];
    if (mark && prefix.length <= longestPrefix && !(mark.startsWith("`") && info.includes("`"))) {
      fence = { mark: mark.charAt(0), length: mark.length };
      return "verbatim";
    }
    if (listItem.test(line)) inList = true;
    else if (blankBefore && !/^\s/.test(line)) inList = false;
    blankBefore = false;
    return "text";
  };

  return {
    push(text) {
      pending += text;
      return drain(false);
    },
    end: () => drain(true),
    citations: () => [...cited.values()],
  };
}

/** Whether a line that is still being written can turn out to open a fence. */
function mayOpenFence(line: string): boolean {
  const begun = fenceBegun.exec(line);
  return begun ? (begun[1]?.length ?? 0) <= longestPrefix : line.length <= longestPrefix && prefixBegun.test(line);
}

function runLength(text: string, at: number): number {
  let length = 1;
  while (text.charAt(at + length) === "`") length += 1;
  return length;
}

function spaces(text: string, at: number): number {
  let length = 1;
  while (text.charAt(at + length) === " ") length += 1;
  return length;
}

/** Index after the code span that opens at `at`, or after its opening when it never closes within the paragraph. */
function codeSpanEnd(text: string, at: number, length: number, final: boolean): number | "wait" {
  const window = text.slice(at, at + longestCodeSpan);
  const breakAt = window.search(/\n[ \t>]*\n/);
  const limit = at + (breakAt < 0 ? window.length : breakAt);
  for (let next = text.indexOf("`", at + length); next >= 0 && next < limit; ) {
    const closing = runLength(text, next);
    if (next + closing >= text.length && !final) return "wait";
    if (closing === length) return next + closing;
    next = text.indexOf("`", next + closing);
  }
  return final || breakAt >= 0 || window.length >= longestCodeSpan ? at + length : "wait";
}

/** End of the stretch that holds nothing special. */
function plainEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !" [【`\\\n".includes(text.charAt(end))) end += 1;
  return end;
}
