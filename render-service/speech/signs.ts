import { type Lexicon, letterOf } from "./lexicon/lexicon.ts";
import type { SpokenParts } from "./segments.ts";

export interface Span {
  at: number;
  end: number;
}

/** Programs, after which options and names of files make a command of the words. */
const programs = new Set(
  "ls cd pwd mkdir nano touch mv cp rm cat wc sort head tail uniq cut grep find echo bash sh for if while do done history man less more make test git python python3 node npm chmod export sleep tee curl ssh sudo".split(
    " ",
  ),
);
const connector = /^(?:\||>{1,2}|<|&{1,2}|\|\||2>&1|;)$/;
/** What no word of a sentence is: an option, a name with signs, a connector, something quoted, a number. */
const isCommandPart = (chunk: string): boolean =>
  connector.test(chunk) || /^-{1,2}\p{L}|^-$|^[.~/]+[,.:]?$|[*$_~"\\^=]|^["(]|\/|\p{L}\.\p{L}|^\d|\p{L}\d|\p{L};$|^[+]\p{L}$/u.test(chunk);

/** Where commands of a shell stand in a text. */
export function commandsIn(text: string): Span[] {
  const chunks = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
    // What marks code is no part of it.
    word: word.replaceAll("\ue000", ""),
    at: index,
    end: index + word.length,
  }));
  const spans: Span[] = [];
  for (let at = 0; at < chunks.length; at += 1) {
    const first = chunks[at];
    if (!first || !programs.has(first.word.replace(/;$/, ""))) continue;
    let last = first.word.endsWith(";") ? at : -1;
    for (let next = at + 1; next < chunks.length && next - Math.max(last, at) <= 3; next += 1) {
      const word = chunks[next]?.word ?? "";
      if (isCommandPart(word.replace(/(?<=[^.])[.,:!?]$/, "")) || (programs.has(word) && last === next - 1)) last = next;
      if (/[\p{L}\p{N}][,:!?]$/u.test(word)) break;
    }
    const end = chunks[last];
    if (!end) continue;
    // The full stop of the sentence is no part of it.
    const tail = last === chunks.length - 1 && /[^.\s/][.!?]$/.test(end.word) ? 1 : 0;
    spans.push({ at: first.at, end: end.end - tail });
    at = last;
  }
  return spans;
}

/** Names with signs that no word has: paths, variables, patterns of files. */
const nameWithSigns =
  /(?<=^|[\s(])(?:[~.]{0,2}\/[^\s,;]+|[^\s,;/]*[*$_~][^\s,;]*|[^\s,;/]+\/(?:[^\s,;]*[/.][^\s,;]*|(?=\s|$))|\p{L}+:\/\/[^\s,;]+|[\p{L}\d]+-[^\s,;/]*\.\p{Ll}{2,4})(?<![.,:!?)])/gu;

const operators = ["2>&1", "<->", "&&", "||", ">>", "<<", "->", "=>", "<-", ":=", "!=", "==", "<=", ">=", "+=", "-=", "**", "::", "++"];
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const operator = new RegExp(operators.map(escaped).join("|"), "g");
const within = (spans: readonly Span[], at: number): boolean => spans.some((span) => at >= span.at && at < span.end);
type Test = (at: number) => boolean;
const abbreviation = /(?<!\p{L})(?:\p{L}\.\s?)+(?=\P{L}|$)|(?<!\p{L})\p{L}\.\p{L}(?!\p{L})/gu;

/** Gives words to all signs outside of formulas: of commands of a shell, of code, of logic; brackets where they hold more than words. */
export function saySigns(
  parts: SpokenParts,
  lexicon: Lexicon,
  { commands, marked }: { commands: readonly Span[]; marked: readonly Span[] },
): void {
  const { names, shell, signs } = lexicon;
  const name = (sign: string): string | null => names[sign] ?? signs[sign]?.[0] ?? null;
  const text = parts.rest;
  const written = [
    ...commands,
    ...marked,
    ...[...text.matchAll(nameWithSigns)].map(({ 0: word, index }) => ({ at: index, end: index + word.length })),
  ];
  const inShell = (at: number): boolean => within(commands, at);
  const inName = (at: number): boolean => within(written, at);
  const every = (pattern: RegExp, words: (sign: string, at: number) => string | null): void =>
    parts.sayAll(pattern, ({ 0: sign, index }) => words(sign, index));

  // Something to be filled in: <name>.
  every(/(?<=^|\s)<(?=\p{L}+>)|(?<=\s<\p{L}+)>/gu, (sign, at) =>
    inShell(at) ? null : (lexicon.brackets[sign === "<" ? "⟨" : "⟩"] ?? null),
  );
  // Quotes of code, and not those of a sentence.
  every(/(?<=\p{L}\(|[=+] ?)"(?=[^"]*")|(?<=(?:\p{L}\(|[=+] ?)"[^"]*)"/gu, (sign) => shell[sign] ?? null);
  sayBrackets(parts, lexicon, inName);
  // One command comes after the other.
  const inTurn = (sign: string, at: number): string =>
    `${inShell(at) && sign !== "<" ? ", " : ""}${(inShell(at) ? shell[sign] : null) ?? name(sign) ?? ""}`;
  every(operator, inTurn);
  sayDots(parts, name(".") ?? "", { inShell, inName });
  sayDashes(parts, name, inName);
  every(/\$(?=[\p{L}\p{N}_({?@#\ue000])|(?<=\s)\$(?=[\s.,])/gu, () => name("$"));
  every(/(?<=\s)[~](?=\s)/gu, () => name("∼"));
  const isApart = (at: number): boolean => /\s/.test(text.charAt(at - 1)) && /^(?:\s|$)/.test(text.charAt(at + 1));
  every(/[*_~^\\@%&=+#]/gu, (sign, at) => (inShell(at) && isApart(at) ? (shell[sign] ?? name(sign)) : name(sign)));
  // A question ends with a sign of its own.
  every(/(?<=^|[\s"])\?(?=[\s\p{L}*.\ue000])|\?(?=[\p{L}*.]\S)/gu, (sign) => name(sign));
  every(/!(?=[\p{L}(\ue000])/gu, (sign) => name(sign));
  every(/[<>|]/g, inTurn);
  every(/[;"'`]|(?<=\s),(?=\s)/g, (sign, at) =>
    inShell(at) && !/\p{L}'\p{L}/u.test(text.slice(at - 1, at + 2)) ? (shell[sign] ?? null) : null,
  );
  every(/:(?=\S)/gu, (sign, at) => (inName(at) ? (shell[sign] ?? null) : null));
  // x : Nat
  every(/(?<=^|\s):(?=\s)/gu, (sign) => name(sign));
  every(/[^\p{L}\p{N}\p{P}\p{M}\s\ue000]|[‖⟨⟩]/gu, (sign) => name(sign));
  every(/(?<!\p{Script=Greek})\p{Script=Greek}(?!\p{Script=Greek})/gu, (letter) => letterOf(letter, lexicon));
  every(/(?<=\p{L})[₀-₉]+/gu, (digits) => digits.normalize("NFKC"));
}

/** Dots within names, of folders and of patterns; those that end a sentence, a number or an abbreviation are none. */
function sayDots(parts: SpokenParts, dot: string, { inShell, inName }: { inShell: Test; inName: Test }): void {
  const say = (pattern: RegExp, where: Test = () => true): void => parts.sayAll(pattern, ({ index }) => (where(index) ? dot : null));
  parts.sayAll(/(?<=^|[\s/"\ue000])\.\.(?=[\s/,:]|$)/gu, () => `${dot} ${dot}`);
  const kept = [...parts.rest.matchAll(abbreviation)].map(({ 0: word, index }) => ({ at: index, end: index + word.length }));
  say(/(?<=[\p{L}\p{N}\ue000*$)\]"'_?])\.(?=\p{L}|[*_]|(?<=[)\p{L}\ue000]\.)\d)/gu, (at) => inName(at) || !within(kept, at));
  say(/(?<=^|[\s/"^\ue000])\.(?=[/\p{L}*])/gu);
  say(/(?<=\s)\.(?=\s|$)/gu, inShell);
}

/** Dashes of options and within names of files, and slashes; a word with a hyphen is read as it stands. */
function sayDashes(parts: SpokenParts, name: (sign: string) => string | null, inName: Test): void {
  const text = parts.rest;
  parts.sayAll(/--?(?=\p{L})(?<=(?:^|[\s"(])--?)/gu, ({ 0: sign }) => [...sign].map(() => name("-")).join(" "));
  parts.sayAll(/-/gu, ({ index }) => (inName(index) ? name("-") : null));
  const isBetweenWords = (at: number): boolean => /\p{L}\/\p{L}/u.test(text.slice(at - 1, at + 2));
  parts.sayAll(/\//gu, ({ index }) => (inName(index) || !isBetweenWords(index) ? name("/") : " "));
}

const partner: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "⟨": "⟩" };
/** What only words and their punctuation stand in. */
const prose = /^(?:[\p{L}\p{M}’']{2,}|[aAIi]|\d+)(?:[-–,.;:!?]?\s+(?:[\p{L}\p{M}’'-]{2,}|[aAI]|\d+))*[.,;:!?]?$/u;

/** Brackets that hold more than words, or stand at a name as those of a function do. */
function sayBrackets(parts: SpokenParts, { brackets }: Lexicon, inName: Test): void {
  const text = parts.rest;
  const open: { sign: string; at: number }[] = [];
  for (const { 0: sign, index } of text.matchAll(/[([{⟨⟩}\])]/gu)) {
    if (partner[sign]) {
      open.push({ sign, at: index });
      continue;
    }
    const from = open.findLast((one) => partner[one.sign] === sign);
    if (!from) continue;
    open.splice(open.indexOf(from));
    const inside = text.slice(from.at + 1, index);
    // "the file(s)"
    const isEnding = /^(?:e?s|e?n|en|r)$/.test(inside) && /\p{L}{3}$/u.test(text.slice(0, from.at));
    if (isEnding) {
      parts.say(from.at, from.at + 1, "");
      parts.say(index, index + 1, "");
      continue;
    }
    const isCall = /[\p{L}\p{N}_$\ue000]/u.test(text.charAt(from.at - 1));
    if (from.sign === "(" && !isCall && !inName(from.at) && prose.test(inside)) continue;
    parts.say(from.at, from.at + 1, brackets[from.sign] ?? "");
    parts.say(index, index + 1, brackets[sign] ?? "");
  }
}
