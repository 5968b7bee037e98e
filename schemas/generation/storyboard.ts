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

/** What only boards written by hand have: its model of memory is one of many. */
const byHand = "forgetting" satisfies SceneLayout;
type Generated = Exclude<SceneLayout, typeof byHand>;
const generatedLayouts = sceneLayouts.filter((layout): layout is Generated => layout !== byHand);

/** Words of the narration with which something comes; empty: it is there from the start. */
const cue = z.string().max(limits.cueLength);
/** The name of a vector or a map. */
const name = z.string().max(2);
const expression = z.string().max(limits.expressionLength);
const { plane, line, timeline, figure } = limits;
const comparable = z
  .int()
  .min(0)
  .max(limits.table.rows - 1);

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
  /** diagram, build; cues, the quotes of arrows and the boxes that are seen from near only of build. */
  diagram: z.enum(["none", "flow", "tree", "state", "sequence"]),
  nodes: z
    .array(z.strictObject({ key: z.string().min(1).max(16), label: z.string().trim().min(1).max(limits.labelLength), cue }))
    .max(limits.nodes),
  edges: z
    .array(
      z.strictObject({
        from: z.string().max(16),
        to: z.string().max(16),
        label,
        cue,
        quote: z.string().max(bounds.citation.quoteLength),
      }),
    )
    .max(limits.edges),
  focus: z.array(z.strictObject({ on: z.array(z.string().max(16)).max(limits.nodes), cue })).max(plane.vectors + plane.maps),
  /** derive */
  derivation: z
    .array(z.strictObject({ tex: z.string().trim().min(1).max(limits.texLength), reason: label, cue }))
    .max(limits.derivation.max),
  /** plane: matrices (a b; c d), corners as x, y, x, y and so on; `along`: vectors whose lines are drawn. */
  plane: z.strictObject({
    centerX: z.number(),
    centerY: z.number(),
    extent: z.number(),
    maps: z.array(z.strictObject({ name, a: z.number(), b: z.number(), c: z.number(), d: z.number(), cue })).max(plane.maps),
    vectors: z.array(z.strictObject({ name, x: z.number(), y: z.number(), cue })).max(plane.vectors),
    lines: z.array(z.strictObject({ along: name, cue })).max(plane.vectors),
    points: z.array(z.strictObject({ x: z.number(), y: z.number(), cue })).max(plane.points),
    polygons: z
      .array(z.strictObject({ corners: z.array(z.number()).max(plane.corners * 2), measured: z.boolean(), cue }))
      .max(plane.polygons),
    curves: z
      .array(
        z.strictObject({
          expression,
          cue,
          residuals: z.enum(["none", "lines", "squares"]),
          residualsCue: cue,
          becomes: expression,
          becomesCue: cue,
        }),
      )
      .max(plane.curves),
    /** `curve`: counted from 0. Without `toCue` a tangent does not travel. */
    tangents: z
      .array(
        z.strictObject({
          curve: z
            .int()
            .min(0)
            .max(plane.curves - 1),
          at: z.number(),
          cue,
          to: z.number(),
          toCue: cue,
        }),
      )
      .max(plane.tangents),
    /** A letter of the curves; without a name none moves. */
    parameter: z.strictObject({ name: z.string().max(1), from: z.number(), to: z.number(), cue }),
  }),
  /** number-line; a radius of 0 is no zoom. */
  line: z.strictObject({
    from: z.number(),
    to: z.number(),
    intervals: z.array(z.strictObject({ inequality: expression, cue, endsCue: cue })).max(line.intervals),
    jumps: z.array(z.strictObject({ sum: expression, cues: z.array(cue).max(line.jumps + 1) })).max(line.sums),
    sequences: z
      .array(
        z.strictObject({
          expression,
          terms: z.int().min(line.terms.min).max(line.terms.max),
          cue,
          limit: expression,
          limitCue: cue,
        }),
      )
      .max(line.sequences),
    zoomRadius: z.number(),
    zoomCue: cue,
  }),
  /** timeline: marks name their lane and their kind, both counted from 0. */
  timeline: z.strictObject({
    unit: label,
    until: z.number(),
    kinds: z.array(label).max(timeline.kinds),
    lanes: z.array(z.strictObject({ label, gaps: z.boolean() })).max(timeline.lanes),
    marks: z
      .array(
        z.strictObject({
          lane: z
            .int()
            .min(0)
            .max(timeline.lanes - 1),
          at: z.number(),
          kind: z.int().min(0).max(timeline.kinds),
          cue,
        }),
      )
      .max(timeline.lanes * timeline.marks),
  }),
  /** figure: a passage with a picture. Zooms and call-outs name parts of it; without parts a zoom shows the whole. */
  figure: z.strictObject({
    passage: z.string().max(8),
    drawnCue: cue,
    zooms: z.array(z.strictObject({ parts: z.array(label).max(figure.callouts), cue })).max(figure.zooms),
    callouts: z.array(z.strictObject({ part: label, label, cue })).max(figure.callouts),
  }),
  /** code, trace; lines of steps are counted from 1, both included. */
  language: z.string().max(20),
  code: z.string().max(limits.codeLength),
  steps: z.array(z.strictObject({ from: z.int().min(1).max(99), to: z.int().min(1).max(99), label })).max(limits.steps),
  /** trace: what the first command of a pipeline prints, and what all of the code prints, as the passages have it; “…” stands for lines left out. */
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
    compared: z.strictObject({ of: z.enum(["none", "rows", "columns"]), first: comparable, second: comparable, cue }),
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
  /** For each scene. `detail`: what is shown and what is said, where they differ; else empty. */
  pictures: z
    .array(
      z.strictObject({
        scene: z.int().min(1).max(filmBounds.scenes.max),
        showsWhatIsSaid: z.boolean(),
        detail: z.string().max(filmBounds.findingLength),
      }),
    )
    .max(filmBounds.scenes.max),
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
      return {
        heading,
        kind: one.diagram,
        nodes: one.nodes.map(({ key, label }) => ({ key, label })),
        edges: one.edges.map(({ from, to, label }) => ({ from, to, label })),
      };
    case "build":
      return { heading, kind: one.diagram, nodes: one.nodes, edges: one.edges, focus: one.focus };
    case "derive":
      return { heading, steps: one.derivation };
    case "plane":
      return { heading, ...planeOf(one) };
    case "number-line": {
      const { zoomRadius, zoomCue, ...line } = one.line;
      return { heading, ...line, zoom: zoomRadius === 0 ? null : { radius: zoomRadius, cue: zoomCue } };
    }
    case "timeline": {
      const { unit, until, kinds, lanes, marks } = one.timeline;
      const marksOf = (lane: number) => marks.flatMap(({ lane: own, ...mark }) => (own === lane ? mark : []));
      return { heading, unit, until, kinds, lanes: lanes.map((lane, index) => ({ ...lane, marks: marksOf(index) })) };
    }
    case "figure":
      // Its picture, and where the parts are, only the application knows.
      return { heading, parts: [], zooms: [], callouts: one.figure.callouts.map(({ label, cue }) => ({ label, cue })) };
    case "code":
      return {
        heading,
        language: one.language.toLowerCase(),
        code: codeOf(one.code),
        steps: one.steps,
      };
    case "table": {
      const { compared, ...table } = one.table;
      return { heading, ...table, ...(compared.of !== "none" && { compared }) };
    }
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

function planeOf({ plane: { centerX, centerY, parameter, tangents, ...plane }, focus }: GeneratedScene): object {
  const pairs = (numbers: readonly number[]) =>
    Array.from({ length: Math.ceil(numbers.length / 2) }, (_, index) => ({ x: numbers[index * 2], y: numbers[index * 2 + 1] }));
  return {
    ...plane,
    centre: { x: centerX, y: centerY },
    vectors: plane.vectors.map(({ name, x, y, cue }) => ({ name, to: { x, y }, cue })),
    points: plane.points.map(({ x, y, cue }) => ({ at: { x, y }, cue })),
    polygons: plane.polygons.map(({ corners, ...polygon }) => ({ ...polygon, corners: pairs(corners) })),
    curves: plane.curves.map(({ becomes, becomesCue, ...curve }) => ({
      ...curve,
      becomes: becomes === "" ? null : { expression: becomes, cue: becomesCue },
    })),
    ...(tangents.length > 0 && {
      tangents: tangents.map(({ to, toCue, ...tangent }) => ({ ...tangent, to: toCue === "" ? null : { at: to, cue: toCue } })),
    }),
    ...(parameter.name !== "" && { parameter }),
    focus: focus.flatMap(({ on, cue }) => on.map((one) => ({ on: one, cue }))),
  };
}

/** A scene of which every field that no layout needs is empty: for what fills only those of its own. */
export const emptyScene: Omit<GeneratedScene, "layout" | "heading" | "narration" | "passages" | "quotes"> = {
  subtitle: "",
  points: [],
  terms: [],
  diagram: "none",
  nodes: [],
  edges: [],
  focus: [],
  derivation: [],
  language: "",
  code: "",
  steps: [],
  start: "",
  printed: "",
  table: {
    columns: [],
    rows: [],
    sortBy: -1,
    descending: false,
    bars: -1,
    compared: { of: "none", first: 0, second: 0, cue: "" },
  },
  plane: {
    centerX: 0,
    centerY: 0,
    extent: 0,
    maps: [],
    vectors: [],
    lines: [],
    points: [],
    polygons: [],
    curves: [],
    tangents: [],
    parameter: { name: "", from: 0, to: 0, cue: "" },
  },
  line: { from: 0, to: 0, intervals: [], jumps: [], sequences: [], zoomRadius: 0, zoomCue: "" },
  timeline: { unit: "", until: 0, kinds: [], lanes: [], marks: [] },
  figure: { passage: "", drawnCue: "", zooms: [], callouts: [] },
  left: { title: "", points: [] },
  right: { title: "", points: [] },
  plot: { xLabel: "", yLabel: "", from: 0, to: 0, functions: [], marks: [] },
  question: "",
  choices: [],
  explanation: "",
};
