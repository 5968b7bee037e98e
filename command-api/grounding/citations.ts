import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { codeLineDetector } from "./code-line-detector.ts";
import { contentWords, quoteFor, sentenceTracker } from "./quote.ts";
import type { TurnPassage } from "./retrieve.ts";

/** The citation of a passage by a sentence, with the present address, title and quote. */
export function citationOf(passage: TurnPassage, number: number, sentence: string): Citation {
  const { sourceId, href, title, trail } = passage.source;
  return { number, sourceId, href, title, trail, revisionId: passage.revisionId, quote: quoteFor(passage.text, sentence) };
}

/** Turns a model's text into text with numbered citations; see `citationWriter`. */
export interface CitationWriter {
  /** Adds a chunk; returns the text that later chunks cannot change. */
  push(text: string): string;
  /** The rest, after the last chunk. */
  end(): string;
  /** The citations so far, in order of first use. */
  citations(): Citation[];
  /** The cited claims, in the order of their marks. */
  claims(): Claim[];
}

/** Text of an answer that ends in citation marks, which are its sources. */
export interface Claim {
  /** Empty beyond the number of claims that are judged. */
  text: string;
  marks: { number: number; passage: TurnPassage }[];
  /** Passages of earlier marks within the text. */
  earlierPassages: TurnPassage[];
}

/** A model's marker: [s1], [s1, s3], 【s2】; or a footnote mark, which would pose as a citation. */
const marker = /[[【]\s*(?:\^\d{1,6}|[sS]\d{1,4}(?:\s*[,;]\s*[sS]\d{1,4})*)\s*[\]】]/y;
const markerBegun = /[[【]\s*(?:\^\d{0,6}|[sS]\d{0,4}(?:\s*[,;]\s*(?:[sS]\d{0,4})?)*)?\s*$/y;
/** Longer brackets are text. */
const longestMarker = 80;
/** A code span that does not close within this many characters is plain text. */
const longestCodeSpan = 2_000;
/** Code spans over several lines that are verified by the Markdown parser; bounds its work. */
const mostSpansAcross = 500;

const fenceLine = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)$/;
const fenceBegun = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(?:[`~]+$|`{3,}|~{3,})/;
const prefixBegun = /^(?:[ \t>]|[-*+](?:[ \t]|$)|\d{1,9}(?:[.)](?:[ \t]|$)|$))*$/;
/** A longer undecided line beginning is text: keeps the patterns above linear. */
const longestPrefix = 64;
const indentedCode = /^(?: {4}|\t)/;
const listItem = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/** Markdown structure before the text of a line. */
const structureOnly = /^(?:[ \t>|]|[-*+]|\d{1,9}[.)]|#{1,6})*$/;

/** Text before a dropped marker that must not touch the text after it: backticks would add up, brackets could form a mark. */
const joins = /[`~]$|\[\^?\d*$/;

/**
 * Rewrites a model's source markers into numbered citations (`[^N]`, N in order of first use, one for each quoted sentence of a passage) while the text streams. Drops markers of
 * passages that were not given in this turn, and footnote marks; never emits part of a marker; leaves code (fences, spans, indented) as it
 * is.
 */
export function citationWriter(passages: readonly TurnPassage[]): CitationWriter {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const cited: Citation[] = [];
  /** The citations of each passage, by its key. */
  const ofPassage = new Map<string, Citation[]>();
  let pending = "";
  let fence: { mark: string; length: number; within: boolean } | null = null;
  let atLineStart = true;
  let blankBefore = true;
  let inList = false;
  const lines = codeLineDetector();
  /** The present line so far, and whether it is code, once determined. */
  let lineText = "";
  let lineIsCode: boolean | undefined;
  let droppedAtBeginning = false;
  let spansAcross = 0;
  /** Text since the last paragraph break; a marker cites its end. */
  let paragraph = "";
  /** Numbers of the adjacent marks, so that [s1][s1] becomes one. */
  let here = new Set<number>();
  const claims: Claim[] = [];
  const sentences = sentenceTracker();
  /** Position of the last mark in `paragraph`, and all marks with their passages. */
  let marked = 0;
  let placedMarks: { at: number; passage: TurnPassage }[] = [];

  const endParagraph = (): void => {
    paragraph = "";
    sentences.reset();
    marked = 0;
    placedMarks = [];
  };

  const cite = (text: string): string => {
    let out = "";
    for (const key of text.toLowerCase().match(/s\d+/g) ?? []) {
      const passage = byKey.get(key);
      if (!passage) continue;
      const number = numberOf(key, passage);
      if (number === undefined || here.has(number)) continue;
      here.add(number);
      placedMarks.push({ at: paragraph.length, passage });
      out += `[^${number}]`;
      const mark = { number, passage };
      if (here.size > 1) claims.at(-1)?.marks.push(mark);
      else claims.push(claimWith(mark));
    }
    marked = paragraph.length;
    return out;
  };

  /** The claim of a mark. A claim that contains earlier marks is supported by their passages too. */
  const claimWith = (mark: Claim["marks"][number]): Claim => {
    if (claims.length >= bounds.citation.judged) return { text: "", marks: [mark], earlierPassages: [] };
    const { from, text } = claimBefore(paragraph, sentenceFrom(), marked);
    const earlierPassages = new Set<TurnPassage>();
    for (let index = placedMarks.length - 1; index >= 0; index -= 1) {
      const earlier = placedMarks[index];
      if (!earlier || earlier.at <= from) break;
      earlierPassages.add(earlier.passage);
    }
    return { text, marks: [mark], earlierPassages: [...earlierPassages] };
  };

  /** The beginning of the last sentence, at most `longestSentence` back. */
  const sentenceFrom = (): number => Math.max(sentences.begin(paragraph), paragraph.length - longestSentence);

  /** The number of the sentence of a passage that a mark cites: each sentence has one of its own, so that a click marks what was cited. */
  const numberOf = (key: string, passage: TurnPassage): number | undefined => {
    const known = ofPassage.get(key) ?? [];
    const [first] = known;
    if (first && claims.length >= bounds.citation.judged) return first.number;
    const sentence = folded(paragraph.slice(sentenceFrom()));
    const next = citationOf(passage, cited.length + 1, sentence);
    const same = known.find(({ quote }) => quote === next.quote);
    if (same) return same.number;
    const isFull = cited.length >= bounds.citation.perAnswer;
    if (first && (isFull || sharedWords(next.quote, sentence) < wordsOfAQuote)) return first.number;
    if (isFull) return undefined;
    cited.push(next);
    ofPassage.set(key, [...known, next]);
    return next.number;
  };

  /** Whether the present line is code; decided once per line. */
  const isCode = (more: string): boolean => {
    lineIsCode ??= lines.isCode(lineText + more);
    return lineIsCode;
  };

  /** Whether text over several lines is one paragraph, as a code span must be. */
  const isOneParagraph = (stretch: string): boolean => {
    spansAcross += 1;
    return spansAcross > mostSpansAcross || lines.areOneParagraph(lineText + stretch);
  };

  /** Emits the decided part of `pending`; with `final`, all of it. */
  const drain = (final: boolean): string => {
    let out = "";
    let at = 0;
    const write = (text: string): void => {
      out += text;
      if (text.trim() !== "" || text.includes("\n")) droppedAtBeginning = false;
      for (let from = 0; ; ) {
        const end = text.indexOf("\n", from) + 1;
        lineText += text.slice(from, end || undefined);
        if (end === 0) return;
        lines.add(lineText);
        lineText = "";
        lineIsCode = undefined;
        from = end;
      }
    };
    const writeText = (text: string): void => {
      write(text);
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
        const taken = lineStart(lineText + line, whole);
        if (taken === "wait") break;
        if (taken === "verbatim") {
          const end = newline < 0 ? pending.length : newline + 1;
          write(pending.slice(at, end));
          at = end;
          continue;
        }
        atLineStart = false;
      }
      if (fence) {
        const end = pending.indexOf("\n", at);
        const stop = end < 0 ? pending.length : end + 1;
        write(pending.slice(at, stop));
        atLineStart = end >= 0;
        at = stop;
        continue;
      }
      const character = pending.charAt(at);
      if (character === "\n") {
        write("\n");
        paragraph += "\n";
        at += 1;
        atLineStart = true;
      } else if (character === "\\") {
        if (at + 1 >= pending.length && !final) break;
        const end = pending.charAt(at + 1) === "\n" ? at + 1 : at + 2;
        writeText(pending.slice(at, end));
        at = end;
      } else if (character === "`") {
        const length = runLength(pending, at);
        if (at + length >= pending.length && !final) break;
        const close = codeSpanEnd(pending, at, length, final, isOneParagraph);
        if (close === "wait") break;
        writeText(pending.slice(at, close));
        at = close;
      } else if (character === " " || character === "[" || character === "【") {
        const start = character === " " ? at + spaces(pending, at) : at;
        if (start >= pending.length && !final) break;
        marker.lastIndex = start;
        const found = marker.exec(pending);
        if (found) {
          if (lineIsCode === undefined && fenceBegun.test(lineText)) {
            const lineEnd = pending.indexOf("\n", at);
            if (lineEnd < 0 && !final) break;
            isCode(pending.slice(at, lineEnd < 0 ? pending.length : lineEnd));
          }
          if (isCode(pending.slice(at, start + 1))) writeText(pending.slice(at, start + found[0].length));
          else {
            const begins = structureOnly.test(lineText);
            const after = start + found[0].length;
            if (begins && after >= pending.length && !final) break;
            const marks = cite(found[0]);
            if (begins && marks && !droppedAtBeginning) write(pending.slice(at, start));
            else if (!marks && (begins ? /\S$/ : joins).test(lineText)) write(" ");
            // After a dropped marker the rest begins the line: the spaces around it together could indent it as code.
            droppedAtBeginning = begins && !marks;
            if (droppedAtBeginning) {
              lineIsCode = undefined;
              atLineStart = true;
            }
            // A mark, a colon and a word would be parsed as a link definition.
            write(begins && marks && pending.charAt(after) === ":" ? `${marks} ` : marks);
          }
          at = start + found[0].length;
        } else {
          markerBegun.lastIndex = start;
          if (pending.length - start < longestMarker && start < pending.length && markerBegun.test(pending)) {
            // Drops a marker that is cut off by the end of the answer.
            if (final) at = pending.length;
            break;
          }
          const end = Math.max(start, at + 1);
          writeText(pending.slice(at, end));
          at = end;
        }
      } else {
        const end = plainEnd(pending, at);
        writeText(pending.slice(at, end));
        at = end;
      }
    }
    pending = pending.slice(at);
    return out;
  };

  /** Whether a line is code as a whole, text, or undecided yet. */
  const lineStart = (line: string, whole: boolean): "text" | "verbatim" | "wait" => {
    // A fence ends with its list item or quotation.
    if (fence?.within && line.trim() !== "") {
      if (!whole) return "wait";
      if (!lines.isCode(line)) fence = null;
    }
    if (fence) {
      if (line.length > longestPrefix) return "text";
      if (!whole && /^[ \t>]*[`~]*[ \t]*$/.test(line)) return "wait";
      const close = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/.exec(line);
      if (!close?.[1]?.startsWith(fence.mark) || close[1].length < fence.length || !lines.closesFence(line)) return "text";
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
    if (whole && fenceBegun.test(line)) lineIsCode = lines.isCode(line);
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
    citations: () => [...cited],
    claims: () => [...claims],
  };
}

/** Characters searched for the beginning of a sentence. */
const longestSentence = 2_000;
const folded = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Least content words that another sentence of a cited passage has in common with the answer's, to be cited by itself. */
const wordsOfAQuote = 2;
function sharedWords(quote: string, sentence: string): number {
  const wanted = new Set(contentWords(sentence));
  return new Set(contentWords(quote).filter((word) => wanted.has(word))).size;
}

/** Least content words of a part of a sentence that is a claim of its own. */
const wordsOfAClaim = 4;

/** The sentence before a mark; of a sentence with an earlier mark only the part after that, if it is long enough. */
function claimBefore(paragraph: string, sentence: number, marked: number): { from: number; text: string } {
  const since = folded(paragraph.slice(Math.max(sentence, marked)));
  if (marked <= sentence || contentWords(since).length >= wordsOfAClaim) return { from: Math.max(sentence, marked), text: since };
  return { from: sentence, text: folded(paragraph.slice(sentence)) };
}

/** Whether an incomplete line can still open a fence. */
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

/** Index after the code span that opens at `at`, or after its opening if it does not close within the paragraph. */
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
      // Whether backticks at the beginning of a line are a fence depends on the rest of the line.
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

/** End of the text without special characters. */
function plainEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !" [【`\\\n".includes(text.charAt(end))) end += 1;
  return end;
}
