import type { Fact } from "../facts.ts";
import { standsAlone } from "../facts.ts";
import { overlap } from "../select.ts";
import { terms } from "../terms.ts";
import { clipped, distinct, type Maker, makeItem, meanAlike } from "./item.ts";

/** "Complete it as the course does: “The kernel …”": the wrong choices are what the course says of other things. */
export const completion: Maker = (fact, { facts }) => {
  const { subject: describedTerm, predicate } = fact;
  if (!describedTerm || !predicate || !standsAlone(fact) || isVague(describedTerm)) return [];
  const own = new Set(terms(describedTerm));
  const plural = isPlural(predicate);
  const others = facts.filter(
    (other) =>
      other.predicate !== null &&
      other.subject !== null &&
      standsAlone(other) &&
      !isVague(other.subject) &&
      isPlural(other.predicate) === plural &&
      !other.segment.terms.some((definedTerm) => own.has(definedTerm)) &&
      overlap(terms(other.predicate), terms(predicate)) < 0.5,
  );
  const alike = others.toSorted((a, b) => likeness(b, fact) - likeness(a, fact));
  const continuation = (text: string | null) => clipped(`… ${text ?? ""}`);
  const right = continuation(predicate);
  const wrong = distinct(
    alike.map((other) => continuation(other.predicate)),
    [right],
  ).slice(0, 3);
  return wrong.length < 2 ? [] : [makeItem("single", `Complete it as the course does: “${describedTerm} …”`, [right], wrong, fact)];
};

/** "Which term does this describe? “… is the line count command”" */
export const subject: Maker = (fact, { facts }) => {
  if (!fact.subject || !fact.predicate || !standsAlone(fact) || isVague(fact.subject)) return [];
  const own = new Set(fact.segment.terms);
  const isCode = fact.subject.startsWith("`");
  const plural = isPlural(fact.predicate);
  const others = facts.flatMap((other) => {
    const fits = other.subject !== null && other.predicate !== null && standsAlone(other) && isPlural(other.predicate) === plural;
    if (!fits || other.subject === null || isVague(other.subject)) return [];
    return !isCode || other.subject.startsWith("`") ? (terms(other.subject).some((term) => own.has(term)) ? [] : other.subject) : [];
  });
  const wrong = distinct(others, [fact.subject]).slice(0, 3);
  if (wrong.length < 2) return [];
  const prompt = `Which term does this describe? “${clipped(`… ${fact.predicate}`)}”`;
  return [makeItem("single", prompt, [fact.subject], wrong, fact)];
};

/** What only says what to do next, or what was seen, teaches no word. */
const leadsOn =
  /^example\b|\b(?:let[’']?s|let us|in your|you (?:should|may|might|will) (?:also )?(?:have|still|now|see|be|notice)|we (?:have|just|saw|want))\b/i;

/** "Which word belongs in the gap?", for each word that carries the sentence. */
export const gap: Maker = (fact, { gaps }) => {
  if (!standsAlone(fact, true) || leadsOn.test(fact.text)) return [];
  return fact.gaps.flatMap((word) => {
    if (!gaps.includes(word)) return [];
    const own = new Set(fact.segment.terms);
    const wrong = distinct(
      gaps
        .filter(
          (other) =>
            shape(other) === shape(word) &&
            isPluralWord(other) === isPluralWord(word) &&
            !terms(other).some((term) => own.has(term)) &&
            sameEnding(other, word) &&
            !meanAlike(other, word),
        )
        .toSorted((a, b) => Math.abs(a.length - word.length) - Math.abs(b.length - word.length)),
      [word],
    ).slice(0, 3);
    if (wrong.length < 2) return [];
    const blank = fact.text.replace(word, "____").replace(/\b([Aa])n? ____/, "$1(n) ____");
    const prompt = `Which ${word.startsWith("`") ? "code" : "word"} belongs in the gap? “${clipped(blank)}”`;
    return makeItem("single", prompt, [word], wrong, fact);
  });
};

/** "Why?", where the course gives its reason; the wrong choices are its reasons for other things. */
export const reason: Maker = (fact, { facts }) => {
  const found = reasonOf(fact);
  if (!found || !standsAlone(fact)) return [];
  const wrong = distinct(
    facts.flatMap((other) => {
      const because = other === fact || overlap(other.segment.terms, fact.segment.terms) > 0.4 ? null : reasonOf(other);
      return because ? `… because ${because.why}` : [];
    }),
    [],
  ).slice(0, 3);
  return wrong.length < 2 ? [] : [makeItem("single", `Why is that so? “${found.claim} …”`, [`… because ${found.why}`], wrong, fact)];
};

/** "A …, because …": what is so, and why. */
export function reasonOf({ text }: Fact): { claim: string; why: string } | null {
  const found = /^([^()]{20,200}?),? because (?!of\b)(.{12,200}?)\.$/.exec(text);
  return found?.[1] && found[2] && !/\bnot (?:just |only )?$/.test(found[1]) ? { claim: found[1], why: found[2] } : null;
}

/** "Which term does the course define this way? “A program that …”", where headings are terms and their texts say what they mean. */
export const term: Maker = (fact, { facts }) => {
  if (!isEntry(fact) || fact.text.toLowerCase().includes(fact.segment.passage.title.toLowerCase())) return [];
  const titles = facts.flatMap((other) => (isEntry(other) ? other.segment.passage.title : []));
  const right = fact.segment.passage.title;
  const wrong = distinct(titles, [right])
    .filter((other) => !meanAlike(other, right))
    .slice(0, 3);
  return wrong.length < 3
    ? []
    : [makeItem("single", `Which term does the course define this way? “${clipped(fact.text)}”`, [right], wrong, fact)];
};

/** Whether a fact is what a glossary says of its heading. */
export const isEntry = ({ segment: { passage, order } }: Fact): boolean =>
  order === 0 && /^[\p{Ll}`$*.|~-]/u.test(passage.title) && passage.title.split(" ").length <= 4 && passage.text.length < 500;

/** Subjects that many sentences have. */
export const isVague = (text: string): boolean =>
  /^(?:the |an? |each |every )?(?:first|second|third|last|other|several|two|three|these|many|most|few|corresponding|difference|intention|idea|problem|point|reason|result|answer|name|term|thing|way|syntax|following|example|latter|former|same|advantage|output|input|key|following|function|argument|proof|goal|figure|code|line|file|command|sum|rest|question|part|step)\b(?! of\b)/i.test(
    text,
  );

/** Whether a predicate goes with a subject in the plural, by its verb. */
export const isPlural = (predicate: string): boolean =>
  !/^(?:is|was|has|[\p{Ll}]+s)\b/iu.test(predicate) || /^(?:pass|express|discuss)\b/i.test(predicate);

const isPluralWord = (word: string): boolean => !word.startsWith("`") && /[^su]s$/.test(word);

function shape(word: string): string {
  if (word.startsWith("`"))
    return /^`-/.test(word) ? "flag" : /^`[\w.-]+`$/.test(word) ? (word.includes(".") ? "file" : "name") : "expression";
  return /\s/.test(word) ? "phrase" : "word";
}

/** Words of a like form: a gap for "creates" is not filled by "directory". */
function sameEnding(a: string, b: string): boolean {
  if (shape(a) !== "word") return true;
  const ending = (word: string) => /(?:ing|ed|ly)$/.exec(word)?.[0] ?? "";
  return ending(a) === ending(b);
}

function likeness(other: Fact, fact: Fact): number {
  const code = (text: string | null) => Number(/^`/.test(text ?? ""));
  const length = (text: string | null) => (text ?? "").length;
  return 2 * Number(code(other.subject) === code(fact.subject)) - Math.abs(length(other.predicate) - length(fact.predicate)) / 60;
}
