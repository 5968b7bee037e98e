import { reviewProblems } from "@colloquy/schemas/explainers/review.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { GeneratedReview } from "@colloquy/schemas/generation/storyboard.ts";
import { z } from "zod";
import { diagramsIn } from "../film/diagrams.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { sentencesOf } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";

const proposedScene = z.object({
  layout: z.string(),
  shows: z.looseObject({ heading: z.string().optional(), question: z.string().optional(), choices: z.array(z.string()).optional() }),
  narration: z.string(),
  passages: z.array(z.string()),
  quotes: z.array(z.object({ passage: z.string(), quote: z.string() })),
  /** What was accepted of it before an edit: its number then, and what it said and showed where that changed. */
  accepted: z.object({ scene: z.int().min(1), narration: z.string().optional(), shows: z.looseObject({}).optional() }).optional(),
});
type ProposedScene = z.infer<typeof proposedScene>;
const saysTheSame = ({ accepted }: ProposedScene): boolean => accepted !== undefined && accepted.narration === undefined;
const showsTheSame = ({ accepted }: ProposedScene): boolean => accepted !== undefined && accepted.shows === undefined;
const proposal = z.object({
  title: z.string(),
  scenes: z.array(proposedScene).min(1),
  key: z.object({ right: z.int().min(1), explanation: z.string() }).nullable(),
});

/** What the application found by comparing words. */
const warned = z.array(
  z.object({
    scene: z.int().min(0),
    kind: z.string(),
    problem: z.enum(reviewProblems),
    detail: z.string().min(1).max(filmBounds.findingLength),
  }),
);

type Finding = GeneratedReview["findings"][number];
type Found = Omit<Finding, "scene">;

/** A question over a title. */
const isShortQuestion = (text: string): boolean => /^(?:[\p{L}'’-]+\s+){0,3}[\p{L}'’-]+\?$/u.test(text);

const isQuestionTitle = ({ layout, narration }: ProposedScene): boolean => layout === "title" && isShortQuestion(narration);

/** How much of what is said and shown has to stand in the passages a scene names. */
const carried = { said: 0.6, shown: 0.5 };
/** Longer, and nobody follows a sentence that is gone when it was said. */
const longestSentence = 34;

/** Looks at a storyboard by rule: what stands in the passages, what points nowhere, what comes before what it needs. */
export function makeReview(prompt: Prompt): GeneratedReview {
  const parsed = proposal.safeParse(taggedJson(prompt, "proposal"));
  if (!parsed.success)
    return { approved: false, pictures: [], findings: [{ scene: 0, problem: "unclear", detail: "The proposal is not a storyboard." }] };
  const { scenes, key } = parsed.data;
  // A diagram says what stands in its boxes, too.
  const diagrams = diagramsIn(prompt);
  const withDiagram = (passage: Passage): Passage => ({ ...passage, text: [passage.text, diagrams.get(passage.id) ?? ""].join("\n") });
  const byId = new Map(prompt.passages.map((passage) => [passage.id, withDiagram(passage)]));
  const warnings = warned.safeParse(taggedJson(prompt, "warnings"));
  const findings = [
    // This reviewer goes by words, too: it believes every warning but those that may stand beside the truth.
    ...(warnings.success ? warnings.data : []).flatMap(({ kind, ...found }): Finding[] =>
      ["reworded", "scattered", "goes-on"].includes(kind) ? [] : [found],
    ),
    ...scenes.flatMap((scene, index) =>
      [...sourced(scene, byId), ...told(scene, scenes[index - 1]), ...(scene.layout === "question" ? asked(scene, key, byId) : [])].map(
        (found) => ({
          ...found,
          scene: index + 1,
        }),
      ),
    ),
    ...ordered(scenes, prompt.passages),
    ...repeated(scenes),
  ].slice(0, 12);
  const pictures = scenes.map((scene, index) => ({ scene: index + 1, ...pictureOf(scene) }));
  return { approved: findings.length === 0 && pictures.every(({ showsWhatIsSaid }) => showsWhatIsSaid), pictures, findings };
}

/** A list shows what is said when it shares a word with the narration; a reviewer that goes by words can tell no more. */
function pictureOf(scene: ProposedScene): Omit<GeneratedReview["pictures"][number], "scene"> {
  const { layout, shows, narration } = scene;
  const shown = new Set(terms(textsIn(shows).join(" ")));
  const said = terms(narration);
  const isAccepted = saysTheSame(scene) && showsTheSame(scene);
  const showsWhatIsSaid = isAccepted || !["points", "recap"].includes(layout) || said.some((term) => shown.has(term));
  return {
    showsWhatIsSaid,
    detail: showsWhatIsSaid ? "" : `The list has none of the words that are said: “${narration.slice(0, 120)}”`,
  };
}

/** Faithfulness: passages that are there, quotes that stand in them, and no word or number that they do not have. */
function sourced(scene: ProposedScene, byId: ReadonlyMap<string, Passage>): Found[] {
  const found: Found[] = [];
  const missing = scene.passages.filter((id) => !byId.has(id));
  if (missing.length > 0) return [{ problem: "unsupported", detail: `${missing.join(", ")} is not among the passages.` }];
  for (const { passage, quote } of scene.quotes)
    if (!folded(byId.get(passage)?.text ?? "").includes(folded(quote)))
      found.push({ problem: "misquoted", detail: `“${quote.slice(0, 200)}” does not stand in ${passage}.` });
  // What only asks claims nothing.
  if (scene.layout === "question" || isQuestionTitle(scene)) return found;
  const texts = scene.passages
    .map((id) => byId.get(id))
    .flatMap((passage) => (passage ? [passage.title, ...passage.trail, passage.text] : []));
  // What was accepted in these sources' name is as good as they are.
  const { accepted, shows } = scene;
  if (accepted) texts.push(accepted.narration ?? scene.narration, ...textsIn({ ...shows, ...accepted.shows }));
  const held = new Set(terms(texts.join(" ")));
  const share = (text: string): number => {
    const own = [...new Set(terms(text))];
    return own.length === 0 ? 1 : own.filter((term) => held.has(term)).length / own.length;
  };
  if (!saysTheSame(scene) && share(scene.narration) < carried.said)
    found.push({ problem: "unsupported", detail: "The narration says more than its passages do." });
  const labels = newTexts(scene).join(" ");
  if (scene.layout !== "title" && share(labels) < carried.shown)
    found.push({ problem: "unsupported", detail: "The screen shows more than its passages say." });
  const numbers = new Set(texts.join(" ").match(/\d+/g) ?? []);
  const foreign = scene.narration.match(/(?<![\p{L}\d])\d{2,}/gu)?.find((number) => !numbers.has(number));
  if (foreign) found.push({ problem: "unsupported", detail: `The number ${foreign} is in none of its passages.` });
  return found;
}

/** Clarity and level: sentences that are whole, not too long, and point at nothing that is not there. */
function told(scene: ProposedScene, previous: ProposedScene | undefined): Found[] {
  const { narration, accepted } = scene;
  const follows = accepted !== undefined && accepted.scene - 1 === (previous ? previous.accepted?.scene : 0);
  if (follows && saysTheSame(scene)) return [];
  const found: Found[] = [];
  if (hanging.test(narration) && !(follows && hanging.test(accepted.narration ?? "")))
    found.push({ problem: "unclear", detail: "The narration begins with something that hangs on what was said before." });
  if (/\b(?:above|below|previous (?:section|chapter|lesson)|next (?:section|chapter|lesson)|last chapter|as we saw)\b/i.test(narration))
    found.push({ problem: "unclear", detail: "The narration points at another place of the text." });
  const long = sentencesOf(narration).find((sentence) => wordsOf(sentence) > longestSentence);
  if (long) found.push({ problem: "level", detail: `A sentence of ${wordsOf(long)} words cannot be followed when it is only heard once.` });
  return found;
}

const hanging = /^(?:it(?!(?:'s| is) an? )|its|they|their|this|these|such|he|she|so|therefore|but|and)\b/i;

/** The question: answerable from what it stands on, and not given away. */
function asked(scene: ProposedScene, key: z.infer<typeof proposal>["key"], byId: ReadonlyMap<string, Passage>): Found[] {
  const { shows, narration, passages } = scene;
  const choices = shows.choices ?? [];
  if (!key || (saysTheSame(scene) && showsTheSame(scene))) return [];
  const right = choices[key.right - 1];
  if (right === undefined) return [{ problem: "unclear", detail: "None of the choices is the right one." }];
  const found: Found[] = [];
  const held = new Set(terms(passages.map((id) => byId.get(id)?.text ?? "").join(" ")));
  const own = terms(right);
  if (!showsTheSame(scene) && own.length > 0 && own.filter((term) => held.has(term)).length / own.length < carried.shown)
    found.push({ problem: "unsupported", detail: "The right choice does not follow from the passage it stands on." });
  if (own.length > 1 && overlap(own, terms(narration)) > 0.9)
    found.push({ problem: "unclear", detail: "The narration gives the answer away." });
  return found;
}

/** Order and prerequisites: what a heading names is not used before that scene, where the course says it the other way round. */
function ordered(scenes: readonly ProposedScene[], passages: readonly Passage[]): Finding[] {
  const place = ({ passages: ids }: ProposedScene): number =>
    Math.min(...ids.map((id) => passages.findIndex((passage) => passage.id === id)));
  return scenes.flatMap((scene, index): Finding[] => {
    if (index === 0 || scene.layout === "question" || scene.layout === "recap") return [];
    const needed = scenes.slice(index + 1, -1).find((later) => {
      const named = terms(later.shows.heading ?? "");
      const uses = named.length > 0 && named.every((term) => terms(scene.narration).includes(term));
      const stood = saysTheSame(scene) && later.accepted !== undefined && (scene.accepted?.scene ?? 0) < later.accepted.scene;
      return uses && !stood && later.layout !== "recap" && place(later) < place(scene);
    });
    return needed
      ? [{ scene: index + 1, problem: "prerequisite", detail: `It needs “${needed.shows.heading}”, which is only said later.` }]
      : [];
  });
}

function repeated(scenes: readonly ProposedScene[]): Finding[] {
  return scenes.flatMap((scene, index): Finding[] => {
    // A title that asks is answered later in its own words.
    const repeats = (other: ProposedScene): boolean =>
      !isQuestionTitle(other) &&
      !(saysTheSame(scene) && saysTheSame(other)) &&
      overlap(terms(other.narration), terms(scene.narration)) > 0.85;
    const earlier = scenes.slice(0, index).findIndex(repeats);
    return earlier < 0 || scene.layout === "question"
      ? []
      : [{ scene: index + 1, problem: "redundant", detail: `It says what scene ${earlier + 1} says.` }];
  });
}

/** Words on screen that were not accepted before. */
function newTexts({ shows, accepted }: ProposedScene): string[] {
  if (!accepted) return textsIn(shows);
  const before = accepted.shows ?? {};
  const old = new Set(textsIn(before));
  return textsIn(Object.fromEntries(Object.entries(shows).filter(([key]) => key in before))).filter((text) => !old.has(text));
}

/** Words on screen; of code, formulas and functions only what is written about them. */
function textsIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return /^(?:heading|title|label|points|subtitle)$/.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, key));
}

const folded = (text: string): string => text.replace(/\s+/g, " ").trim();
