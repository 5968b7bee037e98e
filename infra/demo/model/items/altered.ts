import { type Fact, seeded, standsAlone } from "../facts.ts";
import { overlap } from "../select.ts";
import { terms } from "../terms.ts";
import { isEntry, isVague } from "./choices.ts";
import { explainCorrections } from "./corrections.ts";
import { distinct, type Maker, type Material, makeItem, meanAlike } from "./item.ts";

/** Words one of which makes a true sentence false in the place of the other. */
const opposites: readonly (readonly [string, string])[] = (
  "first last|left right|row column|rows columns|before after|more less|always never|increase decrease|increases decreases|" +
  "input output|larger smaller|longer shorter|largest smallest|longest shortest|positive negative|horizontal vertical|inside outside|" +
  "upper lower|beginning end|absolute relative|adds removes|add remove|creates deletes|reads writes|true false|stronger weaker|" +
  "strongest weakest|early late|easier harder|easy hard|better worse|top bottom|implicit explicit|" +
  "universal existential|ascending descending|numerically alphabetically|parallel perpendicular|independent dependent|" +
  "constant variable|global local|many few|quickly slowly|faster slower|high low|higher lower|strong weak|" +
  "above below|forwards backwards|minimum maximum|required optional|public private|domain codomain|" +
  "accepts refuses|multiply divide|multiplied divided|sum product|remember forget|remembered forgotten|" +
  "strengthens weakens|improves worsens|helps hinders|allows forbids|succeeds fails|raises lowers|rises falls|gains loses|opens closes|" +
  "together apart|slightly hugely|rarely often|simple complicated|deep shallow|" +
  "concrete abstract|active passive|possible impossible|equal unequal|finite infinite|internal external"
)
  .split("|")
  .flatMap((pair) => {
    const [one = "", other = ""] = pair.split(" ");
    return [[one, other] as const, [other, one] as const];
  });
const oppositeOf = new Map<string, string>(opposites);
const anyOpposite = new RegExp(`\\b(?:${[...oppositeOf.keys()].join("|")})\\b`, "g");

/**
 * What a sentence would say if it were wrong: one word for its opposite, one name for another, yes for no. Most telling first; none
 * where a change would not surely make it false.
 */
export function falsify(fact: Fact, { facts, gaps }: Material): string[] {
  const known = falsified.get(facts) ?? new WeakMap<Fact, string[]>();
  falsified.set(facts, known);
  const before = known.get(fact);
  if (before) return before;
  const found = alter(fact, facts, gaps);
  known.set(fact, found);
  return found;
}

/** By the facts of a page: each is altered for many questions. */
const falsified = new WeakMap<readonly Fact[], WeakMap<Fact, string[]>>();

function alter(fact: Fact, facts: Material["facts"], gaps: Material["gaps"]): string[] {
  const { text } = fact;
  // In a sentence that speaks of both, or weighs one against the other, a change may leave the truth standing.
  if (/\b(?:and vice versa|either|neither|both|respectively|unless|if and only if|but not)\b/i.test(text)) return [];
  const plain = text.replace(/`[^`]*`|\$[^$]*\$|“[^”]*”|"[^"]*"/g, (part) => " ".repeat(part.length));
  const found: string[] = [];
  for (const match of plain.matchAll(anyOpposite)) {
    const other = oppositeOf.get(match[0]) ?? "";
    // "doesn't never" says nothing.
    if (/^(?:always|never)$/.test(match[0]) && /(?:\bnot|n['’]t) $/.test(plain.slice(0, match.index))) continue;
    if (new RegExp(`\\b${other}\\b`).test(plain) || plain.split(match[0]).length !== 2 || isFixed(plain, match.index)) continue;
    found.push(text.slice(0, match.index) + other + text.slice(match.index + match[0].length));
  }
  const other = differentForSame(text, plain);
  if (other) found.push(other);
  const named = otherName(fact, facts, gaps);
  if (named) found.push(named);
  const denied = negate(fact, plain) ?? negateSimpleVerb(text, plain);
  if (denied) found.push(denied);
  // What a question says that a statement is about stands in it still.
  const subject = topicWord(fact);
  return distinct(found, [text]).filter((altered) => altered.includes(subject));
}

/** "the same map" for "a different map". */
function differentForSame(text: string, plain: string): string | null {
  const found = /\bthe same (\p{Ll}+)/u.exec(plain);
  const word = found?.[1];
  if (!found || !word || plain.split("same").length !== 2 || /^(?:as|way|time|thing)$/.test(word) || /\bdifferent\b/.test(plain))
    return null;
  const many = /[^su]s$/.test(word);
  return `${text.slice(0, found.index)}${many ? "different" : "a different"} ${text.slice(found.index + "the same ".length)}`;
}

/** "at first", "must first create", "no longer", "the more … the more": no statement of its own. */
const isFixed = (text: string, at: number): boolean =>
  (/^(?:first|last)\b/.test(text.slice(at)) && !/\b(?:the|its|their|each|every|is|are|comes?|runs?|stands?) $/i.test(text.slice(0, at))) ||
  /\b(?:at|no|of|on|the more|once|in|log|set|end|point|ends?|or|what) $/i.test(text.slice(Math.max(0, at - 9), at)) ||
  (/^(?:few|many)\b/.test(text.slice(at)) && /\ban? $/i.test(text.slice(0, at))) ||
  /^(?:left (?:alone|over|out)|together with)\b/i.test(text.slice(at)) ||
  /^\w+ (?:down|of all|than (?:one|just)|up|to be|important|complex|complicated|generally|precisely|specifically|hand|recently|attempt)\b/i.test(
    text.slice(at),
  );

/** The sentence said of something else that the course names: code for code, a marked word for another. */
function otherName(fact: Fact, facts: readonly Fact[], gaps: readonly string[]): string | null {
  const { subject, text } = fact;
  if (!subject || !text.startsWith(subject)) return null;
  const own = new Set(fact.segment.terms);
  const isCode = /^`[^`]+`$/.test(subject);
  const names = isCode
    ? gaps.filter((name) => /^`[^`]+`$/.test(name) && name.startsWith("`-") === subject.startsWith("`-"))
    : facts.flatMap((other) =>
        other.subject && /^(?:the |an? )/i.test(other.subject) === /^(?:the |an? )/i.test(subject) ? other.subject : [],
      );
  const usable = names.filter(
    (name) =>
      !terms(name).some((one) => own.has(one)) && !meanAlike(name, subject) && (isCode || !name.includes("`")) && agree(name, subject),
  );
  if (usable.length === 0 || !fact.predicate || (!isCode && !/^(?:is|are|means?|returns|consists?)\b/.test(fact.predicate))) return null;
  const name = usable[Math.floor(seeded(text)() * usable.length)] ?? "";
  return name + text.slice(subject.length);
}

/** Of one number, as far as an ending tells: a name of several words may have it at any of them. */
const agree = (a: string, b: string): boolean => /[^su]s\b/.test(a) === /[^su]s\b/.test(b);

/** The opposite of a plain statement: "is" for "is not", "can" for "cannot", and the other way round. */
function negate({ text, subject, predicate }: Fact, plain: string): string | null {
  const negations = plain.match(/\b(?:not|cannot|never|no|none|nothing|only|without|n't)\b|n't\b/g)?.length ?? 0;
  if (negations === 1) {
    const positive = text
      .replace(/\b(is|are|was|were|does|do|must|should|will|can) not (?=\p{Ll})(?!only|just|necessarily|always|be\b.*\bbut\b)/u, "$1 ")
      .replace(/\bcannot\b/, "can")
      .replace(/\bnever\b/, "always")
      .replace(/\b(is|are)n't (?=\p{Ll})(?!only|just)/u, "$1 ");
    return positive === text || /\bbut\b/.test(plain) || /\b(?:do|does) \p{Ll}+/u.test(positive) ? null : positive;
  }
  if (negations > 1 || !subject || !predicate || !text.startsWith(subject) || /\b(?:because|although|but|so that|since)\b/.test(plain))
    return null;
  const verb =
    /^(is|are|can|has|returns|means|shows|lists|creates|removes|deletes|copies|moves|counts|sorts|prints|sends|takes|keeps|tells|changes|allows|matches|represents|denotes|applies|closes|introduces|yields|produces|provides|supports|requires|gives|makes|adds|defines|constructs|contains|holds|helps|needs|strengthens|replaces|reads|writes|runs|depends|preserves|must)\b/.exec(
      predicate,
    )?.[1];
  if (!verb) return null;
  const rest = predicate.slice(verb.length);
  if (/^ (?:not|also|often|usually|sometimes|just|therefore|then|thus|much|a contraction|called)\b/.test(rest)) return null;
  const denied =
    verb === "can" ? "cannot" : verb === "is" || verb === "are" || verb === "must" ? `${verb} not` : `does not ${baseForm(verb)}`;
  return `${subject} ${denied}${rest}`;
}

/** A single plain "is", "can" or the like, in a sentence of one clause. */
function negateSimpleVerb(text: string, plain: string): string | null {
  const verbs = [...plain.matchAll(/\b(?:is|are|can|must|should|will|has to)\b/g)];
  const [only] = verbs;
  const isSimple =
    !/\b(?:that|which|who|when|if|because|while|whether|where|but|although|so|not|cannot|never|no|none|nothing|only|without|also|just|often)\b|n't\b|[;:]/i.test(
      plain,
    );
  if (!only || verbs.length > 1 || !isSimple || only[0] === "has to") return null;
  const end = only.index + only[0].length;
  return `${text.slice(0, end)}${only[0] === "can" ? "not" : " not"}${text.slice(end)}`;
}

const baseForm = (verb: string): string =>
  verb === "has" ? "have" : verb === "matches" ? "match" : /ies$/.test(verb) ? verb.replace(/ies$/, "y") : verb.replace(/s$/, "");

/** What a statement is about, in a word or name of it: what a question says of each of its statements, so that none is singled out. */
export function topicWord(fact: Fact): string {
  const known = topicWords.get(fact) ?? wordFor(fact);
  topicWords.set(fact, known);
  return known;
}
const topicWords = new WeakMap<Fact, string>();

function wordFor(fact: Fact): string {
  const subject = fact.subject === null || isVague(fact.subject) ? null : fact.subject.replace(/^(?:the|an?|every|each)\s+/i, "");
  const long = (fact.text.match(/(?<![`$\\{\p{L}])\p{Ll}{6,}/gu) ?? []).filter((word) => terms(word).length > 0);
  const words = [...(subject ? [subject] : []), ...fact.gaps, ...long.toSorted((x, y) => y.length - x.length)].filter((word) =>
    /[\p{L}\p{N}]/u.test(word),
  );
  return words[0] ?? fact.text.split(" ").slice(0, 3).join(" ");
}

interface Statement {
  fact: Fact;
  text: string;
}

/** Where among the subjects of a question the one it was made of stands: it looks random, and is found again from the subjects alone. */
const placeOf = (subjects: readonly string[]): number => Math.floor(seeded(subjects.toSorted().join(" "))() * subjects.length);

/** The question with a word on each of its statements, the first of which it was made of, in an order that tells a reader nothing. */
const withSubjects = (asked: string, statements: readonly Statement[]): string => {
  const [main = "", ...others] = [...new Set(statements.map(({ fact }) => named(topicWord(fact))))];
  const subjects = others.toSorted();
  subjects.splice(placeOf([main, ...others]), 0, main);
  return `${asked} (They are about ${subjects.length > 1 ? `${subjects.slice(0, -1).join(", ")} and ${subjects.at(-1)}` : main}.)`;
};

/** What the statements of a question are about, by its prompt, and what that is about of which it was made; null for another question. */
export function subjectsOf(prompt: string): { all: string[]; main: string } | null {
  const listed = /\(They are about (.*)\.\)$/.exec(prompt)?.[1];
  if (listed === undefined) return null;
  const all = [...listed.matchAll(/“([^”]+)”|(`[^`]+`)/g)].map((found) => found[1] ?? found[2] ?? "");
  return { all, main: all[placeOf(all.map(named))] ?? "" };
}

const explainStatements = (right: readonly Statement[], wrong: readonly Statement[]): string =>
  explainCorrections(
    right.map(({ text }) => text),
    wrong.map(({ fact, text }) => ({ text, own: fact.text })),
  );

const textsOf = (statements: readonly Statement[]): string[] => statements.map(({ text }) => text);

/** As many statements as are wanted, no two of one sentence. */
function several(statements: readonly Statement[], except: readonly Statement[], count: number): Statement[] {
  const kept: Statement[] = [];
  for (const statement of statements)
    if (kept.length < count && ![...kept, ...except].some(({ fact, text }) => fact === statement.fact || text === statement.text))
      kept.push(statement);
  return kept;
}

/** "Which of these statements is true?": it and other statements of the same course that were altered. */
export const truth: Maker = (fact, material) => {
  if (!isJudgeable(fact)) return [];
  const right = { fact, text: fact.text };
  const wrong = several(falsifiedOthers(fact, material), [right], 3);
  if (wrong.length < 2) return [];
  const prompt = withSubjects("Which of these statements is true?", [right, ...wrong]);
  return [{ ...makeItem("single", prompt, [fact.text], textsOf(wrong), fact), explanation: explainStatements([right], wrong) }];
};

/** "Which of these statements is wrong?": one was altered, the others are the course's own. */
export const falsehood: Maker = (fact, material) => {
  const [altered] = isJudgeable(fact) ? falsify(fact, material) : [];
  if (!altered) return [];
  const wrong = { fact, text: altered };
  const own = similarFacts(fact, material).map((other) => ({ fact: other, text: other.text }));
  const right = several(own, [wrong], 3);
  if (right.length < 2) return [];
  const explanation = `${explainCorrections([], [{ text: altered, own: fact.text }])}\n\nThe other statements are quoted from the course.`;
  const prompt = withSubjects("Which of these statements is wrong?", [wrong, ...right]);
  return [{ ...makeItem("single", prompt, [altered], textsOf(right), fact), explanation }];
};

/** "Which of these statements are true?": two of the course's own and two that were altered. */
export const truths: Maker = (fact, material) => {
  const [second] = isJudgeable(fact) ? similarFacts(fact, material) : [];
  if (!second) return [];
  const right = [fact, second].map((one) => ({ fact: one, text: one.text }));
  const wrong = several(falsifiedOthers(fact, material), right, 2);
  if (wrong.length < 2) return [];
  const prompt = withSubjects("Which of these statements are true?", [...right, ...wrong]);
  return [{ ...makeItem("multiple", prompt, textsOf(right), textsOf(wrong), fact), explanation: explainStatements(right, wrong) }];
};

const named = (key: string): string => (/^`[^`]+`$/.test(key) ? key : `“${key}”`);
const judged = new WeakMap<Fact, boolean>();
/** Whether a sentence can be judged true or false by itself, away from its place. */
function isJudgeable(fact: Fact): boolean {
  const known = judged.get(fact) ?? standsByItself(fact);
  judged.set(fact, known);
  return known;
}
const standsByItself = (fact: Fact): boolean =>
  standsAlone(fact, true) &&
  fact.text.length <= 240 &&
  !(fact.subject !== null && isVague(fact.subject)) &&
  (fact.predicate !== null || finite.test(fact.text)) &&
  !/^(?:yes|no|in addition|conversely|similarly|likewise|otherwise|again|here|another|a second|a stricter)\b|^\p{L}+ly,|\b(?:s?he|her|his|him|example|you|your|let's|i|now|this|these)\b|, (?:that|it) (?:is|can|may|will)\b/iu.test(
    fact.text,
  ) &&
  !isEntry(fact);

const finite =
  /\b(?:is|are|was|were|can|cannot|must|has|have|does|do|will|may|means?|becomes?|makes?|helps?|gives?|tells?|turns?|keeps?|takes?|comes?|works?|costs?|learns?|lets?|forces?|shows?|brings?|belongs?|needs?|sorts?|puts?)\b/;

/**
 * Other statements to stand beside one: those no question showed before, then those that speak of the same, none that says the same.
 * Which of several alike comes is left to a seed, so that the same do not stand in each question.
 */
function similarFacts(fact: Fact, { facts, seen }: Material): Fact[] {
  const { passage } = fact.segment;
  const random = seeded(`${fact.text} ${seen?.turn ?? 0}`);
  return facts
    .filter((other) => other !== fact && isJudgeable(other) && overlap(other.segment.terms, fact.segment.terms) < 0.5)
    .map((other) => {
      const shared = overlap(other.segment.terms, fact.segment.terms);
      const section = other.segment.passage === passage ? 0.25 : other.segment.passage.title === passage.title ? 0.15 : 0;
      return { other, times: seen?.times(other) ?? 0, near: shared + section + 0.2 * random() };
    })
    .toSorted((a, b) => a.times - b.times || b.near - a.near)
    .map(({ other }) => other);
}

const falsifiedOthers = (fact: Fact, material: Material): Statement[] =>
  similarFacts(fact, material).flatMap((other) =>
    falsify(other, material)
      .slice(0, 1)
      .map((text) => ({ fact: other, text })),
  );
