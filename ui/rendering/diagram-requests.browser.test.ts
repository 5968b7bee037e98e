import { expect } from "chai";
import { load, theme } from "./diagram.fixture.ts";
import { draw } from "./diagram.ts";

const foreign = "http://foreign.test:9";
const asking: Record<string, string> = {
  "a picture of a shape": `flowchart LR\n  A@{ img: "${foreign}/1", label: "x", pos: "t" } --> B`,
  "a picture with a quoted key": `flowchart LR\n  A@{ "\\x69mg": "${foreign}/2", label: "x" } --> B`,
  "a picture over several lines": `flowchart LR\n  A@{\n    ? img\n    : "${foreign}/3"\n    !!str img: "${foreign}/3"\n    label: "x"\n  } --> B`,
  "an image in a label": `flowchart LR\n  A["<img src='${foreign}/4'>"] --> B`,
  "HTML labels by a directive": `%%{init: {"htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src='${foreign}/5'> <b style='background:url(${foreign}/5)'>x</b>"] --> B`,
  "HTML labels by front matter": `---\nconfig:\n  htmlLabels: true\n---\nflowchart LR\n  A["<img src='${foreign}/6'>"] --> B`,
  "a theme's CSS": `%%{init: {"themeCSS": ".node { background: url(${foreign}/7); fill: \\u0075rl(${foreign}/7) } @import '${foreign}/7';"}}%%\nflowchart LR\n  A --> B`,
  "theme variables": `%%{init: {"themeVariables": {"fontFamily": "x;background:url(${foreign}/8)"}}}%%\nflowchart LR\n  A --> B`,
  "a shape that is named like a function": `flowchart LR\n  url(x) --> image(y)\n  style url fill:url(${foreign}/26)`,
  "a style behind a semicolon": `flowchart LR\n  A --> B; style A fill:url(//foreign.test:9/27)`,
  "a class's style": `flowchart LR\n  A --> B\n  classDef x fill:url(${foreign}/9),mask:u\\72l(${foreign}/9),cursor:image-set("${foreign}/9" 1x)\n  class A x`,
  "a node's style": `flowchart LR\n  A --> B\n  style A fill:url(${foreign}/10),background:url(${foreign}/10)`,
  "a participant's icon": `sequenceDiagram\n  participant A\n  properties A: {"icon": "${foreign}/11"}\n  A->>A: x`,
  "a formula in a message": `sequenceDiagram\n  participant A as $$x$$ <img src='${foreign}/12'>\n  A->>A: $$x$$ <img src='${foreign}/12'>`,
  "a coloured box": `sequenceDiagram\n  box url(${foreign}/13) Group\n  participant A\n  end\n  rect url(${foreign}/13)\n  A->>A: x\n  end`,
  "a class diagram": `classDiagram\n  class A["<img src='${foreign}/14'>"]\n  A : <img src=${foreign}/14>\n  style A fill:url(${foreign}/14)`,
  "a state": `stateDiagram-v2\n  A : <img src='${foreign}/15'>\n  note right of A : &lt;img src='${foreign}/15'&gt;`,
  "an architecture": `architecture-beta\n  service a("${foreign}/16")[x]\n  service b "<img src='${foreign}/16'>"[x]`,
  "a C4 person": `C4Context\n  Person(a, "A", "<img src='${foreign}/17'>", $sprite="${foreign}/17", $link="${foreign}/17")`,
  "a mind map": `mindmap\n  root(("<img src='${foreign}/18'>"))\n    a\n    ::icon(${foreign}/18)`,
  "a block diagram": `block-beta\n  a["<img src='${foreign}/19'>"]\n  style a fill:url(${foreign}/19)`,
  "a kanban board": `kanban\n  a[x]\n    b[y]@{ ticket: "<img src='${foreign}/20'>", assigned: "${foreign}/20" }`,
  "a journey": `journey\n  title <img src='${foreign}/21'>\n  section x\n    <img src=${foreign}/21>: 5: Me`,
  "entities in a label": `flowchart LR\n  A["#lt;img src='${foreign}/22'#gt; &lt;img src='${foreign}/22'&gt; #60;img src=${foreign}/22#62;"] --> B`,
  "a requirement": `requirementDiagram\n  requirement a {\n    text: "<img src='${foreign}/23'>"\n  }`,
  "a timeline": `timeline\n  title <img src='${foreign}/24'>\n  2000 : <img src='${foreign}/24'>`,
  "a style beside the header": `stateDiagram-v2 classDef x fill:\\75rl(${foreign}/27)\n  s1:::x --> s2`,
  "a style after a semicolon": `stateDiagram-v2\n  s1 --> s2; classDef q fill:\\75 rl(${foreign}/28)\n  class s1 q`,
  "a colour beside the header": `sequenceDiagram; rect \\75rl(${foreign}/29)\n  A->>B: y\n  end`,
  "a colour after a semicolon": `sequenceDiagram\n  participant A; rect u\\rl(${foreign}/30)\n  A->>B: y\n  end`,
  "an icon after a semicolon": `sequenceDiagram\n  participant A; properties A: {"icon": "${foreign}/31"}\n  A->>B: x`,
  "a picture behind a carriage return": `flowchart LR\n  A@{ label: x\r img: "${foreign}/32" }`,
  "an escaped name beside a decoy": `stateDiagram-v2\n  classDef x fill:\\75rl(${foreign}/33),stroke:\\75 url(a)\n  s1:::x --> s2`,
  "an escaped name beside a decoy in a class diagram": `classDiagram\n  class A:::x\n  classDef x fill:\\75rl(${foreign}/34),stroke:\\75 url(a)`,
  "a name around a directive": `stateDiagram-v2\n  classDef x fill:u%%{wrap}%%rl(${foreign}/35)\n  s1:::x --> s2`,
  "a picture beside a label of two lines": `flowchart LR\n  A@{ shape: rect, img: "${foreign}/36", label: "a\nb" } --> B`,
  "a Gantt chart": `gantt\n  title <img src='${foreign}/25'>\n  section <img src='${foreign}/25'>\n  <img src='${foreign}/25'> : a, 2020-01-01, 3d`,
};

/** Whole numbers from 0 to below `most`, the same in every run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Random = ReturnType<typeof numbers>;
const oneOf = <Value>(random: Random, values: readonly Value[]): Value => values[random(values.length)] as Value;

/** A name as CSS reads it, with escapes, and with what Mermaid takes out before CSS sees it. */
function spelled(random: Random, name: string): string {
  const parts = [...name].map((letter, index) => {
    const code = letter.charCodeAt(0).toString(16);
    const ways = [
      letter,
      letter,
      letter.toUpperCase(),
      `\\${code} `,
      `\\${code.padStart(6, "0")}`,
      `\\${code.toUpperCase().padStart(4, "0")} `,
    ];
    if (!/[a-f]/.test(letter)) ways.push(`\\${letter}`);
    if (index > 0) ways.push(`%%{wrap}%%${letter}`, `%%{a b ${letter}`, `<b>${letter}`, `#${letter.charCodeAt(0)};`);
    return oneOf(random, ways);
  });
  return parts.join("");
}

const loading: ((address: string, name: (plain: string) => string) => string)[] = [
  (address, name) => `${name("url")}(${address})`,
  (address, name) => `${name("url")}("${address}")`,
  (address, name) => `${name("src")}("${address}")`,
  (address, name) => `${name("image-set")}("${address}" 1x)`,
  (address, name) => `-webkit-${name("image-set")}(${name("url")}(${address}) 1x)`,
  (address, name) => `-webkit-cross-fade(${name("url")}(${address}), ${name("url")}(${address}), 50%)`,
  (address, name) => `${name("image")}("${address}")`,
  (address, name) => `\\75 ${name("url")}(x),mask:${name("url")}(${address})`,
  (address, name) => `${name("url")}(${address}),stroke:\\75 url(a),color:\\73 src(b)`,
];

const styled: ((style: string) => string)[] = [
  (style) => `flowchart LR\n  A:::x --> B\n  classDef x fill:${style},mask:${style},cursor:${style}`,
  (style) => `flowchart LR\n  A --> B\n  style A background:${style},mask:${style},filter:${style}`,
  (style) => `flowchart LR\n  A --> B\n  linkStyle 0 mask:${style},stroke:${style}`,
  (style) => `flowchart LR\n  A --> B\n  linkStyle default mask:${style}`,
  (style) => `stateDiagram-v2\n  classDef x fill:${style},mask:${style}\n  s1:::x --> s2`,
  (style) => `classDiagram\n  class A:::x\n  classDef x fill:${style},mask:${style}`,
  (style) => `classDiagram\n  class A\n  style A fill:${style},mask:${style}`,
  (style) => `erDiagram\n  A {\n    string b\n  }\n  style A fill:${style},mask:${style}`,
  (style) => `block-beta\n  a["x"]\n  classDef x mask:${style}\n  class a x\n  style a mask:${style}`,
  (style) => `requirementDiagram\n  requirement a {\n    id: 1\n  }\n  style a mask:${style}`,
  (style) => `quadrantChart\n  a: [0.3, 0.6] color: ${style}`,
  (style) => `sequenceDiagram\n  box ${style} Group\n  participant A\n  end\n  rect ${style}\n  A->>A: x\n  end`,
  (style) => `C4Context\n  Person(a, "A")\n  UpdateElementStyle(a, $bgColor="${style}", $fontColor="${style}")`,
  (style) => `%%{init: {"themeCSS": ${JSON.stringify(`.node { mask: ${style}; } @import '${style}';`)}}}%%\nflowchart LR\n  A --> B`,
  (style) =>
    `%%{init: {"themeVariables": {"lineColor": ${JSON.stringify(style)}, "xyChart": {"backgroundColor": ${JSON.stringify(style)}}}}}%%\nflowchart LR\n  A --> B`,
  (style) => `%%{init: {"flowchart": {"htmlLabels": true}, "fontFamily": ${JSON.stringify(`x;mask:${style}`)}}}%%\nflowchart LR\n  A --> B`,
  (style) =>
    `---\nconfig:\n  themeCSS: ${JSON.stringify(`.node { mask: ${style}; }`)}\n  themeVariables:\n    lineColor: ${JSON.stringify(style)}\n---\nflowchart LR\n  A --> B`,
  (style) =>
    `--- \nconfig:\n  look: handDrawn\n  fontFamily: ${JSON.stringify(`x;mask:${style}`)}\n---\nflowchart LR\n  A:::x --> B\n  classDef x mask:${style}`,
];

describe("requests of diagrams", function () {
  this.timeout(120_000);

  /** What another host is asked for while sources are drawn and shown. */
  async function requests(sources: readonly string[]): Promise<string[]> {
    const asked: string[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) if (name.startsWith(foreign)) asked.push(name);
    });
    observer.observe({ type: "resource" });
    // The observer sees requests that fail, or the test would show nothing.
    await new Promise((resolve) => Object.assign(new Image(), { onerror: resolve, src: `${foreign}/control?${Math.random()}` }));
    const stage = document.createElement("div");
    document.body.append(stage);
    for (const source of sources) {
      const drawing = await draw(source, theme, load);
      stage.innerHTML = drawing.ok ? drawing.svg : "";
      stage.getBoundingClientRect();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    stage.remove();
    observer.disconnect();
    expect(asked.filter((name) => name.includes("/control"))).to.have.length(1);
    return [...new Set(asked)].filter((name) => !name.includes("/control"));
  }

  it("asks nothing of another host while it draws", async () => {
    expect(await requests(Object.values(asking))).to.deep.equal([]);
  });

  it("asks nothing however names in styles are escaped", async () => {
    const random = numbers(25);
    const sources = styled.flatMap((place, at) =>
      loading.map((call, which) => place(call(`${foreign}/fuzz-${at}-${which}`, (name) => spelled(random, name)))),
    );
    expect(await requests(sources)).to.deep.equal([]);
  });
});
