import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { handleTextActions } from "./actions.ts";
import { load, theme } from "./diagram.fixture.ts";
import { diagramLimits, draw, drawDiagrams, drawFigure } from "./diagram.ts";
import { refusedDiagrams } from "./diagram-repair/refused.fixture.ts";
import { renderMarkdown } from "./markdown.ts";

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

  it("leaves a box with a link in its place, without the link", async () => {
    const figure = show('flowchart LR\n  A[One] --> B[Two]\n  click B "https://e.example/b" "tip"\n  click A call alert(1)');
    await drawFigure(figure, { load });
    const boxes = [...figure.querySelectorAll("svg .node")].map((node) => node.getBoundingClientRect());
    expect(boxes).to.have.length(2);
    expect(boxes[0]?.right).to.be.lessThan(boxes[1]?.left ?? 0);
    expect(figure.querySelector("svg a")).to.equal(null);
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

  for (const colour of ["ff0000", "var(--x)", "nonsense", "oklch(60% 0.1 20)", "oklch(60% 0.1 20 / 0.5)"])
    for (const [place, head] of [
      ["a directive", `%%{init: {'theme':'base','themeVariables':{'primaryColor':'${colour}', 'lineColor': '#ff0000'}}}%%`],
      ["front matter", `---\nconfig:\n  theme: base\n  themeVariables:\n    primaryColor: ${colour}\n    lineColor: "#ff0000"\n---`],
    ])
      it(`draws a diagram with the colour ${colour} in ${place}`, async () => {
        const drawing = await draw(`${head}\nflowchart LR\n  A --> B`, theme, load);
        expect(drawing.ok && drawing.svg).to.contain("#ff0000");
      });

  it("draws a diagram after one whose settings failed", async () => {
    const failing = "%%{init: {'theme':'base','themeVariables':{'primaryColor':'nonsense'}}}%%\nflowchart LR\n A --> B";
    const failed = await (await load()).parse(failing).catch(() => "failed");
    expect(failed).to.equal("failed");
    expect(await draw("flowchart LR\n  after --> failure", theme, load)).to.include({ ok: true });
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

  it("draws Markdown labels of several lines", async () => {
    const labels = ["1. Setup\n two lines", "1. Setup\n   - Testing & more\n\n   - **Bold** words", "# Title\n> quoted\n---\nlast"];
    for (const label of labels) {
      const drawing = await draw(`flowchart LR\n A("\`${label}\`") --> B`, theme, load);
      expect(drawing, label).to.include({ ok: true, repaired: false });
      const words = new DOMParser().parseFromString(drawing.ok ? drawing.svg : "", "text/html").body.textContent ?? "";
      for (const word of label.match(/[A-Za-z]\w*/g) ?? []) expect(words, label).to.contain(word);
    }
  });

  it("keeps every word of a Markdown label", async () => {
    const shapes = (label: string) => [
      `flowchart LR\n X@{ shape: doc, label: "\`${label}\`" }`,
      `flowchart LR\n X@{ label: "\`${label}\`", shape: rect } --> B`,
      `flowchart LR\n A["\`${label}\`"] -- "\`${label}\`" --> B`,
    ];
    for (const [label, shown] of [
      ["single **md**", "single md"],
      ["several\nlines of **md**", "several lines of md"],
      ["1. Setup\n2. Tests", "1. Setup 2. Tests"],
      ["x\n[link](u) ![picture](v)", "x link picture"],
      ["at https://a.test or www.b.test, mail me@c.test", "at https://a.test or www.b.test, mail me@c.test"],
      ["~~old~~ ~thin~ new", "old thin new"],
    ] as const)
      for (const source of shapes(label)) {
        const drawing = await draw(source, theme, load);
        expect(drawing, source).to.include({ ok: true, repaired: false });
        stage.innerHTML = drawing.ok ? drawing.svg : "";
        const lines = [...stage.querySelectorAll(".node .text-outer-tspan")].map(({ textContent }) => textContent);
        expect(lines.join(" ").replaceAll("\u200b", "").replaceAll(/\s+/g, " "), source).to.contain(shown);
        if (label.startsWith("several")) expect(lines.length, source).to.be.at.least(2);
      }
    for (const [source, shown] of [
      ['flowchart LR\n A["`5 \\* 3 \\_x\\_`"]', "5 * 3 _x_"],
      ['flowchart LR\n A@{ label: "see [this](u) at https://a.test" }', "see this at https://a.test"],
      ["stateDiagram-v2\n  A : see https://a.test [l](u) `b`", "see https://a.test l b"],
      ["classDiagram\n  class A {\n    +https://a.test x\n  }", "+https://a.test x"],
      ["architecture-beta\n  service a(server)[see www.b.test]", "see www.b.test"],
      [
        'mindmap\n  root\n    a["see ~~x~~ [l](u) `c` www.a.test"]\n    b["`two **bold**\n    https://b.test`"]',
        "see x l c www.a.test two bold https://b.test",
      ],
      ["mindmap\n  root\n    See https://a.test there", "See https://a.test there"],
      ["kanban\n  a[See https://a.test]\n    b[see www.c.test and ~~x~~]", "See https://a.test see www.c.test and x"],
      ['erDiagram\n  A ||--o{ B : "at https://b.test"', "at https://b.test"],
      ['requirementDiagram\n  requirement a {\n    text: "https://a.test"\n  }', "Text: https://a.test"],
    ] as const) {
      const drawing = await draw(source, theme, load);
      stage.innerHTML = drawing.ok ? drawing.svg : "";
      const lines = [...stage.querySelectorAll(".text-outer-tspan")].map(({ textContent }) => textContent);
      expect(lines.join(" ").replaceAll("\u200b", "").replaceAll(/\s+/g, " "), source).to.contain(shown);
    }
  });

  it("names the line as the author wrote it", async () => {
    const wrong = "flowchart LR\n  A --> B\n  B --> [broken\n  C --> D";
    const before = [
      "",
      '%%{init: {"theme": "forest"}}%%\n',
      '%%{init: {\n  "theme": "forest"\n}}%%\n%% a comment\n',
      "---\ntitle: x\n---\n",
      "\n\n",
    ];
    for (const head of before) {
      const drawing = await draw(head + wrong, theme, load);
      expect(drawing.ok || drawing.reason, head).to.equal(`there is a mistake in line ${head.split("\n").length + 2}`);
    }
    const commented = await draw("sequenceDiagram\n  A->>B: x\n  %% one\n\n  %% two\n  frob nicate", theme, load);
    expect(commented.ok || commented.reason).to.equal("there is a mistake in line 6");
    const last = await draw("flowchart LR\n  A --> B\n  style B fill:url(a.svg#b)\n", theme, load);
    expect(last.ok || last.reason).to.equal("there is a mistake in line 3");
  });

  it("leaves room for titles of subgraphs over several lines", async () => {
    const titles = ['"First line\nsecond line\nthird"', '"`**First** line\nsecond line\nthird`"', "First line<br/>second line<br>third"];
    for (const title of titles) {
      const figure = show(`flowchart LR\n  subgraph s1[${title}]\n    A --> B\n  end`);
      await drawFigure(figure, { load });
      const place = (part: string) => figure.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
      expect(place(".cluster-label text").height, title).to.be.above(30);
      expect(place(".cluster-label text").bottom, title).to.be.below(place(".node rect").top);
      expect(place(".node rect").bottom, title).to.be.below(place(".cluster rect").bottom);
    }
  });

  it("tells the parts of charts apart, in light and in dark", async () => {
    const dark = {
      ...theme,
      dark: true,
      ink: "#eeeeee",
      soft: "#bbbbbb",
      paper: "#101418",
      raised: "#181c22",
      sunken: "#0c0e12",
      wash: "#163030",
    };
    const charts: [string, string][] = [
      ['pie\n "a" : 1\n "b" : 1\n "c" : 1', ".pieCircle"],
      ["timeline\n  section A\n    1 : a\n  section B\n    2 : b\n  section C\n    3 : c", "path.node-bkg"],
    ];
    for (const colours of [theme, dark])
      for (const [source, parts] of charts) {
        const drawing = await draw(source, colours, load);
        stage.innerHTML = drawing.ok ? drawing.svg : "";
        const fills = [...stage.querySelectorAll(parts)].map((part) => getComputedStyle(part).fill);
        expect(new Set(fills).size, source).to.be.at.least(3);
        for (const fill of fills) {
          const bright = (fill.match(/\d+/g) ?? []).reduce((sum, value) => sum + Number(value), 0);
          expect(bright, fill).to.be.within(colours.dark ? 120 : 500, colours.dark ? 330 : 720);
        }
      }
  });

  it("shows the sections of a journey, and a Gantt chart in full width", async () => {
    const journey = await draw("journey\n  section Go to work\n    Tea: 5: Me", theme, load);
    stage.innerHTML = journey.ok ? journey.svg : "";
    const words = [...stage.querySelectorAll("text")].find(({ textContent }) => textContent === "Go to work");
    expect(words && getComputedStyle(words).fill).to.equal("rgb(17, 17, 17)");
    const gantt = await draw("gantt\n  A task : a1, 2024-01-01, 10d", theme, load);
    stage.innerHTML = gantt.ok ? gantt.svg : "";
    expect(stage.querySelector("svg")?.viewBox.baseVal.width).to.equal(800);
  });

  it("says in a reader's words why a diagram cannot be drawn", async () => {
    for (const source of ["sequenceDiagram\n deactivate A\n A->>B: x", 'pie\n "a" : many', "xychart-beta\n line [a"]) {
      const drawing = await draw(source, theme, load);
      expect(drawing.ok || drawing.reason, source).to.match(
        /^(?:there is a mistake in line \d+|it is not valid|one of its parts cannot be drawn here)$/,
      );
    }
  });

  it("shows text that can be read on the colours of its author, in light and in dark", async () => {
    const source =
      "flowchart LR\n  a[First]:::pale --> b[Second] --> c[Third]\n  classDef pale fill:#fea\n  style b fill:#000080,stroke:#333;\n  style c fill:#fea,color:#ff0000";
    for (const shade of [theme, { ...theme, dark: true, ink: "#eeeeee", paper: "#111111" }]) {
      const drawing = await draw(source, shade, load);
      stage.innerHTML = drawing.ok ? drawing.svg : expect.fail(drawing.reason);
      const colourOf = (words: string) => {
        const text = [...stage.querySelectorAll<SVGElement>("tspan, text")]
          .reverse()
          .find(({ textContent }) => textContent?.trim() === words);
        return text && getComputedStyle(text).fill;
      };
      expect(["First", "Second", "Third"].map(colourOf)).to.deep.equal(["rgb(26, 26, 26)", "rgb(245, 245, 245)", "rgb(255, 0, 0)"]);
    }
  });

  it("tints backgrounds of sequences", async () => {
    const drawing = await draw("sequenceDiagram\n  rect rgb(200, 220, 255)\n  A->>B: Hello\n  end", { ...theme, dark: true }, load);
    expect(drawing.ok && drawing.svg).to.match(/rgba\(200, ?220, ?255, ?0?\.2\)/);
  });

  it("shows the words of tags and the signs of entities in labels, as text", async () => {
    const words = async (source: string): Promise<string> => {
      const drawing = await draw(source, theme, load);
      stage.innerHTML = drawing.ok ? drawing.svg : expect.fail(drawing.reason);
      expect(stage.querySelector("b, i, u")).to.equal(null);
      return (stage.querySelector("svg")?.textContent ?? "").replaceAll(/\s+/g, " ");
    };
    expect(
      await words('flowchart LR\n  A["<b>Bold</b> and <i>thin</i>"] --> B["#quot;x#quot; #35; #9829; #lt;u#gt; #eacute;"]'),
    ).to.contain("Bold and thin");
    expect(stage.textContent?.replaceAll(/\s+/g, "")).to.contain('"x"#♥<u>é');
    expect(await words("classDiagram\n  class A {\n    +f() <b>x</b>\n  }\n  A --> B : #quot;is#quot;")).to.contain('"is"');
  });

  it("draws shapes whose ids are words of CSS or of participants", async () => {
    for (const [source, words] of [
      ["flowchart LR\n  image(Picture) --> url(Address)\n  src(Source) --> image", ["Picture", "Address", "Source"]],
      ["flowchart LR\n  details --> B\n  properties --> B", ["details", "properties"]],
      ["mindmap\n  root\n    Details of ice", ["Details of ice"]],
    ] as const) {
      const drawing = await draw(source, theme, load);
      expect(drawing, source).to.include({ ok: true, repaired: false });
      const text = new DOMParser().parseFromString(drawing.ok ? drawing.svg : "", "text/html").body.textContent?.replaceAll(/\s+/g, " ");
      for (const word of words) expect(text, source).to.contain(word);
    }
  });

  it("keeps words about addresses and pictures in labels", async () => {
    const source =
      'flowchart LR\n  A["use url(x) and <b class=x>bold</b> at https://a.test"] --> B@{ shape: rounded, label: "Two, three" }';
    const drawing = await draw(source, theme, load);
    const words = new DOMParser().parseFromString(drawing.ok ? drawing.svg : "", "text/html").body.textContent?.replaceAll("\u200b", "");
    for (const word of ["url(x)", "https://a.test", "bold", "Two,", "three"]) expect(words).to.contain(word);
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
    await until(() => near?.dataset.drawn !== undefined, "the near one");
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
