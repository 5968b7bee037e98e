import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { codeLines } from "./code-lines.ts";
import { quoteFor, sentenceTracker, words } from "./quote.ts";
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
  /** What the citations stand for, in the order of their marks in the text. */
  claims(): Claim[];
}

/** A stretch of an answer that ends in citation marks, all of which stand for it. */
export interface Claim {
  /** Empty beyond the claims that are judged. */
  text: string;
  marks: { number: number; passage: TurnPassage }[];
  /** Passages of marks further up in the text, where that has marks of its own. */
  also: TurnPassage[];
}

/** A marker of the model's: [s1], [s1, s3], 【s2】; or a footnote mark of its own, which would pose as one of ours. */
const marker = /[[【]\s*(?:\^\d{1,6}|[sS]\d{1,4}(?:\s*[,;]\s*[sS]\d{1,4})*)\s*[\]】]/y;
const markerBegun = /[[【]\s*(?:\^\d{0,6}|[sS]\d{0,4}(?:\s*[,;]\s*(?:[sS]\d{0,4})?)*)?\s*$/y;
/** No marker is longer; what is, is text. */
const longestMarker = 80;
/** A code span that has not closed within so many characters is taken for plain text. */
const longestCodeSpan = 2_000;
/** So many code spans that go on in another line are looked at closely; the others are taken for what they seem. */
const mostSpansAcross = 500;

const fenceLine = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)$/;
const fenceBegun = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(?:[`~]+$|`{3,}|~{3,})/;
const prefixBegun = /^(?:[ \t>]|[-*+](?:[ \t]|$)|\d{1,9}(?:[.)](?:[ \t]|$)|$))*$/;
/** Beyond so many characters a line that has not shown what it is, is text: keeps every test above linear in the text. */
const longestPrefix = 64;
const indentedCode = /^(?: {4}|\t)/;
const listItem = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/** What a line may begin with before its text; the space after it belongs to it. */
const structureOnly = /^(?:[ \t>|]|[-*+]|\d{1,9}[.)]|#{1,6})*$/;

/** What must not meet with what stands behind a mark that is dropped: backticks would add up, brackets could make a mark. */
const joins = /[`~]$|\[\^?\d*$/;

/**
 * Rewrites a model's source markers into numbered citations (`[^N]`, N in order of first use) while the text streams.
 * A marker whose passage was not given in this turn is dropped, as is a footnote mark of the model's own; half a marker is
 * never let out; code (fences, spans, indented) is passed through untouched.
 */
export function citationWriter(passages: readonly TurnPassage[]): CitationWriter {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const cited = new Map<string, Citation>();
  let pending = "";
  let fence: { mark: string; length: number; within: boolean } | null = null;
  let atLineStart = true;
  let blankBefore = true;
  let inList = false;
  const lines = codeLines();
  /** What has been let out of the line that is being written, and whether that is code, once it was asked. */
  let told = "";
  let toldIsCode: boolean | undefined;
  let droppedAtBeginning = false;
  let spansAcross = 0;
  /** Text let out since the last paragraph break: the end of it is what a marker stands for. */
  let paragraph = "";
  /** Numbers already standing at this spot, so that [s1][s1] is one. */
  let here = new Set<number>();
  const claims: Claim[] = [];
  const sentences = sentenceTracker();
  /** Where the last mark stands in `paragraph`, and every mark with its passage. */
  let marked = 0;
  let standing: { at: number; passage: TurnPassage }[] = [];

  const endParagraph = (): void => {
    paragraph = "";
    sentences.reset();
    marked = 0;
    standing = [];
  };

  const cite = (text: string): string => {
    let out = "";
    for (const key of text.toLowerCase().match(/s\d+/g) ?? []) {
      const passage = byKey.get(key);
      if (!passage) continue;
      const number = numberOf(key, passage);
      if (number === undefined || here.has(number)) continue;
      here.add(number);
      standing.push({ at: paragraph.length, passage });
      out += `[^${number}]`;
      const mark = { number, passage };
      if (here.size > 1) claims.at(-1)?.marks.push(mark);
      else claims.push(claimWith(mark));
    }
    marked = paragraph.length;
    return out;
  };

  /** The claim that a mark stands behind. One that goes back behind earlier marks stands on their passages, too. */
  const claimWith = (mark: Claim["marks"][number]): Claim => {
    if (claims.length >= bounds.citation.judged) return { text: "", marks: [mark], also: [] };
    const { from, text } = claimBefore(paragraph, sentenceFrom(), marked);
    const also = new Set<TurnPassage>();
    for (let index = standing.length - 1; index >= 0; index -= 1) {
      const earlier = standing[index];
      if (!earlier || earlier.at <= from) break;
      also.add(earlier.passage);
    }
    return { text, marks: [mark], also: [...also] };
  };

  /** Where the last sentence begins; no further back than `longestSentence`. */
  const sentenceFrom = (): number => Math.max(sentences.begin(paragraph), paragraph.length - longestSentence);

  const numberOf = (key: string, passage: TurnPassage): number | undefined => {
    const known = cited.get(key);
    if (known) return known.number;
    if (cited.size >= bounds.citation.perAnswer) return undefined;
    const number = cited.size + 1;
    cited.set(key, citationOf(passage, number, folded(paragraph.slice(sentenceFrom()))));
    return number;
  };

  /** Whether the line being written is code after all; what follows in it does not change that. */
  const isCode = (more: string): boolean => {
    toldIsCode ??= lines.isCode(told + more);
    return toldIsCode;
  };

  /** Whether a code span that begins here and ends in another line can be one. */
  const isOneParagraph = (stretch: string): boolean => {
    spansAcross += 1;
    return spansAcross > mostSpansAcross || lines.areOne(told + stretch);
  };

  /** Lets out what is certain of `pending`; with `final`, all of it. */
  const drain = (final: boolean): string => {
    let out = "";
    let at = 0;
    const tell = (text: string): void => {
      out += text;
      if (text.trim() !== "" || text.includes("\n")) droppedAtBeginning = false;
      for (let from = 0; ; ) {
        const end = text.indexOf("\n", from) + 1;
        told += text.slice(from, end || undefined);
        if (end === 0) return;
        lines.add(told);
        told = "";
        toldIsCode = undefined;
        from = end;
      }
    };
    const emit = (text: string): void => {
      tell(text);
      paragraph += text;
      if (text.trim() !== "") here = new Set();
    };
    while (at < pending.length) {
      if (droppedAtBeginning) {
        while (/[ \t]/.test(pending.charAt(at))) at += 1;
        if (at >= pending.length) break;
      }
      if (atLineStart) {
        const newline = pending.indexOf("\n", at);
        const line = newline < 0 ? pending.slice(at) : pending.slice(at, newline);
        const whole = newline >= 0 || final;
        const taken = lineStart(told + line, whole);
        if (taken === "wait") break;
        if (taken === "verbatim") {
          const end = newline < 0 ? pending.length : newline + 1;
          tell(pending.slice(at, end));
          at = end;
          continue;
        }
        atLineStart = false;
      }
      if (fence) {
        const end = pending.indexOf("\n", at);
        const stop = end < 0 ? pending.length : end + 1;
        tell(pending.slice(at, stop));
        atLineStart = end >= 0;
        at = stop;
        continue;
      }
      const character = pending.charAt(at);
      if (character === "\n") {
        tell("\n");
        paragraph += "\n";
        at += 1;
        atLineStart = true;
      } else if (character === "\\") {
        if (at + 1 >= pending.length && !final) break;
        const end = pending.charAt(at + 1) === "\n" ? at + 1 : at + 2;
        emit(pending.slice(at, end));
        at = end;
      } else if (character === "`") {
        const length = runLength(pending, at);
        if (at + length >= pending.length && !final) break;
        const close = codeSpanEnd(pending, at, length, final, isOneParagraph);
        if (close === "wait") break;
        emit(pending.slice(at, close));
        at = close;
      } else if (character === " " || character === "[" || character === "【") {
        const start = character === " " ? at + spaces(pending, at) : at;
        if (start >= pending.length && !final) break;
        marker.lastIndex = start;
        const found = marker.exec(pending);
        if (found) {
          if (toldIsCode === undefined && fenceBegun.test(told)) {
            const lineEnd = pending.indexOf("\n", at);
            if (lineEnd < 0 && !final) break;
            isCode(pending.slice(at, lineEnd < 0 ? pending.length : lineEnd));
          }
          if (isCode(pending.slice(at, start + 1))) emit(pending.slice(at, start + found[0].length));
          else {
            const begins = structureOnly.test(told);
            const after = start + found[0].length;
            if (begins && after >= pending.length && !final) break;
            const marks = cite(found[0]);
            if (begins && marks && !droppedAtBeginning) tell(pending.slice(at, start));
            else if (!marks && (begins ? /\S$/ : joins).test(told)) tell(" ");
            // What follows a mark that is dropped is the line's beginning now; the spaces around it would add up to what makes it code.
            droppedAtBeginning = begins && !marks;
            if (droppedAtBeginning) {
              toldIsCode = undefined;
              atLineStart = true;
            }
            // A mark, a colon and a word would be taken for the address of a link.
            tell(begins && marks && pending.charAt(after) === ":" ? `${marks} ` : marks);
          }
          at = start + found[0].length;
        } else {
          markerBegun.lastIndex = start;
          if (pending.length - start < longestMarker && start < pending.length && markerBegun.test(pending)) {
            // A marker that the end of the answer cuts off stands for nothing.
            if (final) at = pending.length;
            break;
          }
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
    // A fence in a list item or a quotation ends with it.
    if (fence?.within && line.trim() !== "") {
      if (!whole) return "wait";
      if (!lines.isCode(line)) fence = null;
    }
    if (fence) {
      if (line.length > longestPrefix) return "text";
      if (!whole && /^[ \t>]*[`~]*[ \t]*$/.test(line)) return "wait";
      const close = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/.exec(line);
      if (!close?.[1]?.startsWith(fence.mark) || close[1].length < fence.length || !lines.closes(line)) return "text";
      fence = null;
      blankBefore = true;
      endParagraph();
      return "verbatim";
    }
    if (line.trim() === "") {
      if (!whole) return "wait";
      blankBefore = true;
      endParagraph();
      return "text";
    }
    if (indentedCode.test(line) && blankBefore && !inList) {
      if (!whole) return "wait";
      if (!/[[【]/.test(line) || isCode(line)) return "verbatim";
    }
    if (!whole && mayOpenFence(line)) return "wait";
    const [, prefix = "", mark = "", info = ""] = fenceLine.exec(line) ?? [];
    if (mark && prefix.length <= longestPrefix && !(mark.startsWith("`") && info.includes("`")) && lines.isCode(line)) {
      fence = { mark: mark.charAt(0), length: mark.length, within: prefix !== "" || inList };
      return "verbatim";
    }
    // Half a line that begins like a fence would be taken for one.
    if (whole && fenceBegun.test(line)) toldIsCode = lines.isCode(line);
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
    claims: () => [...claims],
  };
}

/** No sentence is looked for further back. */
const longestSentence = 2_000;
const folded = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Words that a part of a sentence needs to be a claim of its own. */
const wordsOfAClaim = 4;

/** The sentence that a mark stands behind; of a sentence with a mark in its middle only what follows that, when it says something. */
function claimBefore(paragraph: string, sentence: number, marked: number): { from: number; text: string } {
  const since = folded(paragraph.slice(Math.max(sentence, marked)));
  if (marked <= sentence || words(since).length >= wordsOfAClaim) return { from: Math.max(sentence, marked), text: since };
  return { from: sentence, text: folded(paragraph.slice(sentence)) };
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
function codeSpanEnd(
  text: string,
  at: number,
  length: number,
  final: boolean,
  isOneParagraph: (stretch: string) => boolean,
): number | "wait" {
  const window = text.slice(at, at + longestCodeSpan);
  const breakAt = window.search(/\n[ \t>]*\r?\n/);
  const limit = at + (breakAt < 0 ? window.length : breakAt);
  for (let next = text.indexOf("`", at + length); next >= 0 && next < limit; ) {
    const closing = runLength(text, next);
    if (next + closing >= text.length && !final) return "wait";
    if (closing === length) {
      // Backticks that begin a line are a fence or not by what follows them.
      const begins = /^[ \t>]*$/.test(text.slice(text.lastIndexOf("\n", next) + 1, next));
      const lineEnd = begins ? text.indexOf("\n", next) : next + closing;
      if (lineEnd < 0 && !final) return "wait";
      const stretch = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
      return !stretch.includes("\n") || isOneParagraph(stretch) ? next + closing : at + length;
    }
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
