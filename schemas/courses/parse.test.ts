import { expect } from "chai";
import fc from "fast-check";
import { bounds } from "../bounds.ts";
import { type BlockType, blockTypes } from "./authored.ts";
import { type BlockData, calloutKinds, type ParsedBlock, type Question, questionLevels, questionPlaces } from "./blocks.ts";
import { formatBlock, parseBlock } from "./parse.ts";
import { checkTex } from "./parsers/math.ts";
import { trimBlock } from "./parsers/source.ts";

const parse = (type: BlockType, source: string) => parseBlock({ id: "block-01", type, source });

function dataOf<Type extends BlockType>(type: Type, source: string): BlockData[Type] {
  const result = parse(type, source);
  if (!result.ok) throw new Error(result.errors.map((error) => `${error.line}: ${error.message}`).join("\n"));
  return result.block.data as BlockData[Type];
}

function errorsOf(type: BlockType, source: string): { line: number; message: string }[] {
  const result = parse(type, source);
  return result.ok ? [] : result.errors;
}

describe("block sources", () => {
  it("theory is Markdown as it stands", () => {
    expect(dataOf("core.theory", "\n\n## Title\r\n\r\nText\n\n")).to.deep.equal({ markdown: "## Title\n\nText" });
    expect(dataOf("core.theory", "---\n\nA rule above")).to.deep.equal({ markdown: "---\n\nA rule above" });
  });

  it("key points are a list, with nested and lazy lines", () => {
    const source = "---\ntitle: Remember\n---\n- One\n  goes on\n* Two\n\n  - nested\n1. Three\nlazily";
    expect(dataOf("core.key-points", source)).to.deep.equal({
      title: "Remember",
      points: ["One\ngoes on", "Two\n\n- nested", "Three\nlazily"],
    });
  });

  it("a callout has a kind, a title, and may be folded", () => {
    expect(dataOf("core.callout", "---\nkind: warning\ntitle: Take care: it bites\nfolded: true\n---\n\nText")).to.deep.equal({
      kind: "warning",
      title: "Take care: it bites",
      folded: true,
      markdown: "Text",
    });
    expect(dataOf("core.callout", "Only text")).to.deep.equal({ kind: "note", folded: false, markdown: "Only text" });
  });

  it("code is kept to the letter, fenced or bare", () => {
    expect(dataOf("core.code", "---\nrole: output\ntitle: Result\n---\n```text\n\n  two\n\n```")).to.deep.equal({
      language: "text",
      role: "output",
      title: "Result",
      code: "\n  two\n",
    });
    expect(dataOf("core.code", "ls -l | wc")).to.deep.equal({ language: "text", role: "input", code: "ls -l | wc" });
    expect(dataOf("core.code", "---\nlanguage: c++\n---\nint x;").language).to.equal("c++");
    expect(dataOf("core.code", "````md\n```\ninner\n```\n````").code).to.equal("```\ninner\n```");
  });

  it("a figure is named by a header or by an image line", () => {
    const figure = { path: "assets/a b.svg", alt: "A tree", caption: "See *this*." };
    expect(dataOf("core.figure", "---\npath: assets/a b.svg\nalt: A tree\n---\nSee *this*.")).to.deep.equal(figure);
    expect(dataOf("core.figure", "![A tree](<assets/a b.svg>)\n\nSee *this*.")).to.deep.equal(figure);
    expect(dataOf("core.figure", '---\npath: x.png\nalt: ""\n---')).to.deep.equal({ path: "x.png", alt: "" });
  });

  it("a diagram says what it shows", () => {
    const source = '---\ndescription: "A: then B"\n---\n```mermaid\nflowchart LR\n  A --> B\n```';
    expect(dataOf("core.diagram", source)).to.deep.equal({
      language: "mermaid",
      description: "A: then B",
      code: "flowchart LR\n  A --> B",
    });
  });

  it("mathematics is TeX with or without delimiters", () => {
    for (const source of ["x^2", "$$x^2$$", "$$\nx^2\n$$", "\\[ x^2 \\]"])
      expect(dataOf("core.math", source)).to.deep.equal({ tex: "x^2" });
    expect(dataOf("core.math", "---\nlabel: square\ncaption: Its $x$.\n---\n$$\nx^2\n$$")).to.deep.equal({
      tex: "x^2",
      label: "square",
      caption: "Its $x$.",
    });
  });

  it("a table has headings, alignment, and rows filled up", () => {
    expect(dataOf("core.table", "---\ncaption: C\n---\n| a | b \\| c | |\n|:--|:-:|--:|\n| 1 |\n| `x` | 2 | 3 |")).to.deep.equal({
      caption: "C",
      align: ["left", "center", "right"],
      header: ["a", "b | c", ""],
      rows: [
        ["1", "", ""],
        ["`x`", "2", "3"],
      ],
    });
  });

  it("an exercise has hints and solutions", () => {
    const source = "---\ntitle: Try\n---\nDo it.\n\n\\::: not a mark\n\n::: hint\nThink.\n:::\n::: solution In one line\n`x`\n:::\n";
    expect(dataOf("core.exercise", source)).to.deep.equal({
      title: "Try",
      markdown: "Do it.\n\n::: not a mark",
      hints: ["Think."],
      solutions: [{ title: "In one line", markdown: "`x`" }],
    });
  });
});

describe("errors in block sources say where and what to do", () => {
  const cases: [BlockType, string, number, RegExp][] = [
    ["core.theory", " \n", 1, /empty/],
    ["core.theory", "one\ntwo\u0007", 2, /control character \(U\+0007\)/],
    ["core.key-points", "Text", 1, /begin each key point with `- `/],
    ["core.key-points", "- one\n-\n- two", 2, /empty/],
    ["core.key-points", "---\ntitle: x\n---\n", 4, /no key point/],
    ["core.callout", "---\nkind: strange\n---\nx", 2, /`kind: strange` is not known.*note, tip/],
    ["core.callout", "---\nkind: note\ncolour: red\n---\nx", 3, /`colour` is not a key.*`folded`/],
    ["core.callout", "---\nkind: note\nkind: tip\n---\nx", 3, /stands twice/],
    ["core.callout", "---\nkind: note\nx", 1, /close it with a line `---`/],
    ["core.callout", "---\nno colon\n---\nx", 2, /Expected `key: value`/],
    ["core.callout", '---\ntitle: "open\n---\nx', 2, /not closed/],
    ["core.code", "```js\nlet x", 1, /no end/],
    ["core.code", "```js\nlet x\n```\nafter", 4, /text after the code/],
    ["core.code", "```js extra\nx\n```", 1, /only the name of a language/],
    ["core.code", "---\nlanguage: js\n---\n```ts\nx\n```", 2, /keep one/],
    ["core.code", "```\n\n```", 1, /no code/],
    ["core.figure", "Just text", 1, /which picture/],
    ["core.figure", "---\npath: assets/x.svg\n---", 2, /`alt: …`/],
    ["core.figure", "---\npath: ../x.svg\nalt: x\n---", 2, /not a path inside the course/],
    ["core.figure", "---\npath: https://example.org/x.svg\nalt: x\n---", 2, /not a path inside the course/],
    ["core.diagram", "flowchart LR", 1, /`description: …`/],
    ["core.diagram", "---\ndescription: x\n---\n```dot\nx\n```", 4, /`mermaid`, not in `dot`/],
    ["core.math", "\n$$\na\n{b\n$$", 4, /never closed/],
    ["core.math", "$$\n\\begin{matrix} 1 \\\\\n\\end{pmatrix}\n$$", 3, /`\\begin\{matrix\}` of line 2/],
    ["core.math", "x\n}", 2, /closes nothing/],
    ["core.math", "$$a$$ and $$b$$", 1, /one formula/],
    ["core.table", "| a |\n| b |", 2, /a line such as/],
    ["core.table", "| a | b |\n|---|", 2, /2 headings but 1 columns/],
    ["core.table", "| a |\n|---|\n| 1 | 2 |", 3, /`\\\|` for a bar/],
    ["core.table", "| a |\n|---|\n\n| 1 |", 3, /no empty lines/],
    ["core.exercise", "Do\n::: hint\nx", 2, /close it with a line `:::`/],
    ["core.exercise", "Do\n::: answer\nx\n:::", 2, /`::: hint` or `::: solution`/],
    ["core.exercise", "Do\n::: hint\nx\n:::\nmore", 5, /Move it above/],
    ["core.exercise", "Do\n::: hint\n::: solution\n:::", 3, /Close the hint of line 2/],
    ["core.exercise", "Do\n::: solution\n\n:::", 2, /solution is empty/],
    ["core.exercise", "::: hint\nx\n:::", 1, /no task/],
  ];
  for (const [type, source, line, message] of cases)
    it(`${type}: ${JSON.stringify(source)}`, () => {
      const errors = errorsOf(type, source);
      expect(errors.map((error) => error.line)).to.include(line);
      expect(errors.find((error) => error.line === line)?.message).to.match(message);
    });
});

describe("TeX is checked without typesetting it", () => {
  it("escapes, comments and nested environments do not confuse it", () => {
    const tex = "\\{ \\begin{cases} a & \\text{if } x \\\\ % } not counted\n b & \\begin{matrix}1\\end{matrix} \\end{cases} \\}";
    expect(checkTex(tex, 1)).to.deep.equal([]);
  });
});

const text = (letters: string[]) => fc.array(fc.constantFrom(...letters), { maxLength: 25 }).map((parts) => parts.join(""));
const markdown = text([
  "a",
  "word ",
  "\n",
  "\n\n",
  "`",
  "```",
  "---\n",
  "- ",
  "::: hint",
  "\n:::",
  "\\:::",
  "|",
  "$",
  "é",
  "#",
  "  ",
  '"',
  ":",
  "{",
])
  .map((value) => trimBlock(value))
  .filter((value) => value !== "");
const line = text(["a", "b c", " ", '"', ":", "-", "`", "|", "ü", "\\", "#"]).map((value) => value.trim());
const title = line.filter((value) => value !== "");
const optional = <Name extends string>(name: Name, value: fc.Arbitrary<string>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [name]: given }) as { [Key in Name]?: string });
const codeText = text(["x", " ", "\n", "```", "````", "~~~", "---", "|", "\t"]).filter((value) => value.trim() !== "");

/** Fences are closed: an open one would hide what follows. */
const questionText = text([
  "a",
  "word ",
  "\n",
  "`",
  "\n```\n",
  "- [x] ",
  "= ",
  "1. ",
  "- a => b",
  "::: hint",
  "\n:::",
  "\\:::",
  "\\- [ ] ",
  "> ",
  "  ",
  "é",
])
  .map((value) => trimBlock(value).trimStart())
  .map((value) => ((value.match(/^[\s>]*(?:[-*+] +|\d+[.] +)?(?:\[x\] +)?```/gm) ?? []).length > 0 ? value.replaceAll("```", "x") : value))
  .filter((value) => value !== "");
const distinctTexts = (values: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.uniqueArray(values, { minLength, maxLength, selector: (value) => value.replaceAll(/\s+/g, " ") });
const inLine = text(["a", "b c", "=>", "\\", "|", "]", "[", "`", "x"]).map((value) => `${value}z`.trim());
const withCommon = <Key extends object>(key: fc.Arbitrary<Key>) =>
  fc
    .tuple(
      optional("objective", fc.constant("objective-1")),
      fc.constantFrom(...questionLevels),
      fc.constantFrom(...questionPlaces),
      fc.constantFrom<string[]>([], ["block-one"], ["block-one", "block-two"]),
      questionText,
      fc.array(questionText, { maxLength: 2 }),
      questionText,
      key,
    )
    .map(([head, level, place, about, markdown, hints, explanation, own]) => ({
      ...head,
      level,
      place,
      about,
      markdown,
      hints,
      explanation,
      ...own,
    }));
const choice = (correct: boolean) => (markdown: string) =>
  fc.option(questionText, { nil: undefined }).map((feedback) => ({ markdown, correct, ...(feedback !== undefined && { feedback }) }));
const choicesOf = (rights: number) =>
  distinctTexts(questionText, 3, 5).chain((texts) => fc.tuple(...texts.map((one, index) => choice(index < rights)(one))));
const questions = fc.oneof(
  withCommon(choicesOf(1).map((choices) => ({ kind: "single" as const, choices }))),
  withCommon(choicesOf(2).map((choices) => ({ kind: "multiple" as const, choices }))),
  withCommon(fc.array(inLine, { minLength: 1, maxLength: 3 }).map((accepted) => ({ kind: "text" as const, accepted }))),
  withCommon(
    fc
      .tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), fc.constantFrom(0, 0.5), optional("unit", title))
      .map(([value, tolerance, head]) => ({ kind: "number" as const, value: value === 0 ? 0 : value, tolerance, ...head })),
  ),
  withCommon(distinctTexts(questionText, 3, 5).map((items) => ({ kind: "order" as const, items }))),
  withCommon(
    distinctTexts(inLine, 6, 6).map(([a = "", b = "", c = "", d = "", ...extra]) => ({
      kind: "match" as const,
      pairs: [
        { left: a, right: b },
        { left: c, right: d },
      ],
      extra,
    })),
  ),
  withCommon(
    fc
      .array(fc.array(inLine, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 2 })
      .map((gaps) => ({ kind: "gap" as const, gaps })),
  ).map((data) => ({ ...data, markdown: `${data.markdown}\n[[1]] \\[[ [[2]]` })),
  withCommon(
    fc
      .tuple(fc.array(questionText, { minLength: 2, maxLength: 3 }), questionText)
      .map(([rubric, answer]) => ({ kind: "free" as const, rubric, answer })),
  ),
) satisfies fc.Arbitrary<Question>;

const blocks: { [Type in BlockType]: fc.Arbitrary<BlockData[Type]> } = {
  "core.theory": fc.record({ markdown }),
  "core.key-points": fc
    .tuple(
      optional("title", title),
      fc.array(
        markdown.map((value) => value.trimStart()),
        { minLength: 1, maxLength: 4 },
      ),
    )
    .map(([head, points]) => ({ ...head, points })),
  "core.callout": fc
    .tuple(fc.constantFrom(...calloutKinds), optional("title", title), fc.boolean(), markdown)
    .map(([kind, head, folded, body]) => ({ kind, ...head, folded, markdown: body })),
  "core.code": fc
    .tuple(fc.constantFrom("bash", "c++", "text"), fc.constantFrom("input", "output", "error"), optional("title", title), codeText)
    .map(([language, role, head, code]) => ({ language, role, ...head, code })),
  "core.figure": fc
    .tuple(fc.constantFrom("assets/a.svg", "x y.png"), line, optional("caption", markdown))
    .map(([path, alt, head]) => ({ path, alt, ...head })),
  "core.diagram": fc
    .tuple(title, optional("caption", title), codeText)
    .map(([description, head, code]) => ({ language: "mermaid" as const, description, ...head, code })),
  "core.math": fc
    .tuple(
      text(["x", " + ", "\n", "\\frac{1}{2}", "\\{", "% c\n"])
        .map((value) => value.trim())
        .filter((value) => value !== ""),
      optional("label", title),
      optional("caption", title),
    )
    .map(([tex, label, caption]) => ({ tex, ...label, ...caption })),
  "core.table": fc.integer({ min: 1, max: 4 }).chain((columns) => {
    const cells = fc.array(line, { minLength: columns, maxLength: columns });
    return fc
      .tuple(
        optional("caption", title),
        fc.array(fc.constantFrom("left", "center", "right", null), { minLength: columns, maxLength: columns }),
        cells.filter((row) => row.some((cell) => cell !== "") || columns > 1),
        fc.array(cells, { maxLength: 4 }),
      )
      .map(([head, align, header, rows]) => ({ ...head, align, header, rows }));
  }),
  "core.exercise": fc
    .tuple(
      optional("title", title),
      markdown,
      fc.array(markdown, { maxLength: 2 }),
      fc.array(
        fc
          .tuple(
            optional(
              "title",
              title.map((value) => value.replaceAll(/\s+/g, " ")),
            ),
            markdown,
          )
          .map(([head, body]) => ({ ...head, markdown: body })),
        { maxLength: 2 },
      ),
    )
    .map(([head, body, hints, solutions]) => ({ ...head, markdown: body, hints, solutions })),
  "core.question": questions,
};

describe("writing a block and reading it again", () => {
  for (const type of blockTypes)
    it(`gives the same ${type}`, () => {
      fc.assert(
        fc.property(blocks[type] as fc.Arbitrary<BlockData[BlockType]>, (data) => {
          const parsed = { id: "block-01", type, data } as ParsedBlock;
          const source = formatBlock(parsed);
          expect(parse(type, source), source).to.deep.equal({ ok: true, block: parsed });
        }),
        { numRuns: 300 },
      );
    });

  it("settles after one round whatever the source was", () => {
    const soup = text([
      "---\n",
      "title: x\n",
      "kind: tip\n",
      "- ",
      "| a |\n",
      "|---|\n",
      "```\n",
      "::: hint\n",
      ":::\n",
      "text\n",
      "![a](b)\n",
      "kind: single\n",
      "kind: order\n",
      "- [x] ",
      "- [ ] b\n",
      "> c\n",
      "1. a\n",
      "= 1\n",
      "[[a]]",
      "::: explanation\n",
      "$$",
      "{",
      "}",
      "\n",
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...blockTypes), soup, (type, source) => {
        const first = parse(type, source);
        if (!first.ok) {
          expect(first.errors.length).to.be.greaterThan(0);
          const lines = source.split("\n").length;
          for (const error of first.errors) expect(error.line).to.be.within(1, lines + 1);
          return;
        }
        const written = formatBlock(first.block);
        expect(parse(type, written), written).to.deep.equal(first);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("hostile sources", () => {
  // Each of these takes minutes for a parser that goes back over what it has read.
  const size = bounds.course.blockLength;
  const hostile = [
    "[",
    "](",
    "`",
    "``` ",
    "$",
    "\\begin{",
    "{",
    "|",
    "- ",
    ":::",
    "\\",
    "---\n",
    "> ",
    "![",
    "<",
    "\n",
    " ",
    "*",
    "# ",
    "\\begin  ",
  ];
  for (const unit of hostile)
    it(`made of ${JSON.stringify(unit)} are read in one pass`, () => {
      const source = unit.repeat(Math.floor(size / unit.length));
      for (const type of blockTypes) parse(type, source);
      for (const head of ["---\npath: x\nalt: y\n---\n![", "| a |\n|---|\n", "Do\n::: hint\n"])
        for (const type of blockTypes) parse(type, `${head}${source}\u2028x`);
    });
});
