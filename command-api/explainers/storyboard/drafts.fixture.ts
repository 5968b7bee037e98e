import { emptyScene, type GeneratedScene, type GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";

/** A scene as a scripted model drafts it: quotes name no passage, `figure` names its own by words of it. */
export type DraftedScene = Partial<Omit<GeneratedScene, "quotes">> & Pick<GeneratedScene, "layout" | "narration"> & { quotes: string[] };

const passageTag = /<passage id="(s\d+)"[^>]*>\n([\s\S]*?)\n<\/passage>/g;
const flat = (text: string): string => text.replace(/\s+/g, " ");

/** The board of a scripted model, with the names that the passages have in a prompt. */
export function boardFor(system: string, title: string, scenes: readonly DraftedScene[]): GeneratedStoryboard {
  const passages = [...system.replaceAll("&lt;", "<").replaceAll("&amp;", "&").matchAll(passageTag)];
  const keyOf = (words: string): string => {
    const [, key] = passages.find(([, , text = ""]) => flat(text).includes(flat(words))) ?? [];
    if (key === undefined) throw new Error(`no passage has “${words}”`);
    return key;
  };
  return {
    title,
    refusal: "",
    scenes: scenes.map(({ quotes, ...scene }): GeneratedScene => {
      const quoted = quotes.map((quote) => ({ passage: keyOf(quote), quote }));
      const { figure } = scene;
      return {
        ...emptyScene,
        heading: "",
        ...scene,
        ...(figure && { figure: { ...figure, passage: figure.passage === "" ? "" : keyOf(figure.passage) } }),
        passages: [...new Set(quoted.map(({ passage }) => passage))],
        quotes: quoted,
      };
    }),
  };
}

const { plane: noPlane, line: noLine, timeline: noTimeline } = emptyScene;

const kept = "so what really stays is the direction";
const stretched = "the direction $(1, 1)$ is stretched by 3 and $(1, -1)$ is left alone";
const gives = "so $\\lambda^2 - 4\\lambda + 3 = 0$, which gives $\\lambda = 3$ and $\\lambda = 1$";

/** On eigenvectors of linear-maps: a figure, a plane, a derivation, a number line, a plot. */
export const eigenvectors: DraftedScene[] = [
  { layout: "title", heading: "Directions that stay", narration: "Which directions stay?", quotes: [kept] },
  {
    layout: "figure",
    heading: "Before and after the map",
    narration: "Look at the arrows before the map. The one along (1, 1) is stretched by 3, and (1, -1) is left alone.",
    quotes: [stretched],
    figure: {
      passage: "Arrows before and after the map",
      drawnCue: "",
      zooms: [{ parts: ["(1, 1)", "(1, −1)"], cue: "before the" }],
      callouts: [
        { part: "(1, 1)", label: "the direction (1, 1)", cue: "is stretched" },
        { part: "(1, −1)", label: "(1, −1) is left alone", cue: "is left" },
      ],
    },
  },
  {
    layout: "plane",
    heading: "Two arrows keep their line",
    narration: "The map A moves the whole grid: u becomes three times as long, and v is left alone.",
    quotes: [stretched],
    focus: [
      { on: ["u"], cue: "u becomes" },
      { on: ["v"], cue: "v is" },
    ],
    plane: {
      ...noPlane,
      extent: 3.6,
      maps: [{ name: "A", a: 2, b: 1, c: 1, d: 2, cue: "moves the" }],
      vectors: [
        { name: "u", x: 1, y: 1, cue: "" },
        { name: "v", x: 1, y: -1, cue: "" },
      ],
      lines: [
        { along: "u", cue: "" },
        { along: "v", cue: "" },
      ],
    },
  },
  {
    layout: "derive",
    heading: "The eigenvalues of A",
    narration: "The trace is four and the determinant three. Factor the left side, and one of the brackets has to be zero.",
    quotes: [gives],
    derivation: [
      { tex: "\\lambda^2 - 4\\lambda + 3 = 0", reason: "trace 4, determinant 3", cue: "" },
      { tex: "(\\lambda - 3)(\\lambda - 1) = 0", reason: "two brackets", cue: "Factor the" },
      { tex: "\\lambda = 3 \\quad\\text{or}\\quad \\lambda = 1", reason: "one of them is zero", cue: "one of" },
    ],
  },
  {
    layout: "number-line",
    heading: "Their sum is the trace",
    narration: "A quick check: three, and one more, make the trace four.",
    quotes: ["The **sum of the eigenvalues is the trace** ($3 + 1 = 4$)"].map((quote) => quote.replaceAll("**", "")),
    line: { ...noLine, from: 0, to: 5, jumps: [{ sum: "3 + 1", cues: ["three", "one more"] }] },
  },
  {
    layout: "plot",
    heading: "Where the curve is zero",
    narration: "The curve is zero at one and at three: these are the eigenvalues.",
    quotes: [gives],
    plot: {
      xLabel: "λ",
      yLabel: "",
      from: -1,
      to: 5,
      functions: [{ expression: "x^2 - 4*x + 3", label: "λ² − 4λ + 3" }],
      marks: [
        { x: 1, label: "λ = 1" },
        { x: 3, label: "λ = 3" },
      ],
    },
  },
  {
    layout: "question",
    question: "The trace is 4 and the determinant 3. What are the eigenvalues?",
    narration: "Which are the eigenvalues?",
    quotes: [gives],
    choices: [
      { text: "3 and 1", correct: true },
      { text: "4 and 3", correct: false },
      { text: "2 and 2", correct: false },
    ],
    explanation: "Their sum is the trace 4, and their product the determinant 3.",
  },
];

const effort =
  "After a gap, the material has become a little harder to bring to mind, and the effort of recalling it is what strengthens it.";
const weeks = "for an examination in ten weeks, review after one or two weeks";
const gap = "After a gap, recalling takes effort";

/** On spacing of learning-to-learn: timelines and growing diagrams. */
export const spacing: DraftedScene[] = [
  { layout: "title", heading: "Why gaps help", narration: "Why leave gaps?", quotes: [effort] },
  {
    layout: "timeline",
    heading: "Three hours, spread",
    narration: "Three hours in one evening teach less than one hour on each of three days.",
    quotes: ["Three hours in one evening teach less than one hour on each of three days."],
    timeline: {
      ...noTimeline,
      unit: "days",
      until: 4,
      lanes: [
        { label: "One evening", gaps: false },
        { label: "Three days", gaps: true },
      ],
      marks: [
        { lane: 0, at: 1, kind: 0, cue: "one evening" },
        { lane: 1, at: 1, kind: 0, cue: "one hour" },
        { lane: 1, at: 2, kind: 0, cue: "each of" },
        { lane: 1, at: 3, kind: 0, cue: "three days" },
      ],
    },
  },
  {
    layout: "build",
    heading: "What a gap brings",
    narration: "After a gap, recalling takes effort. Where it succeeds, the next gap may be longer; where it fails, it is shorter.",
    quotes: [gap],
    diagram: "flow",
    nodes: [
      { key: "gap", label: "A gap", cue: "" },
      { key: "effort", label: "Recall with effort", cue: "recalling takes" },
      { key: "longer", label: "A longer gap", cue: "be longer" },
      { key: "shorter", label: "A shorter gap", cue: "it is shorter" },
    ],
    edges: [
      { from: "gap", to: "effort", label: "", cue: "", quote: "" },
      { from: "effort", to: "longer", label: "succeeds", cue: "", quote: "" },
      { from: "effort", to: "shorter", label: "fails", cue: "", quote: "" },
    ],
  },
  {
    layout: "build",
    heading: "Effort is what strengthens",
    narration: "After a gap the material is a little harder to bring to mind, and the effort of recalling strengthens it.",
    quotes: [effort],
    diagram: "flow",
    nodes: [
      { key: "gap", label: "Gap", cue: "" },
      { key: "harder", label: "Harder to bring to mind", cue: "little harder" },
      { key: "effort", label: "Effort of recalling", cue: "the effort" },
      { key: "strong", label: "It strengthens", cue: "strengthens" },
    ],
    edges: [
      { from: "gap", to: "harder", label: "", cue: "", quote: "After a gap, the material has become a little harder to bring to mind" },
      {
        from: "harder",
        to: "effort",
        label: "",
        cue: "",
        quote: "a little harder to bring to mind, and the effort of recalling it is what strengthens it",
      },
      { from: "effort", to: "strong", label: "", cue: "", quote: "the effort of recalling it is what strengthens it" },
    ],
  },
  {
    layout: "timeline",
    heading: "Ten weeks ahead",
    narration: "For an examination in ten weeks, review after one or two weeks.",
    quotes: [weeks],
    timeline: {
      unit: "weeks",
      until: 10,
      kinds: ["Review", "Examination"],
      lanes: [{ label: "The next review", gaps: true }],
      marks: [
        { lane: 0, at: 2, kind: 0, cue: "review after" },
        { lane: 0, at: 10, kind: 1, cue: "examination in" },
      ],
    },
  },
  {
    layout: "question",
    question: "What strengthens a memory after a gap?",
    narration: "What strengthens it?",
    quotes: [effort],
    choices: [
      { text: "The effort of recalling it", correct: true },
      { text: "Reading it again at once", correct: false },
      { text: "The gap alone", correct: false },
    ],
    explanation: "After a gap it is harder to bring to mind, and the effort of recalling it is what strengthens it.",
  },
];
