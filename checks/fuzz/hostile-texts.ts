/** What parsers stumble over when there is much of it: what opens and never closes, what nests, what could be read in many ways. */
const pieces = [
  ..."* ** _ __ ` ``` ~~~ [ ] ( ) ![ [[ < > </ & &amp &#x # - + | \\ ! $ $$ \\( \\[ { } :: ::: > : [^ ]( ](< [](".split(" "),
  ..."<a <!-- <![CDATA[ <?x [s1] [^1] **a* _a_b [a](b) |a|b| {.c #d} `a`` <details> $\u007b \\begin{a} a@ http:// www. 1. é \u0300 \u202e 👩‍".split(
    " ",
  ),
  "\n",
  "\n\n",
  "> ",
  "- ",
  "  - ",
  "\t",
  " ",
  "\n> - ",
  "\n1. ",
  "\n|a|b|\n|-|-|",
  "\n:::\n",
  "\n```\n",
  "\n# ",
  "a\n===\n",
  "[a]: b\n",
  "x ",
  "- [ ] ",
  "\n    ",
  "![[a#",
  "[[a|",
  "{% a b=",
  "{{< a ",
  "==a",
  "++a",
  "%%",
  "<A b={",
  "<A {...",
  "{/*",
];

/** Hostile texts of at most so many characters: each piece again and again, alone, behind a letter, between two others, and closed at last. */
export function* hostileTexts(length: number): Generator<{ name: string; text: string }> {
  for (const piece of pieces) {
    const many = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const name = JSON.stringify(piece);
    yield { name: `${name} again and again`, text: many };
    yield { name: `a letter and ${name}`, text: `a${piece}`.repeat(Math.ceil(length / (piece.length + 1))).slice(0, length) };
  }
  const nest = (open: string, close: string): string => {
    const times = Math.floor(length / (open.length + close.length));
    return open.repeat(times) + close.repeat(times);
  };
  for (const [open, close] of [
    ["[", "]"],
    ["(", ")"],
    ["*", "*"],
    ["**a ", " b**"],
    ["> ", "\n"],
    ["<b>", "</b>"],
    ["![", "](x)"],
    ["{", "}"],
    ["$", "$"],
    ["`", "`"],
  ] as const)
    yield { name: `${open} … ${close} within each other`, text: nest(open, close) };
  yield {
    name: "lists ever deeper",
    text: Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- a`)
      .join("\n")
      .slice(0, length),
  };
  yield { name: "a line without end", text: "x".repeat(length) };
  yield { name: "spaces without end, and a letter", text: `${" ".repeat(length - 1)}x` };
}
