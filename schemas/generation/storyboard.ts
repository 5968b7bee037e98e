import { z } from "zod";
import { bounds } from "../bounds.ts";
import { reviewProblems } from "../explainers/review.ts";
import { type SceneLayout, sceneLayouts } from "../explainers/storyboard.ts";
import type { Timed } from "../explainers/timing.ts";
import { filmBounds } from "../film-bounds.ts";
import { optionalText, passageId, shortText } from "./passages.ts";

const limits = filmBounds;
const heading = z.string().max(limits.headingLength);
const label = z.string().max(limits.labelLength);
const list = (most: number) => z.array(z.string().trim().min(1).max(limits.labelLength)).max(most);
const side = z.strictObject({ title: heading, points: list(limits.sidePoints) });

/** What only boards written by hand have: a model would have to compute what it draws, and does not see figures. */
const byHand = ["build", "plane", "number-line", "derive", "timeline", "forgetting", "figure"] as const satisfies readonly SceneLayout[];
type Generated = Exclude<SceneLayout, (typeof byHand)[number]>;
const generatedLayouts = sceneLayouts.filter((layout): layout is Generated => !byHand.some((one) => one === layout));

/**
 * One scene as a model fills it: fields that its layout does not use are empty (no text, no entries, 0). How long it takes is nobody's
 * to say: it follows from the words.
 */
export const generatedScene = z.strictObject({
  layout: z.enum(generatedLayouts as [Generated, ...Generated[]]),
  /** Of every layout but question. */
  heading,
  /** title */
  subtitle: label,
  /** points, recap */
  points: list(limits.points),
  /** formula: side by side; each is whole TeX by itself. */
  terms: z.array(z.strictObject({ tex: z.string().trim().min(1).max(limits.texLength), label })).max(limits.terms),
  /** diagram */
  diagram: z.enum(["none", "flow", "tree", "state", "sequence"]),
  nodes: z
    .array(z.strictObject({ key: z.string().min(1).max(16), label: z.string().trim().min(1).max(limits.labelLength) }))
    .max(limits.nodes),
  edges: z.array(z.strictObject({ from: z.string().max(16), to: z.string().max(16), label })).max(limits.edges),
  /** code, trace; lines of steps are counted from 1, both included. */
  language: z.string().max(20),
  code: z.string().max(limits.codeLength),
  steps: z.array(z.strictObject({ from: z.int().min(1).max(99), to: z.int().min(1).max(99), label })).max(limits.steps),
  /** trace: what the first command of a pipeline prints, and what all of the code prints, as the passages have it. */
  start: z.string().max(limits.codeLength),
  printed: z.string().max(limits.codeLength),
  /** table: rows of a table of a passage, in its order; columns are counted from 0, -1 is none. */
  table: z.strictObject({
    columns: z.array(z.string().trim().min(1).max(limits.labelLength)).max(limits.table.columns),
    rows: z.array(z.array(label).max(limits.table.columns)).max(limits.table.rows),
    sortBy: z
      .int()
      .min(-1)
      .max(limits.table.columns - 1),
    descending: z.boolean(),
    bars: z
      .int()
      .min(-1)
      .max(limits.table.columns - 1),
  }),
  /** compare */
  left: side,
  right: side,
  /** plot: functions of x. */
  plot: z.strictObject({
    xLabel: label,
    yLabel: label,
    from: z.number(),
    to: z.number(),
    functions: z.array(z.strictObject({ expression: z.string().trim().min(1).max(limits.expressionLength), label })).max(limits.functions),
    marks: z.array(z.strictObject({ x: z.number(), label: z.string().trim().min(1).max(limits.labelLength) })).max(limits.marks),
  }),
  /** question: one of the choices is correct, and the explanation says why. */
  question: z.string().max(limits.questionLength),
  choices: z.array(z.strictObject({ text: z.string().trim().min(1).max(limits.choiceLength), correct: z.boolean() })).max(limits.choices),
  explanation: optionalText,
  narration: z.string().trim().min(1).max(limits.narrationLength),
  passages: z.array(passageId).min(1).max(limits.sourcesPerScene),
  /** Verbatim words of the passage. */
  quotes: z
    .array(z.strictObject({ passage: passageId, quote: z.string().trim().min(1).max(bounds.citation.quoteLength) }))
    .min(1)
    .max(limits.quotesPerScene),
});
export type GeneratedScene = z.infer<typeof generatedScene>;

/**
 * `storyboard`: a title, four to seven scenes, a closing question; or `refusal` says why the passages give no video, without
 * scenes. The application checks the storyboard; its findings go back to the model.
 */
export const generatedStoryboard = z.strictObject({
  title: shortText.max(limits.headingLength),
  refusal: optionalText,
  scenes: z.array(generatedScene).max(limits.scenes.max),
});
export type GeneratedStoryboard = z.infer<typeof generatedStoryboard>;

/** `review`: a comparison of a storyboard with its passages. `scene` counts from 1; 0 means the whole. */
export const generatedReview = z.strictObject({
  approved: z.boolean(),
  findings: z
    .array(
      z.strictObject({
        scene: z.int().min(0).max(filmBounds.scenes.max),
        problem: z.enum(reviewProblems),
        detail: z.string().trim().min(1).max(filmBounds.findingLength),
      }),
    )
    .max(12),
});
export type GeneratedReview = z.infer<typeof generatedReview>;

/** The layout, narration and content of a generated scene: the fields that its layout uses, not validated. Pure. */
export const sceneContent = (one: GeneratedScene): Timed =>
  ({ layout: one.layout, narration: one.narration, content: contentOf(one) }) as Timed;

const codeOf = (text: string): string => text.replaceAll("\r", "").replace(/^\n+|\s+$/g, "");

function contentOf(one: GeneratedScene): object {
  const { heading } = one;
  switch (one.layout) {
    case "title":
      return { heading, subtitle: one.subtitle };
    case "points":
    case "recap":
      return { heading, points: one.points };
    case "formula":
      return { heading, terms: one.terms };
    case "diagram":
      return { heading, kind: one.diagram, nodes: one.nodes, edges: one.edges };
    case "code":
      return {
        heading,
        language: one.language.toLowerCase(),
        code: codeOf(one.code),
        steps: one.steps,
      };
    case "table":
      return { heading, ...one.table };
    case "trace":
      return { heading, code: codeOf(one.code), start: codeOf(one.start), printed: codeOf(one.printed) };
    case "compare":
      return { heading, left: one.left, right: one.right };
    case "plot": {
      const { xLabel, yLabel, from, to, functions, marks } = one.plot;
      return { heading, x: { label: xLabel, from, to }, yLabel, functions, marks };
    }
    case "question":
      return { question: one.question, choices: one.choices.map(({ text }) => text) };
  }
}
