/** Signs that stand between what belongs to one formula, or to one line of code. */
const between = /^(?:[=+−<>≤≥≈≠·×÷*/|→↦⇒∘±^]+|<=|>=|:=|->|=>)$/u;
const minus = /^-$/;
/** What a number counts or measures. */
const unit = /^(?:[%‰]|°[CF]?|[kcm]?m|k?g|ms|s|min|h|px|[kMG]?B|Hz)[\p{P}]*$/u;
const opening = /[([{]/gu;
const closing = /[)\]}]/gu;
const count = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0;
const openedBy = (text: string): number => count(text, opening) - count(text, closing);

/** A letter, a number, or what has signs of a formula. */
function isTerm(word: string): boolean {
  const bare = word.replace(/^[("“„«[{]+|[)"”»\]},.;:!?…]+$/gu, "");
  return bare === "" || /^\p{L}$/u.test(bare) || /[\p{N}=+*/^·×≤≥]/u.test(bare) || /^[-−]\p{L}$/u.test(bare);
}
const endsClause = (word: string): boolean => /[.,;:!?…،؛؟][)"”»]*$/u.test(word);

/** Where what begins at a word and is opened there closes again, if all of it is terms: a pair, a matrix, the arguments of a function. */
function closes(words: readonly string[], from: number): number {
  let open = 0;
  for (let at = from; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (at > from && !isTerm(word) && !between.test(word) && !minus.test(word)) return from;
    open += openedBy(word);
    if (open <= 0) return at;
  }
  return from;
}

/** Where what stands between two backticks ends. */
function codeEnds(words: readonly string[], from: number): number {
  let ticks = 0;
  const end = words.findIndex((word, at) => {
    if (at >= from) ticks += count(word, /`/gu);
    return at >= from && ticks % 2 === 0;
  });
  return Math.max(from, end);
}

/** Where a formula ends that begins at a word: terms with signs between them. */
function formulaEnds(words: readonly string[], from: number): number {
  let [end, signs, at] = [from, 0, from];
  while (at < words.length) {
    const word = words[at] ?? "";
    const isSign = between.test(word) || (minus.test(word) && at > from);
    if (!isSign && !isTerm(word)) break;
    if (isSign) signs += 1;
    else at = closes(words, at);
    end = at;
    if (!isSign && endsClause(words[at] ?? "")) break;
    at += 1;
  }
  return signs > 0 ? end : from;
}

/** The last word that belongs to what begins at a word: a number with its unit, an option with its command, a pair, code, a formula. */
function endOf(words: readonly string[], from: number): number {
  const [word = "", next = ""] = [words[from], words[from + 1]];
  const isNumber = /\p{N}$/u.test(word) && (unit.test(next) || /^\p{N}{3}(?!\p{N})/u.test(next));
  const isOption = /^--?\p{L}/u.test(next) && /[\p{L}\p{N}`]$/u.test(word);
  const isSigned = between.test(next) && from + 2 < words.length;
  const beside = isSigned ? from + 2 : isNumber || isOption ? from + 1 : from;
  return Math.max(beside, closes(words, from), codeEnds(words, from), formulaEnds(words, from));
}

/** The words of a text, with what must not be broken as one: formulas, pairs, numbers with their units, code. Pure. */
export function unbroken(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean);
  const whole: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const from = at;
    for (let end = endOf(words, at); end > at; end = endOf(words, at)) at = end;
    whole.push(words.slice(from, at + 1).join(" "));
  }
  return whole;
}
