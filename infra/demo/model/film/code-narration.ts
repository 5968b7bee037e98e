import { type Passage, segmentsOf } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { codeNamesIn, isCode, knownPrograms, namesIn, programsIn, prompt } from "./code-names.ts";
import type { Line } from "./lines.ts";
import { namesOf } from "./names-beside.ts";
import type { Narration, Piece } from "./piece.ts";
import { spoken } from "./plain-math.ts";
import { isSayable, narrationsAround } from "./sayable.ts";

/** What is said of another version of code, or hangs on what was said before, is not said of the code that is shown. */
const leans =
  /^(?:here(?! is an?\b)|that['’]s|but|and|first|next|then|recall|note|or|as with|the (?:\p{Ll}+est|advantage|new|same|only|arbitrary|notation|list)|essentially|roughly speaking|more generally|once again|on the other hand|what follows)\b|\b(?:so far|now|as before|again|also|too|instead|unlike|rather than|in contrast|special case|avoid|without|can be (?:inferred|left out|omitted)|otherwise|alternatively|conversely|opposite|latter|former|difference|as follows|in such a way|in this way|even|same)\b/iu;

/** What hangs on something said before cannot begin. */
const hanging = /^(?:it(?!(?:'s| is) an? )|its|they|their|this|these|such|he|she|so|therefore|but|and)\b/i;

/** Where a sentence stands to a piece of code: directly before it, directly after it without announcing another one, or elsewhere. */
function placeBeside({ passage, order }: Line, index: number, passages: readonly Passage[]): "before" | "after" | null {
  const place = passages.indexOf(passage);
  const between = passages.slice(Math.min(place, index) + 1, Math.max(place, index));
  if (place === index || between.length > 1 || !between.every((one) => isCode(one) && !prompt.test(one.text))) return null;
  if (place < index) return "before";
  const sentences = segmentsOf(passage).filter(({ kind }) => kind === "sentence" || kind === "item");
  const next = passages[place + 1];
  const announces = order === sentences.at(-1)?.order && next !== undefined && isCode(next);
  return order <= 1 && !announces ? "after" : null;
}

/**
 * What can be said while code is shown, best first: a sentence beside it that names something new in it and nothing else, two of them where
 * there is more to read, else its announcement or its title.
 */
export function narrationsOf(piece: Piece, index: number, lines: readonly Line[], passages: readonly Passage[]): Narration[] {
  const names = piece.shell
    ? new Set([...piece.lines.flatMap(programsIn), ...namesIn(piece.lines.join(" "))])
    : namesIn(piece.lines.join(" "));
  const inCode = new Set(passages.flatMap((one) => (isCode(one) ? [...namesIn(one.text)] : [])));
  const known = knownPrograms(passages);
  const namedBy = (text: string): string[] =>
    piece.shell
      ? [...namesIn(text)].map((name) => name.replace(/\.$/, "")).filter((name) => known.has(name) || /^-{1,2}\w/.test(name))
      : codeNamesIn(text, inCode);
  const before = passages
    .slice(0, index)
    .findLast((one) => isCode(one) && one.title === piece.passage.title && (!piece.shell || prompt.test(one.text)));
  const old = namesIn(before?.text ?? "");
  const near = lines
    .filter((line) => line.passage.title === piece.passage.title && !leans.test(line.said))
    .flatMap((line) => {
      const own = namedBy(line.quote);
      const place = placeBeside(line, index, passages);
      // Of a text between two pieces of code, what is new in the second is said of that.
      const fits = place !== null && own.every((name) => names.has(name)) && own.some((name) => place === "after" || !old.has(name));
      const distance = Math.abs(passages.indexOf(line.passage) - index);
      return fits ? [{ line, own, worth: own.length + overlap(terms(piece.title), line.fact.segment.terms) - distance * 0.15 }] : [];
    })
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, 3);
  const announced = narrationFromAnnouncement(passages[index - 1]);
  const announcement =
    announced && (!piece.passage.code || isSayable(announced.text)) && namedBy(announced.text).every((name) => names.has(name))
      ? [announced]
      : [];
  const single = near.map(
    ({ line, own }): Narration => ({
      text: line.said,
      quotes: [{ passage: line.passage, quote: line.quote }],
      says: [line.fact.text],
      names: own,
    }),
  );
  const pairs = near.flatMap(({ line: one }, at) =>
    near.slice(at + 1).flatMap(({ line: other }) => {
      const [first, second] = [one, other].toSorted(
        (a, b) => passages.indexOf(a.passage) - passages.indexOf(b.passage) || a.order - b.order,
      );
      if (!first || !second || one.words + other.words > 34) return [];
      const both = single.filter(({ text }) => text === first.said || text === second.said);
      return [joined(both.toSorted((a) => (a.text === first.said ? -1 : 1)))];
    }),
  );
  const isAlone = !passages[index + 1]?.code?.isPrinted;
  const { isOnlyOfShown, ...of } = namesOf(piece, index, passages, undefined);
  const around = piece.passage.code && isAlone ? narrationsAround({ index, passages, isPrinted: false, ...of }) : [];
  const beside = around.filter(({ text }) => isOnlyOfShown(text) && of.names(text));
  const found = [...single, ...pairs, ...announcement, ...beside].filter(({ text }) => !hanging.test(text));
  // Where the page says what is code, only what stands by itself is said of it.
  if (piece.passage.code && !piece.shell && found.length > 0) return found.filter(({ text }) => beside.some((one) => one.text === text));
  if (found.length > 0) return found;
  const named = spoken(piece.title);
  if (piece.shell || !piece.named || !named || piece.lines.length < 3 || wordsOf(named) < 2) return [];
  const doing =
    /^(?:build|try|compute|find|make|use|draw|solve|check|write|plot|compare|show|fit|turn|watch|see|measure|count|project|grow|predict|test|read|run)\b/i.test(
      named,
    );
  const small = /^\p{Lu}\p{Ll}/u.test(named) ? named.charAt(0).toLowerCase() + named.slice(1) : named;
  const titled = { text: doing ? `In code, we ${small}.` : `Here it is in code: ${small}.`, quotes: [], says: [], names: [] };
  return [titled, ...withSecondSentence(titled, piece, lines)];
}

/** Several sentences said one after the other. */
const joined = (narrations: readonly Narration[]): Narration => ({
  text: narrations.map(({ text }) => text).join(" "),
  quotes: narrations.flatMap(({ quotes }) => quotes),
  says: narrations.flatMap(({ says }) => says),
  names: narrations.flatMap(({ names }) => names ?? []),
});

/** What is said of code after the sentence that is most about its title, where there is more to read than its own words leave time for. */
function withSecondSentence(said: Narration, { title }: Piece, lines: readonly Line[]): Narration[] {
  const named = terms(title);
  const near = (line: Line): number => line.fact.segment.terms.filter((term) => named.includes(term)).length;
  const [line] = lines
    .filter((one) => one.passage.kind !== "math" && one.words <= 24 && near(one) > 0 && !said.says.includes(one.fact.text))
    .toSorted((a, b) => near(b) - near(a) || a.words - b.words);
  if (!line) return [];
  const quotes = [{ passage: line.passage, quote: line.quote }, ...said.quotes];
  return [{ text: `${line.said} ${said.text}`, quotes, says: [line.fact.text, ...said.says], names: said.names }];
}

/** The end of a text that announces the code below it: "Let's find lines that contain the word 'not':". */
function narrationFromAnnouncement(passage: Passage | undefined): Narration | null {
  const last = passage && passage.kind !== "code" ? (/(?:^|[.!?]\s+)([^.!?]+):$/.exec(passage.text.trimEnd())?.[1] ?? "") : "";
  const bare = last.replace(
    /^(?:(?:for example|for instance|as another example|thus|so|hence|therefore|as a result|moreover|in fact|similarly|now|here(?!,? (?:is|are|for)\b)|first|then|next),?\s+)+/i,
    "",
  );
  const said = spoken(bare.replace(/^another\b/i, "one").replace(/^here,? for example,? is\b/i, "here is"));
  if (!passage || !said || wordsOf(said) < 6 || wordsOf(said) > 28 || leans.test(said) || unclear.test(said) || /\be\.g\.$/.test(said))
    return null;
  // A name of code keeps its small letters.
  const text = `${/^(?:\p{Ll}{1,4}\b(?!['’])|\p{Ll}*[^\p{Ll}\s'’,])/u.test(said) && !/^(?:the|an?|if|in|on|to|we|you|for|with|by|as|at|let|use|here|one|when)\b/.test(said) ? said : said.charAt(0).toUpperCase() + said.slice(1)}.`;
  return { text, quotes: [{ passage, quote: `${bare}:` }], says: [text], names: null };
}

/** Points at something else, or announces without saying what. */
const unclear =
  /\b(?:run|type|enter|write) (?:the|a|an)\b|\bfirst step\b|\b(?:she|he|her|his|this|these|those|it|they|above|previous|following|below|exercise|such as|last|another|one of|command line)\b|\b(?:is|are|of the form|like|by|with|to|that|way|try|type|run)$/i;
