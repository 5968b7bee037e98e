import { expect } from "chai";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { citationWriter } from "./citations.ts";
import { passageFixture } from "./passage.fixture.ts";

const passages = [
  passageFixture(1, "A pipe joins two programs. The output of the left one is the input of the right one."),
  passageFixture(2, "The command sort reads every line first. Only then does it print."),
  passageFixture(3, "A filter reads lines and writes lines."),
];

function rewrite(chunks: string[]) {
  const writer = citationWriter(passages);
  const text = chunks.map((chunk) => writer.push(chunk)).join("") + writer.end();
  return { text, citations: writer.citations(), claims: writer.claims() };
}

/** A reader of Markdown that takes a mark for a citation as the browser does. */
const markdown = new MarkdownIt({ html: false });
markdown.inline.ruler.before("link", "citation", (state, silent) => {
  const mark = /^\[\^(\d{1,3})\]/.exec(state.src.slice(state.pos, state.pos + 7));
  if (!mark?.[1]) return false;
  if (!silent) state.push("citation", "", 0).content = mark[1];
  state.pos += mark[0].length;
  return true;
});
const shownIn = (text: string): string[] =>
  markdown.parse(text, {}).flatMap(({ children }) => (children ?? []).flatMap(({ type, content }) => (type === "citation" ? content : [])));

/** The marks that stand in a text for none of its claims: forged ones, and those of sources nobody knows. */
function forged({ text, claims }: ReturnType<typeof rewrite>): string[] {
  const real = claims.flatMap(({ marks }) => marks.map(({ number }) => String(number)));
  const shown = shownIn(text);
  for (const number of real) if (shown.includes(number)) shown.splice(shown.indexOf(number), 1);
  return shown;
}

describe("the citation writer", () => {
  it("numbers markers in order of first use and keeps a number for its passage", () => {
    const { text, citations } = rewrite(["Sort waits [s2]. Pipes join [s1][s2]. Again [s1]."]);
    expect(text).to.equal("Sort waits[^1]. Pipes join[^2][^1]. Again[^2].");
    expect(citations.map(({ number, sourceId }) => [number, sourceId])).to.deep.equal([
      [1, "source-of-s2"],
      [2, "source-of-s1"],
    ]);
  });

  it("quotes the sentence of the passage that resembles the answer's", () => {
    const { citations } = rewrite(["Everything is read before anything. It prints only then [s2]."]);
    expect(citations[0]?.quote).to.equal("Only then does it print.");
  });

  it("numbers each sentence of a passage that is cited, and none again", () => {
    const { text, citations } = rewrite([
      "A pipe joins two programs [s1]. The left output becomes the right input [s1]. So programs are joined by a pipe [s1]. Nice [s1].",
    ]);
    expect(text).to.match(/programs\[\^1\]\. .* input\[\^2\]\. .* pipe\[\^1\]\. Nice\[\^1\]\.$/);
    expect(citations.map(({ number, quote }) => [number, quote])).to.deep.equal([
      [1, "A pipe joins two programs."],
      [2, "The output of the left one is the input of the right one."],
    ]);
  });

  it("understands lists, capitals and full-width brackets", () => {
    expect(rewrite(["A [S1, s2] b 【s3】 c"]).text).to.equal("A[^1][^2] b[^3] c");
  });

  it("drops markers of unknown passages and footnote marks", () => {
    const { text, citations } = rewrite(["True [s9]. False [^1]. Mixed [s9, s1]."]);
    expect(text).to.equal("True. False. Mixed[^1].");
    expect(citations).to.have.length(1);
  });

  it("forms no mark and no fence from the text around a dropped marker", () => {
    for (const [text, expected] of [
      ["A[s1] made up [^[s9]1].", "A[^1] made up [^ 1]."],
      ["[[s9]^1]", "[ ^1]"],
      ["[^1[^2]]", "[^1 ]"],
      ["[[s9]s1] [[s1] ^1]", "[ s1] [[^1] ^1]"],
      ["a `[s9]`` [^7] ``", "a ` `` [^7] ``"],
      ["[s9]~~~\n[s1]\n~~~\n[^5]", "~~~\n[s1]\n~~~\n"],
      ["[s9]- a\n\n    [^5]", "- a\n\n"],
    ] as const)
      expect(rewrite([text]).text, text).to.equal(expected);
  });

  it("drops a marker that the end cuts off", () => {
    for (const text of ["cut [s1", "cut [s1, ", "cut 【s", "cut [^", "cut ["]) expect(rewrite([text]).text).to.equal("cut");
  });

  it("cites a source once at one place", () => {
    expect(rewrite(["A [s1][s1] [s1]. B [s1]."]).text).to.equal("A[^1]. B[^1].");
  });

  it("leaves code unchanged", () => {
    for (const code of [
      "`a[s1]`",
      "``a ` [s1]``",
      "```js\nlist[s1]\n```\n",
      "~~~\n[s1]\n```\n[s2]\n~~~\n",
      "text\n\n    indented [s1]\n\n",
      "- item\n  ```\n  x[s1]\n  ```\n",
    ])
      expect(rewrite([code]).text).to.equal(code);
  });

  it("cites after code and after an unclosed backtick", () => {
    expect(rewrite(["`x` [s1] ```not a fence``` [s2]"]).text).to.equal("`x`[^1] ```not a fence```[^2]");
    expect(rewrite(["A ` alone [s1]\n\nnext ` [s2]"]).text).to.equal("A ` alone[^1]\n\nnext `[^2]");
    expect(rewrite(["```\nopen fence [s1]\n```\nafter [s2]"]).text).to.equal("```\nopen fence [s1]\n```\nafter[^1]");
  });

  it("cites inside lists and quotes", () => {
    expect(rewrite(["- one [s1]\n- two [s2]\n\n    still the list [s3]\n"]).text).to.equal(
      "- one[^1]\n- two[^2]\n\n    still the list[^3]\n",
    );
    expect(rewrite(["> quoted [s1]\n"]).text).to.equal("> quoted[^1]\n");
  });

  it("keeps other brackets", () => {
    for (const text of ["[link](https://example.org)", "[ ] task", "[s]", "[sort]", "\\[s1]", "a [1] b", "[s12345]"])
      expect(rewrite([text]).text).to.equal(text);
  });

  it("never emits part of a marker, wherever chunks end", () => {
    const text = "One [s1] two【s2】 three [s1, s9] `code [s1]`\n```\n[s2]\n```\n four [^7] [s3].";
    const whole = rewrite([text]).text;
    for (let cut = 0; cut <= text.length; cut += 1) {
      const writer = citationWriter(passages);
      const first = writer.push(text.slice(0, cut));
      expect(whole.startsWith(first), `cut at ${cut}`).to.equal(true);
      expect(first + writer.push(text.slice(cut)) + writer.end()).to.equal(whole);
    }
  });

  const pieces = "[s1]|[s2, s3]|[s9]|[^3]|[^|^|1|【s1】|【|】| |\n|\n\n|`|``|```|~~~|word|- |1. |> |    |[|]|s1|s9|\\|.|[s|(".split("|");

  /** Each text whole, and as a stream of other pieces. */
  const property = (piece: fc.Arbitrary<string>, check: (whole: ReturnType<typeof rewrite>) => void) =>
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(12), { maxLength: 60 }), (all, sizes) => {
      const text = all.join("");
      const chunks: string[] = [];
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        const size = (sizes[turn % Math.max(1, sizes.length)] ?? 3) + 1;
        chunks.push(text.slice(at, at + size));
        at += size;
      }
      const whole = rewrite([text]);
      const cut = rewrite(chunks);
      expect(cut.text).to.equal(whole.text);
      expect(cut.citations).to.deep.equal(whole.citations);
      check(whole);
    });

  it("gives the same text for every chunking of 10,000 streams", () => {
    const check = (whole: ReturnType<typeof rewrite>) => expect(forged(whole), whole.text).to.deep.equal([]);
    fc.assert(property(fc.constantFrom(...pieces), check), { numRuns: 10_000, seed: 20_261_121 });
  }).timeout(120_000);

  it("takes bounded time for hostile text", () => {
    const hostile = [
      "1".repeat(60_000),
      " ".repeat(60_000),
      "`".repeat(60_001),
      "` ".repeat(30_000),
      "[s".repeat(30_000),
      "[s1, ".repeat(12_000),
      "> ".repeat(30_000),
    ];
    for (const text of hostile) {
      const got = rewrite(text.match(/.{1,7}/gs) ?? []).text;
      expect(text.startsWith(got)).to.equal(true);
      expect(text.slice(got.length)).to.match(/^(\[s| \[s1, )?$/);
    }
  });
});
