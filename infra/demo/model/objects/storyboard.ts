import type { GeneratedReview } from "@colloquy/schemas/generation/review.ts";
import { type GeneratedScene, type GeneratedStoryboard, generatedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { type Fact, factsOf, standsAlone } from "../facts.ts";
import { itemsFrom } from "../items.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Passage, type Segment, segmentsOf } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";

/** Words spoken in a second: a calm voice. */
const wordsPerSecond = 2.6;
const shortest = 3;
const longest = 15;
const content = {
  heading: "",
  points: [],
  tex: "",
  code: "",
  language: "",
  left: [],
  right: [],
  question: "",
  answer: "",
} satisfies GeneratedScene["content"];

/** Title, what the course says point by point (with its formula or code), and a recap or a question: 30 to 60 seconds. */
export function makeStoryboard(prompt: Prompt): GeneratedStoryboard | null {
  const facts = factsOf(prompt.passages).filter((fact) => quoteOf(fact.segment) !== null && fact.text.length <= 240);
  const chosen = spread(facts.filter((fact) => standsAlone(fact)).length >= 5 ? facts.filter((fact) => standsAlone(fact)) : facts, 6);
  const [opening, ...others] = chosen;
  if (!opening || others.length < 2) return null;
  const subject = (opening.segment.passage.trail.at(-1) || opening.segment.passage.title || "The course").slice(0, 120);
  const scenes: GeneratedScene[] = [scene("title", opening, { ...content, heading: subject })];
  const block = blockIn(prompt.passages);
  const middle = others.slice(0, -1);
  for (const fact of middle.slice(0, block ? 3 : 4))
    scenes.push(scene("points", fact, { ...content, heading: headingOf(fact), points: [shortened(fact.text)] }));
  if (block) {
    const code = block.segment.kind === "code";
    scenes.splice(
      2,
      0,
      scene(code ? "code" : "formula", block.fact, {
        ...content,
        heading: headingOf(block.fact),
        ...(code
          ? { code: block.segment.text, language: (block.segment.language || "text").slice(0, 40) }
          : { tex: tex(block.segment.text) }),
      }),
    );
  }
  const last = others.at(-1) as Fact;
  const [item] = /exam|recap|mistake/i.test(prompt.whole) ? itemsFrom([last.segment.passage], 1) : [];
  const answer = item?.choices.find((choice) => choice.correct)?.text ?? "";
  scenes.push(
    item
      ? scene("question", last, { ...content, heading: "Can you tell?", question: item.prompt.slice(0, 600), answer: answer.slice(0, 600) })
      : scene("recap", last, { ...content, heading: "What to keep", points: chosen.slice(0, 4).map((fact) => shortened(fact.text)) }),
  );
  return fitted(`${subject} in a minute`.slice(0, 200), scenes);
}

function scene(layout: GeneratedScene["layout"], fact: Fact, filled: GeneratedScene["content"]): GeneratedScene {
  const { passage } = fact.segment;
  return {
    layout,
    seconds: clamp(Math.ceil(wordsOf(fact.text) / wordsPerSecond) + 1),
    content: filled,
    narration: spoken(fact.text),
    passages: [passage.id],
    quotes: [{ passage: passage.id, quote: quoteOf(fact.segment) ?? fact.text.slice(0, 300) }],
  };
}

/** Adds or takes seconds, and scenes of the middle, until the whole lasts 30 to 60 seconds. Null when it cannot. */
function fitted(title: string, scenes: GeneratedScene[]): GeneratedStoryboard | null {
  const total = () => scenes.reduce((sum, one) => sum + one.seconds, 0);
  while (total() > 60 && scenes.length > 4) scenes.splice(-2, 1);
  for (let guard = 0; total() > 60 && guard < 60; guard++)
    for (const one of scenes) if (total() > 60 && one.seconds > shortest) one.seconds -= 1;
  for (let guard = 0; total() < 30 && guard < 60; guard++)
    for (const one of scenes) if (total() < 30 && one.seconds < longest) one.seconds += 1;
  const parsed = generatedStoryboard.safeParse({ title, scenes });
  return parsed.success ? parsed.data : null;
}

/** Facts from all over the passages, no two alike, in reading order. */
function spread(facts: readonly Fact[], count: number): Fact[] {
  const chosen: Fact[] = [];
  const passages = [...new Set(facts.map((fact) => fact.segment.passage))];
  for (let round = 0; chosen.length < count && round < 5; round++)
    for (const passage of passages) {
      const next = facts.find(
        (fact) =>
          fact.segment.passage === passage &&
          !chosen.includes(fact) &&
          !chosen.some((other) => overlap(other.segment.terms, fact.segment.terms) > 0.6),
      );
      if (next && chosen.length < count) chosen.push(next);
    }
  return chosen.toSorted((a, b) => facts.indexOf(a) - facts.indexOf(b));
}

/** A short formula or piece of code, with a fact beside it to speak. */
function blockIn(passages: readonly Passage[]): { segment: Segment; fact: Fact } | null {
  for (const passage of passages) {
    const segments = segmentsOf(passage);
    const block = segments.find(
      (segment) => segment.kind === "formula" || (segment.kind === "code" && segment.text.split("\n").length <= 8),
    );
    const facts = factsOf([passage]).filter((fact) => quoteOf(fact.segment) !== null && fact.text.length <= 240);
    const near = facts.toSorted(
      (a, b) => Math.abs(a.segment.order - (block?.order ?? 0)) - Math.abs(b.segment.order - (block?.order ?? 0)),
    )[0];
    if (block && near && block.text.length <= 600) return { segment: block, fact: near };
  }
  return null;
}

/** A stretch of the segment that stands in the passage exactly so, on one line; null when there is none worth quoting. */
function quoteOf(segment: Segment): string | null {
  const lines = segment.raw
    .replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "")
    .split("\n")
    .map((line) => line.trim())
    .toSorted((a, b) => b.length - a.length);
  const [line] = lines;
  if (!line || wordsOf(line) < 4) return null;
  return line.length <= 300 ? line : line.slice(0, line.lastIndexOf(" ", 300));
}

/** Looks at a storyboard by rule: passages exist, quotes stand in them, narration is covered by them and can be spoken in time. */
export function makeReview(prompt: Prompt): GeneratedReview {
  const parsed = generatedStoryboard.safeParse(taggedJson(prompt, "proposal"));
  if (!parsed.success)
    return {
      approved: false,
      findings: [{ scene: 0, problem: "unclear", detail: "The proposal is not a storyboard of 30 to 60 seconds." }],
    };
  const byId = new Map(prompt.passages.map((passage) => [passage.id, passage]));
  const findings: GeneratedReview["findings"] = [];
  for (const [index, one] of parsed.data.scenes.entries()) {
    const found = (problem: GeneratedReview["findings"][number]["problem"], detail: string) =>
      findings.push({ scene: index + 1, problem, detail });
    const missing = one.passages.filter((id) => !byId.has(id));
    if (missing.length) found("unsupported", `${missing.join(", ")} is not among the passages.`);
    for (const { passage, quote } of one.quotes)
      if (!folded(byId.get(passage)?.text ?? "").includes(folded(quote)))
        found("misquoted", `“${quote.slice(0, 200)}” does not stand in ${passage}.`);
    const held = new Set(one.passages.flatMap((id) => terms(`${byId.get(id)?.title ?? ""} ${byId.get(id)?.text ?? ""}`)));
    const said = [...new Set(terms(one.narration))];
    const covered = said.filter((term) => held.has(term)).length / Math.max(1, said.length);
    if (!missing.length && covered < 0.5) found("unsupported", "The narration says more than its passages do.");
    if (wordsOf(one.narration) / one.seconds > 3.5) found("too_long", "The narration cannot be spoken in the time of the scene.");
  }
  return { approved: findings.length === 0, findings: findings.slice(0, 12) };
}

const folded = (text: string): string => text.replace(/\s+/g, " ").trim();
const clamp = (seconds: number): number => Math.min(longest, Math.max(shortest, seconds));
const headingOf = (fact: Fact): string => (fact.segment.passage.title || fact.segment.passage.trail.at(-1) || "The course").slice(0, 200);
const tex = (formula: string): string =>
  formula
    .replace(/^\s*(?:\$\$|\\\[)|(?:\$\$|\\\])\s*$/g, "")
    .trim()
    .slice(0, 600);

/** Without the marks of code and emphasis: words to be said. */
const spoken = (text: string): string => text.replace(/\*\*|`/g, "");

function shortened(text: string): string {
  const plain = spoken(text);
  return plain.length <= 160 ? plain : `${plain.slice(0, plain.lastIndexOf(" ", 156))} …`;
}
