import { type Fact, factsOf, gapsOf, seeded, shuffled, standsAlone } from "./facts.ts";
import { codeMarked } from "./markdown.ts";
import { type Passage, segmentsOf } from "./segments.ts";
import { overlap } from "./select.ts";
import { stem, terms } from "./terms.ts";

/** A question with choices, made from one fact (or several of one section). */
export interface Item {
  kind: "single" | "multiple";
  prompt: string;
  choices: { text: string; correct: boolean }[];
  explanation: string;
  passage: Passage;
  fact: Fact;
}

/**
 * Questions the passages answer by themselves: what something is or does (the wrong choices are what the course says of
 * other things), the word left out of a sentence (the wrong choices are other words of the course), and which
 * statements a section makes. Best first; every question from another sentence; none twice.
 * @param passages those to ask about first; wrong choices come from all of them.
 * @param first how many of them are to be asked about before the others are.
 * @param avoid text whose sentences and prompts were used already.
 */
export function itemsFrom(passages: readonly Passage[], count: number, avoid = "", first = passages.length): Item[] {
  const facts = factsOf(passages);
  const gaps = passages
    .flatMap(segmentsOf)
    .flatMap((segment) => (segment.kind === "sentence" || segment.kind === "item" ? gapsOf(codeMarked(segment.text)) : []));
  const material: Material = { facts, gaps, avoid };
  const unused = facts.filter((fact) => !avoid.includes(fact.text));
  const items: Item[] = [];
  const used = new Set<Fact>();
  const perPassage = new Map<Passage, number>();
  const add = (item: Item): void => {
    if (items.length >= count || items.some((other) => other.prompt === item.prompt) || avoid.includes(item.prompt)) return;
    items.push(item);
    used.add(item.fact);
    perPassage.set(item.passage, (perPassage.get(item.passage) ?? 0) + 1);
  };
  // Spread over the passages: one of each, then a second of each, and so on.
  for (let round = 1; items.length < count && round <= 8; round++) {
    const before = items.length;
    const open = round <= 4 ? passages.slice(0, first) : passages;
    for (const passage of open) {
      if (items.length >= count) break;
      const own = unused.filter(
        (fact) =>
          fact.segment.passage === passage &&
          !used.has(fact) &&
          !items.some((item) => overlap(item.fact.segment.terms, fact.segment.terms) > 0.7),
      );
      const fresh = own.toSorted((a, b) => worth(b) - worth(a));
      const wantsStatements = items.length % 4 === 3;
      const makers = wantsStatements ? [statements, meaning, gap, subject] : [meaning, gap, statements, subject];
      const size = items.length;
      for (const make of makers) {
        for (const fact of fresh) {
          for (const item of make(fact, material)) {
            add(item);
            if (items.length > size) break;
          }
          if (items.length > size) break;
        }
        if (items.length > size) break;
      }
    }
    if (items.length === before && round > 5) break;
  }
  return items;
}

/** What wrong choices are taken from. */
interface Material {
  facts: readonly Fact[];
  gaps: readonly string[];
  avoid: string;
}

function worth(fact: Fact): number {
  const early = 1 / (1 + fact.segment.order / 6);
  return (standsAlone(fact) ? 1 : 0.3) * (fact.predicate ? 1.6 : 1) * (/`|\*\*/.test(fact.text) ? 1.3 : 1) * (0.6 + 0.4 * early);
}

/** "How does the course complete this? “The kernel …”" */
function meaning(fact: Fact, { facts }: Material): Item[] {
  if (!fact.subject || !fact.predicate || !standsAlone(fact)) return [];
  const own = new Set(terms(fact.subject));
  const plural = isPlural(fact.predicate);
  const others = facts.filter(
    (other) =>
      other.predicate !== null &&
      other.subject !== null &&
      standsAlone(other) &&
      isPlural(other.predicate) === plural &&
      !other.segment.terms.some((term) => own.has(term)) &&
      overlap(terms(other.predicate), terms(fact.predicate ?? "")) < 0.5,
  );
  const alike = others.toSorted((a, b) => likeness(b, fact) - likeness(a, fact));
  const continuation = (predicate: string | null) => clipped(`… ${predicate ?? ""}`);
  const right = continuation(fact.predicate);
  const wrong = distinct(
    alike.map((other) => continuation(other.predicate)),
    [right],
  ).slice(0, 3);
  if (wrong.length < 2) return [];
  const choices = [{ text: right, correct: true }, ...wrong.map((text) => ({ text, correct: false }))];
  return [made("single", `How does the course go on? “${fact.subject} …”`, choices, fact)];
}

/** "Of what does the course say this? “… is the line count command”" */
function subject(fact: Fact, { facts }: Material): Item[] {
  if (!fact.subject || !fact.predicate || !standsAlone(fact)) return [];
  const own = new Set(fact.segment.terms);
  const plural = isPlural(fact.predicate);
  const others = facts.flatMap((other) => {
    const fits = other.subject !== null && other.predicate !== null && standsAlone(other) && isPlural(other.predicate) === plural;
    return fits && other.subject !== null && !terms(other.subject).some((term) => own.has(term)) ? other.subject : [];
  });
  const wrong = distinct(others, [fact.subject]).slice(0, 3);
  if (wrong.length < 2) return [];
  const choices = [{ text: fact.subject, correct: true }, ...wrong.map((text) => ({ text, correct: false }))];
  return [made("single", `Of what does the course say this? “${clipped(`… ${fact.predicate}`)}”`, choices, fact)];
}

/** "Which word belongs in the gap?", for each word that can be left out. */
function gap(fact: Fact, { gaps }: Material): Item[] {
  if (!standsAlone(fact, true)) return [];
  return fact.gaps.flatMap((word) => {
    const prompt = `Which ${word.startsWith("`") ? "code" : "word"} belongs in the gap? “${clipped(fact.text.replace(word, "____"))}”`;
    const own = new Set(fact.segment.terms);
    const pool = gaps.filter(
      (other) => shape(other) === shape(word) && !terms(other).some((term) => own.has(term)) && sameEnding(other, word),
    );
    const counted = new Map<string, number>();
    for (const other of pool) counted.set(other, (counted.get(other) ?? 0) + 1);
    const wrong = distinct(
      [...counted.keys()].toSorted(
        (a, b) => Math.abs(a.length - word.length) - Math.abs(b.length - word.length) || (counted.get(b) ?? 0) - (counted.get(a) ?? 0),
      ),
      [word],
    ).slice(0, 3);
    if (wrong.length < 2) return [];
    return made("single", prompt, [{ text: word, correct: true }, ...wrong.map((text) => ({ text, correct: false }))], fact);
  });
}

/** "Which of these statements does the section … make?" */
function statements(fact: Fact, { facts, avoid }: Material): Item[] {
  const { passage } = fact.segment;
  if (!passage.title || !standsAlone(fact, true)) return [];
  const usable = facts.filter((other) => standsAlone(other, true) && !avoid.includes(other.text) && other.text.length <= 220);
  const second = usable.find(
    (other) => other !== fact && other.segment.passage === passage && overlap(other.segment.terms, fact.segment.terms) < 0.5,
  );
  const right = second ? [fact, second] : [fact];
  const elsewhere = usable.filter(
    (other) => other.segment.passage.title !== passage.title && right.every((own) => overlap(other.segment.terms, own.segment.terms) < 0.4),
  );
  const wrong = distinct(
    elsewhere.map((other) => other.text),
    right.map((own) => own.text),
  ).slice(0, 4 - right.length);
  if (wrong.length < 2) return [];
  const choices = [...right.map((own) => ({ text: own.text, correct: true })), ...wrong.map((text) => ({ text, correct: false }))];
  return [
    made(
      right.length > 1 ? "multiple" : "single",
      `Which of these ${right.length > 1 ? "statements stand" : "statements stands"} in the section “${passage.title}”?`,
      choices,
      fact,
    ),
  ];
}

function made(kind: Item["kind"], prompt: string, choices: Item["choices"], fact: Fact): Item {
  return {
    kind,
    prompt: prompt.slice(0, 600),
    choices: shuffled(choices, seeded(prompt)),
    explanation: `The course says: “${fact.text}”`,
    passage: fact.segment.passage,
    fact,
  };
}

/** Texts that differ from each other and from those given, whatever their case and marks. */
function distinct(texts: readonly string[], from: readonly string[]): string[] {
  const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}$|<>*~.-]/gu, "");
  const seen = new Set(from.map(key));
  return texts.filter((text) => {
    const own = key(text);
    if (!own || seen.has(own)) return false;
    seen.add(own);
    return true;
  });
}

const clipped = (text: string): string => (text.length <= 400 ? text : `${text.slice(0, 397)}…`);

/** Whether a predicate goes with a subject in the plural, by its verb. */
const isPlural = (predicate: string): boolean =>
  !/^(?:is|was|has|[\p{Ll}]+s)\b/iu.test(predicate) || /^(?:pass|express|discuss)\b/i.test(predicate);

function shape(gap: string): string {
  if (gap.startsWith("`")) return /^`-/.test(gap) ? "flag" : /^`[\w.-]+`$/.test(gap) ? "name" : "expression";
  return /\s/.test(gap) ? "phrase" : "word";
}

/** Words of a like form: a gap for "creates" is not filled by "directory". */
function sameEnding(a: string, b: string): boolean {
  if (shape(a) !== "word") return true;
  if (stem(a) === stem(b)) return false;
  const ending = (word: string) => /(?:ing|ed|ly|tion|s)$/.exec(word)?.[0] ?? "";
  return ending(a) === ending(b);
}

function likeness(other: Fact, fact: Fact): number {
  const code = (text: string | null) => Number(/^`/.test(text ?? ""));
  const length = (text: string | null) => (text ?? "").length;
  return 2 * Number(code(other.subject) === code(fact.subject)) - Math.abs(length(other.predicate) - length(fact.predicate)) / 60;
}
