import { expect } from "chai";
import MarkdownIt, { type Token } from "markdown-it";
import { type CitationWriter, citationWriter } from "./citations.ts";
import { passageFixture } from "./passage.fixture.ts";

/** How many streams are made up; the whole is the same for the same seed. */
const streams = Number(process.env.CITATION_FUZZ_STREAMS ?? 10_000);
const seed = Number(process.env.CITATION_FUZZ_SEED ?? 20_261_121);

/** Marks as they should be, of other turns, forged, by halves, and everything that decides what is code. */
const pieces = [
  ..."[s1] [s2] [s3] [S1] [s1,s2] [s9] [s1,s99] 【s2】 [^1] [^2] [^7] [^12] [s [^ s1 [ ] 1] ^1] [s1](x) [^1]: [s1]:".split(" "),
  ..."` `` ``` ```` ~~~ ```js \\ word Word. Another; * - + 1. 2) > # | <b> </b> <!-- --> $ $$ \\( \\) _ ** --- === & &amp; ! ![".split(" "),
  " ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\n",
  "\n\n",
  "\n\n",
  "\r\n",
  "\n    ",
  "\n\n    ",
  "\n- ",
  "\n\n- ",
  "\n  ",
  "\n> ",
  "\n```\n",
  "\n~~~\n",
];
const passages = [1, 2, 3].map((number) => passageFixture(number, `Passage ${number} says something. And more of it.`));

/** Mulberry32. */
function randomFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** As an answer is drawn: what a browser takes for a citation is one of these tokens. */
const markdown = new MarkdownIt({ html: false, linkify: true });
markdown.inline.ruler.before("link", "citation", (state, silent) => {
  const [mark, number] = /^\[\^(\d{1,3})\]/.exec(state.src.slice(state.pos, state.pos + 7)) ?? [];
  if (!mark || !number) return false;
  if (!silent) state.push("citation", "", 0).content = String(Number(number));
  state.pos += mark.length;
  return true;
});
const tokensOf = (text: string): Token[] => markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);

function streamed(writer: CitationWriter, text: string, random: (below: number) => number): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const size = 1 + random(9);
    out += writer.push(text.slice(at, at + size));
    at += size;
  }
  return out + writer.end();
}

/** Without what a quotation and line breaks put between the parts of one stretch of code. */
const bare = (text: string): string => text.replaceAll(/[\s>]/g, "");

describe(`${streams} streams with marks of every kind`, function () {
  this.timeout(60_000 + streams * 10);

  it("show only known citations and none in code", () => {
    const random = randomFrom(seed);
    for (let stream = 0; stream < streams; stream += 1) {
      const text = Array.from({ length: 1 + random(40) }, () => pieces[random(pieces.length)]).join(random(2) ? " " : "");
      const writer = citationWriter(passages);
      const out = streamed(writer, text, random);
      const known = new Set(writer.citations().map(({ number }) => String(number)));
      const about = `stream ${stream}: ${JSON.stringify(text)} became ${JSON.stringify(out)}`;
      for (const { type, content } of tokensOf(out)) {
        if (type === "citation") expect(known.has(content), about).to.equal(true);
        if (type === "fence" || type === "code_block" || type === "code_inline")
          for (const line of content.split("\n")) if (/\[\^\d/.test(line)) expect(bare(text).includes(bare(line)), about).to.equal(true);
      }
    }
  });
});
