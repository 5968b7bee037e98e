import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import fc from "fast-check";
import { minContrast, minTextSize } from "./limits.ts";
import { metricsOf } from "./metrics.ts";
import { placeScene } from "./place.ts";
import { expectMotion } from "./testing/motion.ts";
import { aspects, samples, sceneOf } from "./testing/scenes.ts";

const limits = filmBounds;

function findingsOf(scene: Scene, aspect: (typeof aspects)[number] = "16:9", language = "en"): string[] {
  const placed = placeScene(scene, { aspect, language, seconds: scene.seconds });
  return placed.kind === "refused" ? placed.findings : [];
}
const place = (scene: Scene, aspect: (typeof aspects)[number] = "16:9"): Placed => {
  const placed = placeScene(scene, { aspect, language: "en", seconds: scene.seconds });
  if (placed.kind === "refused") throw new Error(placed.findings.join("; "));
  return placed;
};

describe("placing a scene", function () {
  this.timeout(120_000);

  for (const board of samples)
    for (const aspect of aspects)
      it(`places every scene of “${board.title}” at ${aspect}`, () => {
        for (const scene of board.scenes) {
          const placed = placeScene(scene, {
            aspect,
            language: board.language,
            seconds: scene.seconds,
            source: board.sources[0]?.title ?? "",
          });
          if (placed.kind === "refused") expect.fail(`${scene.sceneId}: ${placed.findings.join("; ")}`);
          const metrics = metricsOf(placed);
          expect(metrics).to.include({ overflowArea: 0, overlapArea: 0 });
          expect(metrics.leastContrast).to.be.at.least(minContrast);
          expect(metrics.leastTextSize).to.be.at.least(minTextSize);
          expect(Math.max(...placed.items.map(({ from }) => from))).to.be.below(placed.durationMs);
        }
      });

  for (const board of samples)
    for (const aspect of aspects) it(`keeps “${board.title}” moving at ${aspect}`, () => expectMotion(board, aspect));

  it("places the same scene the same way", () => {
    for (const scene of samples.flatMap(({ scenes }) => scenes)) {
      const options = { aspect: "16:9", language: "en", seconds: scene.seconds } as const;
      expect(placeScene(scene, options)).to.deep.equal(placeScene(scene, options));
    }
  });

  it("says how many lines of code fit", () => {
    const code = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    const scene = sceneOf("code", { heading: "Long", language: "", code, steps: [{ from: 1, to: 1, label: "" }] });
    expect(findingsOf(scene)).to.have.length(1);
    expect(findingsOf(scene)[0]).to.match(/^The code has 40 lines; \d+ fit\.$/u);
  });

  const refused: [what: string, scene: Scene, finding: RegExp][] = [
    ["a sign no font has", sceneOf("points", { heading: "Signs", points: ["with 漢字"] }), /signs the film's fonts do not have: 漢 字/u],
    ["an emoji", sceneOf("title", { heading: "Well done 🎉", subtitle: "" }), /do not have: 🎉/u],
    ["text without ink", sceneOf("title", { heading: "\u200b\u200b", subtitle: "" }), /nothing that can be seen/u],
    ["a word wider than the picture", sceneOf("title", { heading: "W".repeat(80), subtitle: "" }), /too long/u],
    [
      "steps beyond the code",
      sceneOf("code", { heading: "Code", language: "bash", code: "ls", steps: [{ from: 1, to: 3, label: "" }] }),
      /shows lines 1 to 3; the code has 1/u,
    ],
    [
      "an arrow to nowhere",
      sceneOf("diagram", {
        heading: "Boxes",
        kind: "flow",
        nodes: [
          { key: "a", label: "A" },
          { key: "b", label: "B" },
        ],
        edges: [{ from: "a", to: "c", label: "" }],
      }),
      /arrow from a to c/u,
    ],
    [
      "an expression that is none",
      sceneOf("plot", {
        heading: "Curve",
        x: { label: "x", from: 0, to: 1 },
        yLabel: "",
        functions: [{ expression: "process.exit()", label: "" }],
        marks: [],
      }),
      /“process\.exit\(\)” cannot be read/u,
    ],
    [
      "a function without values",
      sceneOf("plot", {
        heading: "Curve",
        x: { label: "x", from: -2, to: -1 },
        yLabel: "",
        functions: [{ expression: "sqrt(x)", label: "" }],
        marks: [],
      }),
      /too few values between -2 and -1/u,
    ],
    [
      "numbers too large for an axis",
      sceneOf("plot", {
        heading: "Curve",
        x: { label: "x", from: 0, to: 1e9 },
        yLabel: "",
        functions: [{ expression: "x", label: "" }],
        marks: [],
      }),
      /too large, too small or too near/u,
    ],
    ["TeX that defines", sceneOf("formula", { heading: "F", terms: [{ tex: "\\def\\a{\\a\\a}\\a", label: "" }] }), /cannot be set/u],
    [
      "TeX that overlaps itself",
      sceneOf("formula", { heading: "F", terms: [{ tex: "a\\hskip-9em b", label: "" }] }),
      /by hand with \\hskip/u,
    ],
  ];
  for (const [what, scene, finding] of refused)
    it(`refuses ${what}, and says so`, () => {
      expect(findingsOf(scene).join(" ")).to.match(finding);
    });

  it("draws marks of direction and control characters never", () => {
    const { items } = place(sceneOf("title", { heading: "a\u202eb\u0007c\u2066d", subtitle: "" }));
    expect(items.flatMap((item) => (item.kind === "text" ? [item.text] : []))).to.deep.equal(["abcd"]);
  });

  const textsOf = ({ items }: Placed) => items.flatMap((item) => (item.kind === "text" ? [item] : []));

  it("sets one point larger than one of several, without a list's dot", () => {
    const sizeOf = (points: string[]) =>
      textsOf(place(sceneOf("points", { heading: "Pipes", points }))).find(({ text }) => text === "output")?.size;
    expect(sizeOf(["output"])).to.be.greaterThan(sizeOf(["output", "input"]) ?? 0);
  });

  it("sets what is compared in rows where there are as many points on either side", () => {
    const points = ["New section: read it once, close the book and explain it aloud to nobody", "Exercises"];
    const placed = place(
      sceneOf("compare", { heading: "A week", left: { title: "Day", points: ["Monday", "Tuesday"] }, right: { title: "Then", points } }),
    );
    const lineOf = (text: string) => textsOf(placed).find((item) => item.text === text)?.baseline;
    expect(lineOf("Tuesday")).to.be.a("number").and.equal(lineOf("Exercises"));
  });

  it("leaves no short word of a title alone on its line where the next size down does without", () => {
    const lines = textsOf(place(sceneOf("title", { heading: "The determinant is a factor of area", subtitle: "" }), "9:16"));
    expect(lines.map(({ text }) => text)).to.deep.equal(["The determinant", "is a factor of area"]);
  });

  it("sets a long title smaller before it takes one line more, and leaves no last word alone", () => {
    const lines = (heading: string, aspect: (typeof aspects)[number]) =>
      textsOf(place(sceneOf("title", { heading, subtitle: "" }), aspect)).map(({ text }) => text);
    const title = "Diagonalisation, or how to take the hundredth power";
    expect(lines(title, "16:9")).to.deep.equal(["Diagonalisation, or how to", "take the hundredth power"]);
    expect(lines(title, "9:16")).to.deep.equal(["Diagonalisation,", "or how to take the", "hundredth power"]);
    const longest = "Working With Files and Directories in a Shell on a Remote Place";
    expect(longest).to.have.length.within(limits.titleLength - 2, limits.titleLength);
    for (const aspect of aspects) expect(lines(longest, aspect).length).to.be.at.most(aspect === "16:9" ? 3 : 4);
    expect(findingsOf(sceneOf("title", { heading: `${"W".repeat(40)} and more`, subtitle: "" }))).to.deep.equal([
      `The word “${"W".repeat(40)}” is too long for a title.`,
    ]);
  });

  it("marks where a line of code goes on, and sets it in behind what it belongs to", () => {
    const code = "> for temperature in basilisk.dat minotaur.dat unicorn.dat";
    const rows = (aspect: (typeof aspects)[number]) =>
      textsOf(place(sceneOf("code", { heading: "Loops", language: "bash", code, steps: [{ from: 1, to: 1, label: "" }] }), aspect));
    expect(rows("16:9").some(({ text }) => text.includes("↪"))).to.equal(false);
    expect(rows("9:16").filter(({ text }) => text === "  ↪ ")).to.have.length(1);
  });

  it("writes lines without a label when a name in them is said", () => {
    const said = "The connective has a single rule. Anything follows from a contradiction. This rule has the name False.elim.";
    const code = "variable (p q : Prop)\n\nexample (hp : p) : q :=\n  False.elim hp";
    const steps = [1, 3].map((from) => ({ from, to: from === 1 ? 1 : 4, label: "" }));
    const spoken = (narration: string) => {
      const { items } = place(sceneOf("code", { heading: "Falsity", language: "lean", code, steps }, narration));
      return items.find((item) => item.kind === "text" && item.text.includes("elim"))?.from ?? Number.NaN;
    };
    const first = "False.elim is the single rule of the connective. Anything follows from a contradiction. This rule has that name.";
    expect(spoken(first)).to.be.below(spoken(said) - 1_500);
  });

  it("colours commands, and not what they print", () => {
    const code = '$ grep not haiku.txt\nIs not the true Tao, until\n"My Thesis" not found';
    const looks = textsOf(place(sceneOf("code", { heading: "grep", language: "bash", code, steps: [{ from: 1, to: 1, label: "" }] })));
    const printed = looks.filter(({ part, colour }) => part === "card" && colour === "ink-soft").map(({ text }) => text);
    expect(printed).to.deep.equal(["$ ", "Is not the true Tao, until", '"My Thesis" not found']);
  });

  it("places code with names that every object of the program's own language has", () => {
    const content = { heading: "Proofs", language: "lean", steps: [{ from: 1, to: 1, label: "" }] };
    for (const code of ["constructor", "toString hp", "valueOf"])
      expect(textsOf(place(sceneOf("code", { ...content, code }))).map(({ text }) => text)).to.include(code);
  });

  it("colours Lean, which its library does not know", () => {
    const code = "theorem T : a = e := by simp [h.left] -- so\n#check T";
    const looks = textsOf(place(sceneOf("code", { heading: "Proofs", language: "lean", code, steps: [{ from: 1, to: 1, label: "" }] })));
    const inAccent = looks.filter(({ part, colour }) => part === "card" && colour === "accent").map(({ text }) => text);
    expect(inAccent).to.deep.equal(["theorem", "by", "simp", "#check"]);
  });

  it("shows a formula whole from the first picture on, in its place, and never cut short", () => {
    const terms = ["x^2", "- 5x", "+ 6", "= 0"].map((tex, index) => ({
      tex,
      label: ["square", "linear", "constant", "nothing"][index] ?? "",
    }));
    const narration = "The square comes first, then the linear term is taken away, the constant is added, and nothing is left.";
    for (const aspect of aspects) {
      const { items } = place({ ...sceneOf("formula", { heading: "Equation", terms }), narration }, aspect);
      for (const index of terms.keys()) {
        const [coming, spoken] = items.filter(({ kind, part }) => kind === "glyphs" && part === `term ${index}`);
        if (coming?.kind !== "glyphs" || spoken?.kind !== "glyphs") throw new Error("a term is not there");
        expect(coming).to.include({ from: 0, motion: "still", colour: "ink-faint", d: spoken.d });
        expect(coming.until).to.equal(undefined);
        expect(spoken).to.include({ colour: "ink", motion: "wipe" });
        if (index > 0) expect(spoken.from).to.be.greaterThan(500);
      }
    }
  });

  it("does not show which choice is right before nor after", () => {
    const { items } = place(sceneOf("question", { question: "Which?", choices: ["one", "two"] }));
    const looks = [0, 1].map((choice) =>
      items
        .filter(({ part }) => part === `choice ${choice}`)
        .map((item) => (item.kind === "box" ? [item.fill, item.stroke] : item.kind === "text" ? item.colour : item.kind)),
    );
    expect(looks[0]).to.deep.equal(looks[1]);
  });

  // What the last look finds means that a layout is not by construction: it must have been refused for a reason before.
  const general = /(?:Something|Things) would (?:stand outside|lie on one another|be too pale|be too small)/u;
  const letters = fc.constantFrom(..."abcdefg ilmnoprstuwxyzABCDMW   ÄÖÜßéñ αβγ→≤∑ .,-()':;0123456789");
  const text = (most: number) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.array(letters, { minLength: 1, maxLength: most }).map((all) => all.join("")) },
      { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: most, unit: "grapheme" }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("مرحبا بالعالم 123", "W".repeat(most), "a\u0301\u0302", "\u200d\u202e", "x<b>&amp;", "100% (sort)"),
      },
    );
  const label = text(limits.labelLength);
  const heading = text(limits.headingLength);
  const list = (most: number) => fc.array(label, { minLength: 1, maxLength: most });
  const side = fc.record({ title: heading, points: list(limits.sidePoints) });
  const keys = "abcdefghi";
  const anyCue = fc.constantFrom("", "word", "another");
  const anyKey = fc.constantFrom(..."abcd");
  const tex = fc.constantFrom(
    "a^2",
    "\\frac{1}{x}",
    "+ b",
    "= \\sum_{i=1}^{n} x_i",
    "\\sqrt{x}",
    "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
    "\\text{Größe}",
    "x^",
    "\\left(",
    "\\mathbb{R}",
  );
  const expression = fc.constantFrom("x", "x^2 - 1", "1/x", "tan(x)", "sin(x)/x", "e^x", "5", "sqrt(x)", "0", "ln(x)");
  const scene = fc.oneof(
    fc.record({ heading, subtitle: label }).map((content) => sceneOf("title", content)),
    fc.record({ heading, points: list(limits.points) }).map((content) => sceneOf("points", content)),
    fc.record({ heading, points: list(limits.points) }).map((content) => sceneOf("recap", content)),
    fc.record({ heading, left: side, right: side }).map((content) => sceneOf("compare", content)),
    fc
      .record({ question: text(limits.questionLength), choices: fc.array(label, { minLength: 2, maxLength: 4 }) })
      .map((content) => sceneOf("question", content)),
    fc
      .record({
        heading,
        terms: fc.array(fc.record({ tex, label: fc.oneof(text(20), fc.constant("")) }), { minLength: 1, maxLength: limits.terms }),
      })
      .map((content) => sceneOf("formula", content)),
    fc
      .record({
        heading,
        kind: fc.constantFrom("flow" as const, "tree" as const, "state" as const, "sequence" as const),
        labels: fc.array(text(24), { minLength: 4, maxLength: 6 }),
        edges: fc.array(fc.record({ from: anyKey, to: anyKey, label: fc.oneof(text(16), fc.constant("")) }), {
          minLength: 1,
          maxLength: 8,
        }),
      })
      .map(({ labels, ...content }) =>
        sceneOf("diagram", { ...content, nodes: labels.map((name, index) => ({ key: keys[index] as string, label: name })) }),
      ),
    fc
      .record({
        heading,
        code: fc.array(text(60), { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n").slice(0, limits.codeLength)),
        label,
      })
      .map(({ label: step, ...content }) => sceneOf("code", { ...content, language: "python", steps: [{ from: 1, to: 1, label: step }] })),
    fc
      .record({
        heading,
        functions: fc.array(fc.record({ expression, label: text(16) }), { minLength: 1, maxLength: 3 }),
        from: fc.integer({ min: -9, max: 0 }),
        name: text(14),
      })
      .map(({ from, name, ...content }) =>
        sceneOf("plot", { ...content, x: { label: name, from, to: from + 7 }, yLabel: name, marks: [{ x: from + 2, label: name }] }),
      ),
    fc
      .record({
        heading,
        columns: fc.array(text(20), { minLength: 3, maxLength: 3 }),
        rows: fc.array(fc.tuple(text(24), text(30), fc.integer({ min: 0, max: 2_000 }).map(String)), { minLength: 2, maxLength: 8 }),
        sortBy: fc.integer({ min: -1, max: 2 }),
        bars: fc.constantFrom(-1, 2),
        descending: fc.boolean(),
        compared: fc.option(
          fc.record({
            of: fc.constantFrom("rows" as const, "columns" as const),
            first: fc.integer({ min: 0, max: 3 }),
            second: fc.integer({ min: 0, max: 3 }),
            cue: fc.constant("another"),
          }),
        ),
      })
      .map((content) => sceneOf("table", content)),
    fc
      .record({
        heading,
        unit: text(16),
        lanes: fc.array(
          fc.record({
            label: text(24),
            gaps: fc.boolean(),
            marks: fc.array(fc.record({ at: fc.integer({ min: 0, max: 30 }), kind: fc.constant(0), cue: anyCue }), {
              minLength: 1,
              maxLength: 6,
            }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      })
      .map((content) => sceneOf("timeline", { ...content, until: 30, kinds: [] })),
    fc
      .record({
        heading,
        unit: text(16),
        stability: fc.integer({ min: 1, max: 9 }),
        target: fc.constantFrom(0.3, 0.5, 0.9),
        at: fc.integer({ min: 0, max: 20 }),
        recalls: fc.array(fc.constant({ cue: "another" }), { maxLength: 1 }),
      })
      .map(({ at, ...content }) => sceneOf("forgetting", { ...content, until: 20, growth: 2, cue: "", marks: [{ at, cue: "another" }] })),
    fc
      .record({ heading, one: tex, other: tex, reason: fc.oneof(text(30), fc.constant("")) })
      .map(({ heading: title, one, other, reason }) =>
        sceneOf("derive", {
          heading: title,
          steps: [
            { tex: one, reason: "", cue: "" },
            { tex: other, reason, cue: "another" },
          ],
        }),
      ),
    fc
      .record({
        heading,
        inequality: fc.constantFrom("x > 1", "|x - 2| < 3", "x <= 0", "x + 1 >= 2"),
        to: fc.integer({ min: 3, max: 90 }),
        cue: anyCue,
      })
      .map(({ to, inequality, cue, heading: title }) =>
        sceneOf("number-line", {
          heading: title,
          from: -to,
          to,
          intervals: [{ inequality, cue, endsCue: "" }],
          jumps: [],
          sequences: [],
          zoom: null,
        }),
      ),
    fc
      .record({
        heading,
        extent: fc.integer({ min: 1, max: 12 }),
        expression: fc.constantFrom("x^2", "a x^2", "abs(x) - a", "1 / x", "a sin(x)", "sqrt(x)"),
        to: fc.record({ x: fc.constantFrom(1, -2, "2 a", "cos(a)"), y: fc.constantFrom(1, "a", "sin(a)") }),
        parameter: fc.option(fc.record({ from: fc.integer({ min: -2, max: 2 }), to: fc.integer({ min: -2, max: 2 }) })),
        tangents: fc.array(
          fc.record({
            curve: fc.constantFrom(0, 1),
            at: fc.integer({ min: -2, max: 2 }),
            cue: anyCue,
            to: fc.option(fc.record({ at: fc.integer({ min: -2, max: 2 }), cue: fc.constant("another") })),
          }),
          { maxLength: 2 },
        ),
        cue: anyCue,
      })
      .map(({ heading: title, expression: drawn, to, parameter, cue, ...content }) =>
        sceneOf("plane", {
          heading: title,
          centre: { x: 0, y: 0 },
          maps: [],
          lines: [],
          polygons: [],
          focus: [],
          vectors: [{ name: "v", to, cue }],
          points: [{ at: to, cue }],
          curves: [{ expression: drawn, cue, residuals: "none", residualsCue: "", becomes: null }],
          parameter: parameter && { ...parameter, name: "a", cue: "another" },
          ...content,
        }),
      ),
  );

  for (const aspect of aspects)
    it(`either places a scene cleanly or refuses it for a reason, at ${aspect}`, () => {
      fc.assert(
        fc.property(scene, fc.constantFrom("en", "ar"), (any, language) => {
          const placed = placeScene(any, { aspect, language, seconds: 8 });
          if (placed.kind === "refused") {
            expect(placed.findings.join(" ")).to.not.match(general);
            return;
          }
          const metrics = metricsOf(placed);
          expect(metrics).to.include({ overflowArea: 0, overlapArea: 0 });
          expect(metrics.leastContrast).to.be.at.least(minContrast);
          expect(metrics.leastTextSize).to.be.at.least(minTextSize);
        }),
        { numRuns: 120, seed: 20_261_121 },
      );
    });
});
