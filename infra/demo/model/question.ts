import type { Prompt } from "./prompt.ts";
import { stem, terms, weightOf } from "./terms.ts";

export type QuestionKind =
  | "definition"
  | "howto"
  | "why"
  | "compare"
  | "list"
  | "example"
  | "formula"
  | "count"
  | "yes-no"
  | "rephrase"
  | "summary"
  | "section"
  | "other";

/** What a question asks, as far as its words tell. */
export interface Question {
  said: string;
  kind: QuestionKind;
  /** Its own terms and, at less weight, those of the question it leans on. */
  terms: Map<string, number>;
  /** The thing asked about, in the learner's words, when the form of the question shows it. */
  focus: string[];
  /** For a comparison: both things. */
  sides: string[][];
  /** The heading asked for by "What does the course say about “…”?". */
  section: string | null;
  /** Terms written as names: they must be in the course for an answer to be one. */
  names: Set<string>;
  /** Whether it leans on the turn before. */
  leans: boolean;
  /** Whether it names nothing by itself and is about the topic of the turn before ("why?", "simpler, please"). */
  isVague: boolean;
  /** Asks for more of the same, so what was said is not said again. */
  more: boolean;
}

/** What a learner adds to their question, and how the questions' forms are told apart. First match wins. */
const forms: [QuestionKind, RegExp][] = [
  [
    "summary",
    /\b(?:summar(?:y|i[sz]e)|overview|key (?:points|ideas|takeaways)|main (?:points|ideas|idea)|tl;?dr|in a nutshell|what (?:is|does) (?:this|the) (?:page|section|topic|chapter|lesson|course)|explain this (?:page|section|topic)|(?:this|the) (?:page|section|topic|chapter|lesson) about)\b/i,
  ],
  ["why", /^why\b/i],
  [
    "compare",
    /\b(?:better|worse|faster|slower|easier|safer)\b.*\bor\b|\bthe same (?:thing )?(?:as|like)\b|\band\b.+\bthe same\b|\b(?:differ(?:s|ence|ences|ent)?\b.*\b(?:between|from|and|to|than)|compare[ds]?|comparison|versus|vs\.?|distinguish|distinction|better than|instead of|rather than)\b/i,
  ],
  ["why", /\b(?:why|what(?:'s| is) the (?:reason|point|benefit|advantage|use)|how come|reasons? (?:for|to))\b/i],
  ["count", /\bhow (?:many|much|often|long|far|large|big|fast)\b/i],
  ["formula", /\b(?:formulas?|equations?) (?:for|of|behind)\b|\b(?:what|which|give|show|write)\b.*\bformula\b/i],
  [
    "howto",
    /^(?:how (?:do|can|should|could|would|to|does one|might)\b|(?:which|what) (?:command|option|flag|tactic|keyword|key|program|function)\b|(?:is there|what is|what's) (?:a|the) (?:way|command|tactic|option|flag) )|\bhow to\b|\bcommand (?:to|for)\b/i,
  ],
  ["definition", /\bhow (?:is|are|was|were) .+ (?:defined|declared|represented)\b/i],
  ["example", /\b(?:examples?|show me|demonstrate|illustrate|sample)\b/i],
  [
    "list",
    /^(?:list|name|which|what are (?:the|some|all)|enumerate)\b|\b(?:kinds|types|ways|rules|steps|parts|options|components|forms) of\b/i,
  ],
  [
    "definition",
    /^(?:what(?:'s| is| are| does| do)\b|define\b|explain what\b|who (?:is|was)\b|tell me (?:about|what)\b|describe\b)|\b(?:meaning|definition) of\b/i,
  ],
  [
    "yes-no",
    /^(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|must|may|might|(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have)n['’]?t)\b/i,
  ],
];

/** What stands before a question and does not change it. */
const politeness =
  /^(?:(?:so|and|but|please|ok(?:ay)?|well|hm+|then),? |(?:can|could|would|will) you (?:please )?(?=explain|tell|show|give|list|name|describe|define|summari|compare|demonstrate|illustrate))+/i;

/** A follow-up that names nothing by itself, in the languages of the interface. */
const vague: [QuestionKind, RegExp][] = [
  [
    "rephrase",
    /\b(?:simpl(?:er?|y|est|ify)|easier|plain(?:er|ly)?|rephrase|reword|differently|another way|(?:in )?(?:other|own) words|less technical|eli5|like i['’]?m|einfacher|anders gesagt|(?:in )?anderen worten|verständlicher)\b|(?:still )?(?:don['’]?t|do not|didn['’]?t) (?:get|understand|follow)\b|\bversteh\p{L}* .*nicht\b|أبسط|ببساطة|أخرى|لم أفهم|لا أفهم/iu,
  ],
  ["why", /\b(?:why|how come|how so|warum|wieso|weshalb)\b|لماذا/i],
  ["example", /\b(?:examples?|beispiele?)\b|مثال/i],
];
const wordsOfVague = new Set(
  "avoid prevent fix improve simple simpler simply simplest simplify easier easy plain plainer plainly rephrase reword differently technical eli5 still don doesn didn lost sorry please können kannst könnt du mir mich ich das es dies noch nochmal mal einmal bitte einfacher anders gesagt anderen worten verständlicher versteh verstehe verstanden nicht warum wieso weshalb ein eine einen beispiel beispiele dafür dazu zum geben gib erklär erkläre erklären اشرح أبسط ببساطة بكلمات بطريقة أخرى مرة لم لا أفهم أفهمه هذا هذه ذلك لماذا مثال مثالا أعطني هات"
    .split(" ")
    .map(stem),
);

const leaning =
  /^(?:and|but|so|then|ok|why|how so|more|again|what about|how about|really)\b|\b(?:it|its|that|this|these|those|they|them|their|one|ones|former|latter|above|again)\b/i;
const wantsMore =
  /^(?:(?:please )?(?:tell me |say |explain )?(?:some )?more|go on|continue|and then|what else|anything else|keep going|elaborate|more (?:detail|details|please))\b/i;

/** Reads the last question in the light of what went before. */
export function readQuestion(prompt: Prompt): Question {
  const courses = [...new Set(prompt.passages.map(({ trail }) => trail[0] ?? ""))].map((title) => new Set(terms(title)));
  const read = (text: string): string => withoutCourseName(text, courses);
  return understand(
    read(prompt.question),
    prompt.history.filter((turn) => turn.role === "user").map((turn) => read(turn.text)),
  );
}

/** A question without the name of the course at its end: "a factor in R" is a factor in a course that is called "Programming with R". */
function withoutCourseName(text: string, courses: readonly ReadonlySet<string>[]): string {
  const [, before = text, name = "", after = ""] = /^(.+) (?:in|into|with|using|from) ([\p{L}\p{N}+#-]+)([\s?.!]*)$/u.exec(text) ?? [];
  const named = terms(name);
  const isCourse = named.length > 0 && courses.some((title) => named.every((term) => title.has(term)));
  return isCourse && terms(before).some((term) => weightOf(term) >= 1) ? before + after : text;
}

/** @param earlier the learner's questions before, oldest first. */
export function understand(text: string, earlier: readonly string[] = []): Question {
  const said = text.replace(/\s+/g, " ").trim();
  const asked = said.replace(politeness, "");
  const previous = earlier.at(-1);
  const every = terms(withoutScaffolding(said));
  const isVague = previous !== undefined && every.every((term) => weightOf(term) < 1 || wordsOfVague.has(term));
  const own = isVague ? [] : every;
  const strong = own.filter((term) => weightOf(term) >= 1);
  const section = /\bcourse say about [“"'](.+?)[”"']/i.exec(said)?.[1] ?? null;
  const form = (isVague && vague.find(([, pattern]) => pattern.test(said))) || forms.find(([, pattern]) => pattern.test(asked));
  const kind: QuestionKind = section ? "section" : (form?.[0] ?? "other");
  const more = wantsMore.test(said);
  const leans = previous !== undefined && !section && (more || strong.length === 0 || (strong.length <= 3 && leaning.test(said)));

  const weights = new Map<string, number>();
  for (const term of own) weights.set(term, weightOf(term));
  let focus = focusOf(said);
  let resolved = kind;
  const names = namesIn(said);
  if (leans && previous !== undefined) {
    const before = understand(previous, earlier.slice(0, -1));
    for (const [term, weight] of before.terms) if (!weights.has(term)) weights.set(term, weight * (strong.length ? 0.6 : 1));
    if (!focus.length || !strong.length) focus = before.focus;
    if (isVague) for (const name of before.names) names.add(name);
    if (more || kind === "other") resolved = kind === "other" && !more ? "other" : before.kind;
  }
  return {
    said,
    kind: resolved,
    terms: weights,
    focus,
    sides: kind === "compare" ? sidesOf(said) : [],
    section,
    names,
    leans,
    isVague,
    more,
  };
}

/** A question without the words of its form that are words of courses too: "How does X work?" asks about X. */
function withoutScaffolding(said: string): string {
  return said
    .replace(/^(.*\bhow (?:does|do|is|are)\b.*?)\bwork(?:s|ing)?\b([?.! ]*)$/i, "$1$2")
    .replace(/\b(?:more simply|(?:in|with) (?:simple|simpler|other|plain|easy|easier|your own) (?:words|terms|english))\b/gi, "")
    .replace(/\bthe same (?:thing )?as\b|\bhow (?:many|much|often|long)\b/gi, "as")
    .replace(/\b(?:formulas?|equations?|code|snippets?) (?:for|of|behind|that|to)\b/gi, "of")
    .replace(/\b(?:types|kinds|names|parts|list) of\b/gi, "of")
    .replace(/\bwhat(?:'s| is| are) the (?:names?|types?|points?) of\b/gi, "what is");
}

/** The thing asked about: what follows "what is", "define", "meaning of", "how do I". */
function focusOf(said: string): string[] {
  const patterns = [
    /\b(?:meaning|definition|purpose|role|point|use) of (.+)/i,
    /\bmeans? (?:for|if|that|when) (?:.+ (?:to be|is|are) )?(.+?)[?.!]*$/i,
    /\bwhat (?:do|does) (?:the |an? )?(.+?)(?: (?:command|tactic|option|flag|keyword|operator|function|wildcard))? (?:mean|stand for|do|say|represent)\b/i,
    /\bwhat(?:'s| is| are| was| were) (?:meant by )?(.+?)(?: (?:used )?for| called)?[?.!]*$/i,
    /\b(?:define|describe|explain(?: what)?(?: is)?|tell me about) (.+)/i,
    /\bexamples? of (.+)/i,
    /\bhow (?:is|are|was|were) (.+?) (?:defined|declared|written|made|represented|built|constructed|computed)\b/i,
    /\bhow (?:do|does|can|should|could|would|to|might)(?: (?:i|you|we|one))? (.+)/i,
    /\bwhy (?:do|does|is|are|can|should|would|did|must)(?: (?:i|you|we|one))? (.+)/i,
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(said)?.[1];
    if (found) return terms(withoutScaffolding(`how does ${found}`)).filter((term) => weightOf(term) >= 1);
  }
  return [];
}

const adjective = /^(?:an? |the )?\w+(?:ive|al|ic|ed|ous|ary|ant|ent|ute|ular)$/i;

function sidesOf(said: string): string[][] {
  const patterns = [
    /\bbetween (.+?) and (.+?)[?.!]*$/i,
    /(?:\bis |\bare |\bdoes |\bdo |^)(.+?) (?:the same (?:thing )?(?:as|like)) (.+?)[?.!]*$/i,
    /(?:\bis |\bare |^)(.+?) and (.+?) (?:really |actually |always )?the same\b/i,
    /[,:] (.+?) or (.+?)[?.!]*$/i,
    /\b(?:compare|distinguish|contrast) (.+?) (?:and|with|to|from|against) (.+?)[?.!]*$/i,
    /(?:\bis |\bare |\bdoes |\bdo |^)(.+?) (?:vs\.?|versus|differs? from|different (?:from|to|than)|better than|instead of|rather than) (.+?)[?.!]*$/i,
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(said);
    if (!found) continue;
    const [left = [], right = []] = [found[1] ?? "", found[2] ?? ""].map((side) => terms(side).filter((term) => weightOf(term) >= 1));
    // "a relative and an absolute path": the noun stands behind the second alone.
    const noun = right.at(-1);
    if (adjective.test(found[1] ?? "") && left.length === 1 && right.length > 1 && noun) left.push(noun);
    if (left.length && right.length) return [left, right];
  }
  return [];
}

/** Words with a capital that is not a sentence's first, and numbers of four digits: the course must know them. */
function namesIn(said: string): Set<string> {
  const names = new Set<string>();
  for (const match of said.matchAll(/(?<=[\p{L}\p{N},"'“(]\s+["'“(]?)\p{Lu}[\p{L}\p{N}]+|\b\d{4}\b/gu))
    for (const term of terms(match[0])) names.add(term);
  return names;
}
