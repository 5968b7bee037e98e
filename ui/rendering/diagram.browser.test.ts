import { expect } from "chai";
import { handleTextActions } from "./actions.ts";
import { diagramLimits, draw, drawDiagrams, drawFigure, type Theme } from "./diagram.ts";
import { refusedDiagrams } from "./diagram-repair/refused.fixture.ts";
import { renderMarkdown } from "./markdown.ts";

// The test server does not bundle, so the library's own bundle stands in for the split one of the build.
const bundle = "/node_modules/mermaid/dist/mermaid.esm.min.mjs";
const load = async () => (await import(bundle)).default;
const theme: Theme = {
  dark: false,
  font: "sans-serif",
  ink: "#111111",
  soft: "#444444",
  line: "#cccccc",
  paper: "#ffffff",
  raised: "#ffffff",
  sunken: "#eeeeee",
  accent: "#00666b",
  wash: "#e0f0f0",
  mark: "#ffeeaa",
};

describe("diagrams", function () {
  this.timeout(120_000);
  let stage: HTMLElement;
  beforeEach(() => {
    stage = document.createElement("div");
    document.body.append(stage);
  });
  afterEach(() => stage.remove());

  const show = (source: string): HTMLElement => {
    stage.innerHTML = renderMarkdown(`\`\`\`mermaid\n${source}\n\`\`\``);
    return stage.querySelector(".diagram") as HTMLElement;
  };

  it("draws a diagram and folds its source", async () => {
    const figure = show("flowchart LR\n  a[First] --> b[Second]");
    await drawFigure(figure, { load });
    const svg = figure.querySelector(".diagram-drawing svg");
    expect(svg?.textContent).to.contain("First").and.contain("Second");
    expect(svg?.getAttribute("viewBox")).to.be.a("string");
    expect(figure.querySelector("details .diagram-source")?.textContent).to.contain("First");
    expect(figure.querySelectorAll("foreignObject, script")).to.have.length(0);
  });

  it("gives every drawing unique ids", async () => {
    stage.innerHTML = renderMarkdown(["a", "b", "c"].map((name) => `\`\`\`mermaid\nflowchart LR\n  ${name} --> x\n\`\`\``).join("\n\n"));
    await Promise.all([...stage.querySelectorAll<HTMLElement>(".diagram")].map((figure) => drawFigure(figure, { load })));
    const ids = [...stage.querySelectorAll("svg")].map((svg) => svg.id);
    expect(new Set(ids).size).to.equal(3);
  });

  it("shows reason and source of a diagram that cannot be drawn", async () => {
    const before = document.body.children.length;
    const figure = show("flowchart LR\n  a -->");
    await drawFigure(figure, { load });
    expect(figure.querySelector(".diagram-problem")?.textContent).to.contain("could not be drawn");
    expect(figure.querySelector("details")).to.equal(null);
    expect(figure.querySelector(".diagram-source")?.textContent).to.contain("a -->");
    expect(document.body.children.length).to.equal(before);
  });

  it("repairs only what the parser rejects", async () => {
    const broken = await draw("classDiagram\n  class A\n  note right of A: a note", theme, load);
    expect(broken).to.include({ ok: true, repaired: true });
    const valid = await draw('classDiagram\n  class A\n  note for A "two\n lines"', theme, load);
    expect(valid).to.include({ ok: true, repaired: false });
    expect(await draw("this is no diagram", theme, load)).to.include({ ok: false });
  });

  const refused = [
    "note for A : t",
    "note for A t",
    "note for A 't'",
    "note over A: t",
    'note A "t"',
    'note for A,B "t"',
    'note for A "t";',
    'Note for A "t"',
    'note for A::m "t"',
    'note for "A" "t"',
    "note left of A\n  t\n  end note",
  ];
  for (const note of refused)
    it(`draws a class diagram with ${JSON.stringify(note)}`, async () => {
      const drawing = await draw(`classDiagram\n  class A\n  class B\n  ${note}`, theme, load);
      expect(drawing).to.include({ ok: true });
    });

  it("draws common mistakes of models after repair", async () => {
    const mermaid = await load();
    for (const source of refusedDiagrams) {
      const refused = await mermaid.parse(source).then(
        () => false,
        () => true,
      );
      expect(refused, source).to.equal(true);
      expect(await draw(source, theme, load), source).to.include({ ok: true, repaired: true });
    }
  });

  it("shows a note in a class's body as a note", async () => {
    const drawing = await draw('classDiagram\n  class A {\n    +x\n    note "remember"\n  }', theme, load);
    expect(drawing).to.include({ ok: true, repaired: true });
    expect(drawing.ok && drawing.svg)
      .to.contain("remember")
      .and.not.contain("note &quot;");
  });

  it("offers to copy the source of a failed diagram", async () => {
    const figure = show("this is no diagram\nat all");
    await drawFigure(figure, { load });
    const copied: string[] = [];
    const original = navigator.clipboard.writeText;
    navigator.clipboard.writeText = async (text) => void copied.push(text);
    handleTextActions(stage);
    figure.querySelector<HTMLButtonElement>(".copy-source")?.click();
    await new Promise((resolve) => setTimeout(resolve));
    navigator.clipboard.writeText = original;
    expect(copied).to.deep.equal(["this is no diagram\nat all"]);
    expect(figure.querySelector(".copy-source")?.textContent).to.equal("Copied");
  });

  it("refuses oversized sources before loading the library", async () => {
    let loaded = false;
    const never = async () => {
      loaded = true;
      return load();
    };
    const many = Array.from({ length: diagramLimits.edges + 1 }, (_, index) => `a${index} --> a${index + 1}`).join("\n");
    expect(await draw(`flowchart LR\n${many}`, theme, never)).to.include({ ok: false });
    expect(await draw(`flowchart LR\n${"%% long\n".repeat(2_000)}`, theme, never)).to.include({ ok: false });
    expect(loaded).to.equal(false);
  });

  it("neutralises directives, links and labels", async () => {
    const hostile = [
      '%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  a["<img src=x onerror=alert(1)>"] --> b',
      'flowchart LR\n  a --> b\n  click a "javascript:alert(1)"',
      "flowchart LR\n  a --> b\n  classDef x fill:#fff,}</style><script>alert(1)</script>\n  class a x",
      "sequenceDiagram\n  A->>B: <script>alert(1)</script>",
    ];
    for (const source of hostile) {
      const drawing = await draw(source, theme, load);
      const holder = document.createElement("div");
      holder.innerHTML = drawing.ok ? drawing.svg : "";
      expect(holder.querySelectorAll("script, img, foreignObject, iframe, a[href]"), source).to.have.length(0);
      expect(
        [...holder.querySelectorAll("*")].some((element) => [...element.attributes].some(({ name }) => name.startsWith("on"))),
        source,
      ).to.equal(false);
    }
  });

  it("draws visible diagrams and stops on request", async () => {
    stage.innerHTML = `<div>${renderMarkdown("```mermaid\nflowchart LR\n  near --> x\n```")}</div><div style="height:9000px"></div>${renderMarkdown("```mermaid\nflowchart LR\n  far --> x\n```")}`;
    const [near, far] = [...stage.querySelectorAll<HTMLElement>(".diagram")];
    const stop = drawDiagrams(stage, { load });
    for (let turn = 0; turn < 800 && near?.dataset.drawn === undefined; turn++) await new Promise((resolve) => setTimeout(resolve, 25));
    expect(near?.dataset.drawn).to.equal("");
    expect(far?.dataset.drawn).to.equal(undefined);
    stop();
  });

  it("reports a library that cannot be loaded and allows a retry", async () => {
    const source = "flowchart LR\n  only --> once";
    expect(await draw(source, theme, () => Promise.reject(new Error("offline")))).to.include({ ok: false });
    expect(await draw(source, theme, load)).to.include({ ok: true });
  });
});
