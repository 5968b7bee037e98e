import { z } from "zod";
import { bounds } from "../bounds.ts";
import { filmBounds } from "../film-bounds.ts";
import { id } from "../payload.ts";
import { citation } from "../sources/citations.ts";

/** What a film is to bring about. */
export const emphases = ["intuition", "worked-example", "common-mistakes", "exam-recap"] as const;
export const emphasis = z.enum(emphases);
export type Emphasis = z.infer<typeof emphasis>;

const limits = filmBounds;
/** Words on screen: a label, never the narration. */
const label = z.string().trim().min(1).max(limits.labelLength);
const heading = z.string().trim().min(1).max(limits.headingLength);
const maybe = z.string().trim().max(limits.labelLength);
const tex = z.string().trim().min(1).max(limits.texLength);
const points = z.array(label).min(1).max(limits.points);
const side = z.strictObject({ title: heading, points: z.array(label).min(1).max(limits.sidePoints) });
const key = z.string().regex(/^[a-z][a-z0-9]{0,15}$/, "expected a key such as a or node2");

/** A box of a diagram, or who takes part in a sequence. */
const node = z.strictObject({ key, label });
/** From one box to another; in a sequence a message, in order. */
const edge = z.strictObject({ from: key, to: key, label: maybe });

/** Words of the narration at which something appears; empty: it is there from the start. */
const cue = z.string().trim().max(limits.cueLength);
const spoken = cue.min(1);
const column = z
  .int()
  .min(-1)
  .max(limits.table.columns - 1);
const comparable = z
  .int()
  .min(0)
  .max(limits.table.rows - 1);
const { plane, timeline, line, figure } = limits;
const coordinate = z.number().min(-plane.coordinate).max(plane.coordinate);
const place = z.strictObject({ x: coordinate, y: coordinate });
const onLine = z.number().min(-line.coordinate).max(line.coordinate);
const expression = z.string().trim().min(1).max(limits.expressionLength);
/** A place whose coordinates may be expressions of the plane's parameter. */
const movingPlace = z.strictObject({ x: z.union([coordinate, expression]), y: z.union([coordinate, expression]) });
/** A share of a picture's width or height. */
const share = z.number().min(0).max(1);
const region = z.strictObject({ x: share, y: share, width: share.min(figure.side), height: share.min(figure.side) });
/** Where the number of a call-out stands beside its point, so that it covers nothing that matters. */
export const pinSides = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;
const pinSide = z.enum(pinSides);

/** A figure of the course, as the application found it: its block's source, its file and what the file says of itself. */
export const picture = z.strictObject({
  sourceId: id,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256 in lowercase hexadecimal digits"),
  type: z.enum(["image/svg+xml", "image/png", "image/jpeg"]),
  /** In CSS pixels; of PNG and JPEG the pixels they have. */
  width: z.int().min(1).max(figure.pixels),
  height: z.int().min(1).max(figure.pixels),
  /** Its alternative text. */
  alt: z.string().max(figure.altLength),
  /** Of an SVG: the height of its smallest letters in CSS pixels, 0 without text; and its letters beyond ASCII. */
  textSize: z.number().min(0),
  signs: z.string().max(figure.altLength),
});
export type Picture = z.infer<typeof picture>;
/** A letter, as a formula has it. */
const symbol = z.string().regex(/^[A-Za-z][0-9]?$/, "expected a letter such as v or e1");

/** What a scene shows, by its layout. Plain text but where a field says otherwise; nothing of it is ever markup, a path or a font. */
export const sceneContent = {
  title: z.strictObject({ heading, subtitle: maybe }),
  points: z.strictObject({ heading, points }),
  /** Built up term by term: `terms` stand side by side, each a piece of TeX that is whole by itself. */
  formula: z.strictObject({
    heading,
    terms: z
      .array(z.strictObject({ tex, label: maybe }))
      .min(1)
      .max(limits.terms),
  }),
  diagram: z.strictObject({
    heading,
    kind: z.enum(["flow", "tree", "state", "sequence"]),
    nodes: z.array(node).min(2).max(limits.nodes),
    edges: z.array(edge).min(1).max(limits.edges),
  }),
  /**
   * A diagram that grows, laid out as it is in the end. An arrow without a cue comes with the later of its boxes. `quote`: words that have
   * both ends of the arrow in its direction; empty where a diagram of the course has it. `focus`: boxes that are seen from near; none: all.
   */
  build: z.strictObject({
    heading,
    kind: z.enum(["flow", "tree", "state"]),
    nodes: z
      .array(z.strictObject({ ...node.shape, cue }))
      .min(2)
      .max(limits.nodes),
    edges: z
      .array(z.strictObject({ ...edge.shape, cue, quote: z.string().trim().max(bounds.citation.quoteLength) }))
      .min(1)
      .max(limits.edges),
    focus: z.array(z.strictObject({ on: z.array(key).max(limits.nodes), cue })).max(limits.focus),
  }),
  /** `steps`: lines highlighted one step after the other, counted from 1, both included. */
  code: z.strictObject({
    heading,
    language: z.string().regex(/^[a-z0-9+#-]{0,20}$/, "expected the name of a language, such as bash"),
    code: z.string().min(1).max(limits.codeLength),
    steps: z
      .array(z.strictObject({ from: z.int().min(1), to: z.int().min(1), label: maybe }))
      .min(1)
      .max(limits.steps),
  }),
  compare: z.strictObject({ heading, left: side, right: side }),
  /** `expression`: of `x`, such as `x^2 - 1` or `sin(x)`. `marks`: places on the x axis that are named. */
  plot: z.strictObject({
    heading,
    x: z.strictObject({ label: maybe, from: z.number(), to: z.number() }),
    yLabel: maybe,
    functions: z
      .array(z.strictObject({ expression: z.string().trim().min(1).max(limits.expressionLength), label: maybe }))
      .min(1)
      .max(limits.functions),
    marks: z.array(z.strictObject({ x: z.number(), label })).max(limits.marks),
  }),
  /**
   * A plane with a grid. Numbers, images, areas and slopes are computed from what is named here. `maps` move the grid with vectors, points
   * and polygons, one after the other; lines (along a vector) and curves stay. `residuals`: from each point to the curve.
   */
  plane: z.strictObject({
    heading,
    centre: place,
    extent: z.number().min(plane.extent.min).max(plane.extent.max),
    maps: z.array(z.strictObject({ name: symbol, a: coordinate, b: coordinate, c: coordinate, d: coordinate, cue })).max(plane.maps),
    vectors: z.array(z.strictObject({ name: symbol, to: movingPlace, cue })).max(plane.vectors),
    lines: z.array(z.strictObject({ along: symbol, cue })).max(plane.vectors),
    points: z.array(z.strictObject({ at: movingPlace, cue })).max(plane.points),
    polygons: z
      .array(z.strictObject({ corners: z.array(place).min(3).max(plane.corners), measured: z.boolean(), cue }))
      .max(plane.polygons),
    curves: z
      .array(
        z.strictObject({
          expression: z.string().trim().min(1).max(limits.expressionLength),
          cue,
          residuals: z.enum(["none", "lines", "squares"]),
          residualsCue: cue,
          /** What the curve moves to, with its residuals. */
          becomes: z.strictObject({ expression: z.string().trim().min(1).max(limits.expressionLength), cue }).nullable(),
        }),
      )
      .max(plane.curves),
    /** Lines that touch a curve, counted from 0, where `x` is `at`; they travel along it `to` another x. */
    tangents: z
      .array(
        z.strictObject({
          curve: z
            .int()
            .min(0)
            .max(plane.curves - 1),
          at: coordinate,
          cue,
          to: z.strictObject({ at: coordinate, cue: spoken }).nullable(),
        }),
      )
      .max(plane.tangents)
      .exactOptional(),
    /** A letter of expressions that moves from one number to another, and what depends on it with it. */
    parameter: z
      .strictObject({
        name: z.string().regex(/^[a-df-wz]$/, "expected a small letter, none of e, x and y"),
        from: coordinate,
        to: coordinate,
        cue: spoken,
      })
      .nullable()
      .exactOptional(),
    /** Things that attention is drawn to, by the name of a vector or a map. */
    focus: z.array(z.strictObject({ on: symbol, cue })).max(plane.vectors + plane.maps),
  }),
  /**
   * A line of numbers. Ends of intervals (of inequalities such as `|x - 2| < 3`), places that a sum leads through and terms of sequences
   * (expressions of `n`, from 1 on) are computed. `zoom`: so near to the limit of the only sequence the line is seen in the end.
   */
  "number-line": z.strictObject({
    heading,
    from: onLine,
    to: onLine,
    /** `endsCue`: attention is drawn to the ends; empty: it is not. */
    intervals: z.array(z.strictObject({ inequality: expression, cue, endsCue: cue })).max(line.intervals),
    /** `cues`: of its first number, and of each step. */
    jumps: z
      .array(
        z.strictObject({
          sum: expression,
          cues: z
            .array(cue)
            .min(2)
            .max(line.jumps + 1),
        }),
      )
      .max(line.sums),
    sequences: z
      .array(
        z.strictObject({
          expression,
          terms: z.int().min(line.terms.min).max(line.terms.max),
          cue,
          /** Written with numbers; empty: none is shown. */
          limit: z.string().trim().max(limits.expressionLength),
          limitCue: cue,
        }),
      )
      .max(line.sequences),
    zoom: z.strictObject({ radius: z.number().min(line.radius).max(line.coordinate), cue }).nullable(),
  }),
  /** Formulas that turn into each other; `reason`: why a step may be taken. Steps are computed with numbers or stand in the course. */
  derive: z.strictObject({
    heading,
    steps: z
      .array(z.strictObject({ tex, reason: maybe, cue }))
      .min(limits.derivation.min)
      .max(limits.derivation.max),
  }),
  /**
   * Marks on lines of time or order; `unit`: what the axis counts. `kind`: which of `kinds` a mark is, counted from 0. Gaps between marks
   * are computed.
   */
  timeline: z.strictObject({
    heading,
    unit: label,
    until: z.number().min(1).max(timeline.until),
    kinds: z.array(label).max(timeline.kinds),
    lanes: z
      .array(
        z.strictObject({
          label,
          gaps: z.boolean(),
          marks: z
            .array(z.strictObject({ at: z.number().min(0).max(timeline.until), kind: z.int().min(0).max(timeline.kinds), cue }))
            .min(1)
            .max(timeline.marks),
        }),
      )
      .min(1)
      .max(timeline.lanes),
  }),
  /**
   * A memory that fades as e^(-t/S): from `stability` S, which each recall multiplies by `growth`. A recall comes when the chance has
   * fallen to `target`; all days are computed.
   */
  forgetting: z.strictObject({
    heading,
    unit: label,
    until: z.number().min(1).max(timeline.until),
    stability: z.number().min(0.1).max(timeline.stability),
    growth: z.number().min(1).max(timeline.growth),
    target: z.number().min(0.2).max(0.98),
    cue,
    recalls: z.array(z.strictObject({ cue })).max(timeline.recalls),
    /** Times whose chance is shown. */
    marks: z.array(z.strictObject({ at: z.number().min(0).max(timeline.until), cue })).max(timeline.kinds),
  }),
  /**
   * Code of a shell that runs: a pipeline of one line, or a loop over written values. `start`: what the first command of a pipeline prints;
   * `printed`: what all of it prints; both as the course has it. Everything between is computed.
   */
  trace: z.strictObject({
    heading,
    code: z.string().min(1).max(limits.codeLength),
    start: z.string().max(limits.codeLength),
    printed: z.string().max(limits.codeLength),
  }),
  /**
   * Rows of a table of the course, in its order. `sortBy`, `bars`: a column counted from 0; -1 for none. Bars are computed. `compared`: two
   * rows or columns, counted from 0, that come beside each other; the cells in which they differ are marked.
   */
  table: z.strictObject({
    heading,
    columns: z.array(label).min(2).max(limits.table.columns),
    rows: z.array(z.array(maybe).min(2).max(limits.table.columns)).min(2).max(limits.table.rows),
    sortBy: column,
    descending: z.boolean(),
    bars: column,
    compared: z
      .strictObject({
        of: z.enum(["rows", "columns"]),
        first: comparable,
        second: comparable,
        cue: spoken,
      })
      .nullable()
      .exactOptional(),
  }),
  /**
   * A figure of the course. `parts`: covered until they are spoken of; `drawn`: line by line, of an SVG. `zooms`: what the camera goes to, one after the other. `callouts`: words
   * of the course on a point of the picture.
   */
  figure: z.strictObject({
    heading,
    picture,
    parts: z.array(z.strictObject({ region, drawn: z.boolean(), cue: spoken })).max(figure.parts),
    zooms: z.array(z.strictObject({ region, cue: spoken })).max(figure.zooms),
    callouts: z.array(z.strictObject({ at: z.strictObject({ x: share, y: share }), side: pinSide, label, cue })).max(figure.callouts),
  }),
  recap: z.strictObject({ heading, points }),
  /** The closing retrieval question. Which choice is right is not shown and not in here: see `questionKey`. */
  question: z.strictObject({
    question: z.string().trim().min(1).max(limits.questionLength),
    choices: z.array(z.string().trim().min(1).max(limits.choiceLength)).min(2).max(limits.choices),
  }),
} as const;

export const sceneLayouts = Object.keys(sceneContent) as (keyof typeof sceneContent)[];
export type SceneLayout = keyof typeof sceneContent;
export type SceneContent<Layout extends SceneLayout = SceneLayout> = z.infer<(typeof sceneContent)[Layout]>;

/** What is said in the scene, and captioned; never shown on screen as it is. */
export const narration = z.string().trim().min(1).max(limits.narrationLength);

const ofScene = {
  sceneId: id,
  /** From the words: `sceneSeconds` of timing.ts. */
  seconds: z.number().min(0).max(limits.seconds.max),
  narration,
  sourceIds: z.array(id).min(1).max(limits.sourcesPerScene),
  /** Words that stand in the source exactly so, but for white space. */
  quotes: z
    .array(z.strictObject({ sourceId: id, quote: z.string().trim().min(1).max(bounds.citation.quoteLength) }))
    .min(1)
    .max(limits.quotesPerScene),
};
const sceneOf = <Layout extends SceneLayout>(layout: Layout) =>
  z.strictObject({ ...ofScene, layout: z.literal(layout), content: sceneContent[layout] });

/** One scene: one idea. */
export const scene = z.discriminatedUnion("layout", [
  sceneOf("title"),
  sceneOf("points"),
  sceneOf("formula"),
  sceneOf("diagram"),
  sceneOf("build"),
  sceneOf("code"),
  sceneOf("compare"),
  sceneOf("plot"),
  sceneOf("plane"),
  sceneOf("number-line"),
  sceneOf("derive"),
  sceneOf("timeline"),
  sceneOf("forgetting"),
  sceneOf("trace"),
  sceneOf("table"),
  sceneOf("figure"),
  sceneOf("recap"),
  sceneOf("question"),
]);
export type Scene = z.infer<typeof scene>;
export type SceneOf<Layout extends SceneLayout> = Extract<Scene, { layout: Layout }>;

/** A storyboard: a title, four to seven scenes, a closing question; 30 to 60 seconds. */
export const storyboard = z.strictObject({
  type: z.literal("storyboard"),
  storyboardId: id,
  title: heading,
  emphasis,
  /** BCP 47, of the course's text. */
  language: z.string().min(1).max(35),
  seconds: z.number().min(limits.seconds.min).max(limits.seconds.max),
  scenes: z.array(scene).min(limits.scenes.min).max(limits.scenes.max),
  sources: z.array(citation).min(1).max(bounds.citation.perAnswer),
});
export type Storyboard = z.infer<typeof storyboard>;

/** Which choice of the closing question is right, counted from 0, and why. On the server only until the question was answered. */
export const questionKey = z.object({ right: z.number(), explanation: z.string() });
export type QuestionKey = z.infer<typeof questionKey>;
