import type { GeneratedQuiz } from "@colloquy/schemas/generation/quiz.ts";
import type { CheckOrNone, GeneratedCheck, GeneratedProbe } from "@colloquy/schemas/generation/tutor.ts";
import { type Fact, factsOf, standsAlone } from "../facts.ts";
import { isPlural, isVague, reasonOf } from "../items/choices.ts";
import { type Item, itemsFrom } from "../items.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { readQuestion, understand } from "../question.ts";
import { rank } from "../ranking.ts";
import type { Passage } from "../segments.ts";
import { objectiveQuestion } from "./objective-question.ts";
import { focusOf, type Objective, objectivesOf, passagesOf } from "./objectives.ts";

const usualCount = 5;

/** A quiz about what was asked for, from the passages; without questions when they hold nothing to ask about. */
export function makeQuiz(prompt: Prompt): GeneratedQuiz {
  const { passages, first: relevant } = byRelevance(prompt);
  const items = itemsFrom(passages, countIn(prompt), alreadyAsked(prompt), relevant);
  const [first] = passages;
  const about = first?.trail.at(-1) || first?.title || "the course";
  return {
    title: `Quiz: ${about}`.slice(0, 200),
    questions: items.map((item) => ({
      kind: item.kind,
      prompt: item.prompt,
      choices: item.choices,
      explanation: item.explanation,
      passages: [item.passage.id],
    })),
  };
}

/** Diagnostic items, one or two for an objective, from broad (what something is) to narrow (a word of a sentence); none where nothing can be asked. */
export function makeProbe(prompt: Prompt): GeneratedProbe {
  const objectives = objectivesOf(prompt);
  const groups = objectives.length
    ? objectives.map((objective) => ({
        id: objective.id,
        aim: objective.text,
        passages: nearestFirst(passagesOf(objective, prompt.passages), objective.text),
      }))
    : [{ id: "o1", aim: "", passages: prompt.passages }];
  const perGroup = Math.max(1, Math.floor(6 / groups.length));
  let avoid = alreadyAsked(prompt);
  const items: GeneratedProbe["items"] = [];
  for (const group of groups.slice(0, 8)) {
    // The others are there for wrong choices alone: a question on another page is not on the objective.
    const others = prompt.passages.filter((passage) => !group.passages.includes(passage));
    for (const item of itemsFrom([...group.passages, ...others], perGroup, avoid, group.passages.length, group.aim)) {
      if (!group.passages.includes(item.passage)) continue;
      avoid += `\n${item.text}\n${item.prompt}`;
      items.push({
        objectiveId: group.id,
        breadth: isBroad(item) ? "broad" : "narrow",
        prompt: item.prompt,
        selection: item.kind,
        choices: item.choices,
        explanation: item.explanation,
        passages: [item.passage.id],
      });
    }
  }
  return { items: items.toSorted((a, b) => Number(a.breadth === "narrow") - Number(b.breadth === "narrow")).slice(0, 8) };
}

const none: CheckOrNone = {
  prompt: "",
  selection: "none",
  choices: [],
  rubric: [],
  modelAnswer: "",
  hint: "",
  explanation: "",
  passages: [],
};

/** One item about a step: with choices, or a text answer when the prompt asks for one in words. */
export function makeCheck(prompt: Prompt): CheckOrNone {
  const [objective] = objectivesOf(prompt);
  const aim = objective?.text ?? "";
  const focus = nearestFirst(focusOf(prompt), aim);
  const others = prompt.passages.filter((passage) => !focus.includes(passage));
  const { passages, first } = focus.length > 0 ? { passages: [...focus, ...others], first: focus.length } : byRelevance(prompt, aim);
  const avoid = alreadyAsked(prompt);
  if (
    /\b(?:text answer|in (?:their|your|the learner's) own words|open question|selection (?:is |must be )?"?text"?)\b/i.test(prompt.question)
  ) {
    const words = openQuestion(prompt, objective, passages, avoid);
    if (words) return words;
  }
  const wantsSeveral = /\bselection multiple\b/.test(prompt.whole);
  const items = itemsFrom(passages, wantsSeveral ? 8 : 1, avoid, first, aim);
  // When nothing new is left, something comes again.
  const item =
    (wantsSeveral && items.find(({ kind }) => kind === "multiple")) ||
    items[0] ||
    leastRecentlyAsked(prompt, itemsFrom(passages, 8, "", first, aim));
  if (!item) return none;
  return {
    prompt: item.prompt,
    selection: item.kind,
    choices: item.choices,
    rubric: [],
    modelAnswer: "",
    hint: `Look at the section “${item.passage.title || item.passage.trail.at(-1) || "named below"}”.`,
    explanation: item.explanation,
    passages: [item.passage.id],
  };
}

/** What a sentence says that tells what something is: "data is often redundant" does not. */
const defines = /^(?:(?:is|are) (?:an?|the|one|any|how|what|when|called)|means?|refers?|consists?|describes?|denotes?|contains?|stands?)\b/;

/** A question to be answered in the learner's own words: why something is so, or what something is; null when all were asked. */
function openQuestion(
  prompt: Prompt,
  objective: Objective | undefined,
  passages: readonly Passage[],
  asked: string,
): GeneratedCheck | null {
  const onObjective = objective ? objectiveQuestion(prompt, objective) : null;
  if (onObjective && !asked.includes(onObjective.prompt)) return onObjective;
  const facts = factsOf(passages).filter((fact) => standsAlone(fact));
  for (const fact of facts) {
    const { passage } = fact.segment;
    const because = reasonOf(fact);
    const about = fact.subject === null || isVague(fact.subject) || !defines.test(fact.predicate ?? "") ? null : fact.subject;
    if (!because && !about) continue;
    const question = because
      ? `In your own words: why is it so? “${because.claim} …”`
      : `In your own words: ${questionOn(about ?? "", fact)}`;
    if (asked.includes(question)) continue;
    const more = about ? facts.filter((other) => other !== fact && other.subject === about && other.segment.passage === passage) : [];
    return {
      prompt: question,
      selection: "text",
      choices: [],
      rubric: because ? [because.why] : [fact, ...more.slice(0, 2)].map(({ text }) => text),
      modelAnswer: fact.text,
      hint: `Look at the section “${passage.title || passage.trail.at(-1)}”.`,
      explanation: `The course says: “${fact.text}”`,
      passages: [passage.id],
    };
  }
  return null;
}

function questionOn(subject: string, { predicate, segment }: Fact): string {
  // A word that stands in small letters elsewhere is no name.
  const small = `${subject.charAt(0).toLowerCase()}${subject.slice(1)}`;
  const [first = ""] = small.split(" ");
  const isWord = /^(?:the|an?|every|each)$/.test(first) || segment.passage.text.includes(` ${first}`);
  const named = isWord ? small : subject;
  return /^(?:is|are|means?)\b/.test(predicate ?? "")
    ? `what ${isPlural(predicate ?? "") ? "are" : "is"} ${named}?`
    : `what does the course say of ${named}?`;
}

/** Of questions that were all asked before, the one that was not asked for longest. */
function leastRecentlyAsked(prompt: Prompt, items: readonly Item[]): Item | undefined {
  const asked = taggedJson(prompt, "asked");
  const before = Array.isArray(asked) ? asked.map(String) : [];
  return items.toSorted((a, b) => before.lastIndexOf(a.prompt) - before.lastIndexOf(b.prompt))[0];
}

const isBroad = (item: Item): boolean => !item.prompt.includes("____");

/** The number of questions asked for, in figures or words. */
function countIn(prompt: Prompt): number {
  const exactly = Number(/\bWrite exactly (\d{1,2}) questions?\b/.exec(prompt.whole)?.[1]);
  if (exactly) return Math.min(20, exactly);
  const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  for (const text of [prompt.question, prompt.whole]) {
    const found = /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\w+[ -]){0,2}(?:questions?|items?)\b/i
      .exec(text)?.[1]
      ?.toLowerCase();
    if (found) return Math.min(20, Math.max(1, words.indexOf(found) + 1 || Number(found)));
  }
  return usualCount;
}

/** Prompts and quotations of former turns and of the quiz so far, so that nothing is asked twice. */
function alreadyAsked(prompt: Prompt): string {
  const asked = taggedJson(prompt, "asked");
  const before = Array.isArray(asked) ? asked.map(String).join("\n") : "";
  return `${prompt.history.map((turn) => turn.text).join("\n")}\n${prompt.question}\n${before}`;
}

/** Passages in the order in which they bear on the aim, or on what was asked (in their own when it names nothing), and how many do. */
function byRelevance(prompt: Prompt, aim = ""): { passages: Passage[]; first: number } {
  const question = (aim || prompt.question).replace(
    /\b(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten) (?:\w+[ -]){0,2}(?:questions?|items?)\b/gi,
    "",
  );
  const ranking = rank(prompt.passages, readQuestion({ ...prompt, question, history: [] }));
  const best = ranking.passages[0]?.score ?? 0;
  const named = ranking.passages.filter((entry) => entry.score > 0 && entry.score >= best * 0.45).map((entry) => entry.passage);
  if (!named.length || ranking.coverage < 0.3) return { passages: prompt.passages, first: prompt.passages.length };
  // Few passages make poor wrong choices, so the others stand behind them.
  return { passages: [...named, ...prompt.passages.filter((passage) => !named.includes(passage))], first: named.length };
}

/** The passages that say something about a text, those that say most first; all as they were when none does. */
function nearest(passages: readonly Passage[], text: string): Passage[] {
  const found = rank(passages, understand(text)).passages.filter((entry) => entry.score > 0);
  return found.length ? found.map((entry) => entry.passage) : [...passages];
}

/** All of the passages, those that say most about a text first. */
function nearestFirst(passages: readonly Passage[], text: string): Passage[] {
  const near = nearest(passages, text);
  return [...near, ...passages.filter((passage) => !near.includes(passage))];
}
