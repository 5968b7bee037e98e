import { citationWriter } from "@colloquy/command-api/grounding/citations.ts";
import { passageFixture } from "@colloquy/command-api/grounding/passage-fixture.ts";
import { splitSentences } from "@colloquy/command-api/grounding/quote.ts";
import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { inFolder } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { sanitizeSvg } from "@colloquy/command-api/publication/svg.ts";
import { blockTypes } from "@colloquy/schemas/courses/authored.ts";
import { headingsOf, linksOf } from "@colloquy/schemas/courses/markdown-text.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { generatedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { formulasInLine, lineWithFormulas } from "@colloquy/ui/rendering/line-formulas.ts";
import { renderMarkdown } from "@colloquy/ui/rendering/markdown.ts";
import { advance, startStreaming } from "@colloquy/ui/rendering/streaming.ts";

/** A reader of texts that somebody else wrote. What it makes of them does not matter here, only that it comes to an end. */
export type Parser = (text: string) => unknown;

const imported =
  (importer: Importer, files: (text: string) => Record<string, string>): Parser =>
  (text) =>
    inFolder(files(text), (folder) => importer(folder, { previous: null, courseId: "hostile" })).catch(() => null);

const usual = 8_000;
/** How much of a stream comes at once, in characters. */
const delta = 2_000;

/** Each with the length of the texts it is tried with, in characters: long enough that what grows too fast never ends. */
export const parsers: Readonly<Record<string, { parse: Parser; length: number }>> = {
  ...Object.fromEntries(
    blockTypes.map((type) => [
      `source of ${type}`,
      { parse: (source: string) => parseBlock({ id: "block-0001", type, source }), length: usual },
    ]),
  ),
  "Markdown of a page": { parse: (text) => renderMarkdown(text), length: usual },
  "headings and links of a text": { parse: (text) => [headingsOf(text), linksOf(text)], length: usual },
  "formulas of a line": { parse: (text) => [formulasInLine(text), lineWithFormulas(text)], length: 4_000 },
  "an answer as it streams": {
    parse: (text) => {
      let { state } = { state: startStreaming() };
      for (let end = delta; end < text.length + delta; end += delta) ({ state } = advance(state, text.slice(0, end), end >= text.length));
    },
    length: 5_000,
  },
  "citation marks of a model": {
    parse: (text) => {
      const writer = citationWriter([passageFixture(1, "A passage.")]);
      for (let at = 0; at < text.length; at += delta) writer.push(text.slice(at, at + delta));
      return writer.end();
    },
    length: usual,
  },
  "sentences of a passage": { parse: splitSentences, length: usual },
  "a drawing (SVG)": {
    parse: (text) => attempt(() => sanitizeSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`))),
    length: usual,
  },
  "a model's storyboard": {
    parse: (text) =>
      generatedStoryboard.safeParse({ title: text, scenes: Array(7).fill({ kind: "points", heading: text, points: Array(9).fill(text) }) }),
    length: usual,
  },
  "a folder of mdBook": {
    parse: imported(importMdBook, (text) => ({
      "book.toml": '[book]\ntitle = "B"\n',
      "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n",
      "src/one.md": `# One\n\n${text}\n`,
    })),
    length: 5_000,
  },
  "a folder of a Carpentries lesson": {
    parse: imported(importCarpentries, (text) => ({
      "config.yaml": 'title: "L"\n',
      "episodes/one.md": `---\ntitle: One\n---\n\n${text}\n`,
    })),
    length: 5_000,
  },
};

function attempt(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return null;
  }
}
