import { codeMarkedIn, type Fact, factsOf, gapsOf, standsAlone } from "./facts.ts";
import { falsehood, subjectsOf, topicWord, truth, truths } from "./items/altered.ts";
import { completion, gap, reason, subject, term } from "./items/choices.ts";
import { codeItems } from "./items/code.ts";
import { type Item, type Maker, type Material, singlesOut } from "./items/item.ts";
import { type Passage, segmentsOf } from "./segments.ts";
import { overlap } from "./select.ts";
import { terms } from "./terms.ts";

export type { Item } from "./items/item.ts";

/** Items do not change, and each is looked at for every sentence. */
const knownSubjects = new WeakMap<Item, readonly string[]>();
function subjectsIn(item: Item): readonly string[] {
  const subjects = knownSubjects.get(item) ?? subjectsOf(item.prompt)?.all ?? [];
  knownSubjects.set(item, subjects);
  return subjects;
}

/** In the order in which they are tried; by turns another one begins. */
const makers: readonly Maker[] = [completion, truth, term, gap, truths, reason, subject, falsehood];

/**
 * Questions the passages answer by themselves: what something is, does or is called, why it is so, the word left out of a sentence, what
 * a line of code comes to, and which statements are true (the wrong ones are the course's own, altered). Best first, none twice; first
 * each from a sentence of its own, then another question on a sentence that was asked about before.
 * @param passages those to ask about first; wrong choices come from all of them
 * @param asked prompts and sentences that were used already
 * @param first how many of the passages are to be asked about before the others are
 * @param aim what the questions are to show: sentences that share its words come first
 */
export function itemsFrom(passages: readonly Passage[], count: number, asked = "", first = passages.length, aim = ""): Item[] {
  const aimed = terms(aim);
  const material = materialOf(passages);
  const before = asked.split("\n").map((line) => ({ line, terms: terms(line), subjects: subjectsOf(line) }));
  /** How often a sentence was asked about: its beginning or its end stands in each question on it, or what it is about. */
  const timesAsked = (fact: Fact): number => {
    const {
      text,
      subject,
      segment: { terms: own },
    } = fact;
    const label = topicWord(fact);
    const parts = [text.slice(0, 24), text.slice(-24), ...(subject === null ? [] : [`“${subject} …”`])];
    return before.filter(
      ({ line, terms: held, subjects }) =>
        subjects?.main === label || parts.some((part) => line.includes(part)) || (held.length > 3 && overlap(held, own) > 0.7),
    ).length;
  };
  /** How often a sentence, or what it says altered, stood among the statements of a question. */
  const subjectsBefore = before.flatMap(({ subjects }) => (subjects ? [subjects.all] : []));
  const labels = new Map(material.facts.map((fact) => [fact, topicWord(fact)]));
  const shownBefore = new Map([...labels].map(([fact, label]) => [fact, subjectsBefore.filter((all) => all.includes(label)).length]));
  const shown = (fact: Fact): number =>
    (shownBefore.get(fact) ?? 0) + items.filter((item) => subjectsIn(item).includes(labels.get(fact) ?? "")).length;
  const code = codeItems(passages);
  const items: Item[] = [];
  const used = new Map(material.facts.map((fact) => [fact, timesAsked(fact)]));

  const isNew = (item: Item): boolean =>
    !singlesOut(item) && !asked.includes(item.prompt) && !items.some(({ prompt }) => prompt === item.prompt);
  const like = (fact: Fact): boolean => items.some(({ text }) => overlap(terms(text), fact.segment.terms) > 0.7);
  /** The first new question on a fact; which kind of question is tried first changes from one to the next. */
  const oneOn = (fact: Fact, turn: number): Item | null => {
    for (let at = 0; at < makers.length; at += 1)
      for (const item of makers[(at + turn) % makers.length]?.(fact, {
        ...material,
        seen: { times: shown, turn: turnFrom + items.length },
      }) ?? [])
        if (isNew(item)) return item;
    return null;
  };
  const turnFrom = before.length;
  const takeFrom = (passage: Passage, most: number): boolean => {
    const line = items.length % 3 === 2 || most > 0 ? code.find((one) => one.passage === passage && isNew(one)) : undefined;
    if (line && (most > 0 || !asked.includes(line.text))) {
      items.push(line);
      return true;
    }
    const own = material.facts.filter(
      (fact) => fact.segment.passage === passage && (used.get(fact) ?? 0) <= most && (most > 0 || !like(fact)),
    );
    for (const fact of own.toSorted((a, b) => shown(a) - shown(b) || worth(b, aimed) - worth(a, aimed))) {
      const item = oneOn(fact, turnFrom + items.length);
      if (!item) continue;
      items.push(item);
      used.set(fact, (used.get(fact) ?? 0) + 1);
      return true;
    }
    return false;
  };
  // Spread over the passages, the nearest first; when every sentence was asked about once, a second and a third time, otherwise.
  for (const most of [0, 1, 2])
    for (const open of [passages.slice(0, first), passages])
      for (let found = true; found && items.length < count; ) {
        found = false;
        for (const passage of open) if (items.length < count && takeFrom(passage, most)) found = true;
      }
  return items;
}

/** Words that carry a sentence, and that the passages say more than once, mark, or have in a heading. */
function materialOf(passages: readonly Passage[]): Material {
  const facts = factsOf(passages);
  const headings = new Set(passages.flatMap(({ title }) => terms(title)));
  const counts = new Map<string, number>();
  const texts = passages.flatMap((passage) =>
    segmentsOf(passage).flatMap((segment) => {
      for (const one of new Set(segment.terms)) counts.set(one, (counts.get(one) ?? 0) + 1);
      return segment.kind === "sentence" || segment.kind === "item" ? codeMarkedIn(segment) : [];
    }),
  );
  const gaps = [...new Set(texts.flatMap(gapsOf))].filter(
    (word) => word.startsWith("`") || terms(word).some((one) => headings.has(one) || (counts.get(one) ?? 0) >= 3),
  );
  return { facts, gaps };
}

function worth(fact: Fact, aimed: readonly string[]): number {
  const early = 1 / (1 + fact.segment.order / 6);
  const bearing = 1 + aimed.filter((term) => fact.segment.terms.includes(term)).length;
  return bearing * (standsAlone(fact) ? 1 : 0.3) * (fact.predicate ? 1.6 : 1) * (/`|\*\*/.test(fact.text) ? 1.3 : 1) * (0.6 + 0.4 * early);
}
