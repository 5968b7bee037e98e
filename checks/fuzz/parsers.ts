import { svgFacts } from "@colloquy/command-api/explainers/storyboard/svg-facts.ts";
import { citationWriter } from "@colloquy/command-api/grounding/citations.ts";
import { passageFixture } from "@colloquy/command-api/grounding/passage.fixture.ts";
import { splitSentences } from "@colloquy/command-api/grounding/quote.ts";
import { SvgRefused, sanitizeSvg } from "@colloquy/command-api/publication/svg.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { blockTypes } from "@colloquy/schemas/courses/authored.ts";
import { headingsOf, linksOf } from "@colloquy/schemas/courses/markdown-text.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { generatedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { formulasInLine, lineWithFormulas } from "@colloquy/ui/rendering/line-formulas.ts";
import { renderMarkdown } from "@colloquy/ui/rendering/markdown.ts";
import { advance, startStreaming } from "@colloquy/ui/rendering/streaming.ts";
import { importers } from "./importers.ts";

/** A parser of foreign text, with an empty folder for its files. Only that it terminates, and refuses with an error of its own, matters here. */
export type Parser = (text: string, folder: string) => unknown;

const { blockLength, titleLength } = bounds.course;
const { answerLength } = bounds.ask;
/** In how many pieces a stream comes. */
const deltas = 6;
const piecesOf = (text: string): number[] => Array.from({ length: deltas }, (_, at) => Math.ceil((text.length * (at + 1)) / deltas));

/** Each with the length of the texts it is tried with, in characters: as long as they may be where they come from. */
export const parsers: Readonly<Record<string, { parse: Parser; length: number }>> = {
  ...Object.fromEntries(
    blockTypes.map((type) => [
      `source of ${type}`,
      { parse: (source: string) => parseBlock({ id: "block-0001", type, source }), length: blockLength },
    ]),
  ),
  "Markdown of a page": { parse: (text) => renderMarkdown(text), length: blockLength },
  "headings and links of a text": { parse: (text) => [headingsOf(text), linksOf(text)], length: blockLength },
  "formulas of a line": { parse: (text) => [formulasInLine(text), lineWithFormulas(text)], length: blockLength },
  "an answer as it streams": {
    parse: (text) => {
      let { state } = { state: startStreaming({ citations: "pending" }) };
      for (const end of piecesOf(text)) ({ state } = advance(state, text.slice(0, end), end >= text.length));
    },
    length: answerLength,
  },
  "citation marks of a model": {
    parse: (text) => {
      const writer = citationWriter([passageFixture(1, "A passage.")]);
      let at = 0;
      for (const end of piecesOf(text)) {
        writer.push(text.slice(at, end));
        at = end;
      }
      return writer.end();
    },
    length: answerLength,
  },
  "sentences of a passage": { parse: splitSentences, length: blockLength },
  "a drawing (SVG)": {
    parse: (text) => {
      for (const inner of [text, `<style>${text}</style>`, `<text style="${text}">`, `<!DOCTYPE svg [${text}]>`])
        refusing(() => sanitizeSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`)));
      refusing(() => sanitizeSvg(Buffer.from(text)));
    },
    length: bounds.course.assetBytes / 64,
  },
  "the letters of a picture": {
    parse: (text) => {
      for (const inner of [text, `<text style="${text}">a</text>`, `<g transform="${text}"><text font-size="${text}">a</text></g>`])
        svgFacts(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`, { width: 100, height: 100 });
    },
    length: filmBounds.figure.bytes / 8,
  },
  "a model's storyboard": {
    parse: (text) => {
      for (const said of [text, text.slice(0, titleLength), text.slice(0, filmBounds.headingLength)])
        generatedStoryboard.safeParse({
          title: said,
          scenes: Array(7).fill({ kind: "points", heading: said, points: Array(9).fill(said) }),
        });
    },
    length: modelBounds.gateway.repairLength,
  },
  ...importers,
};

/** @throws what is no refusal: that is a mistake of ours. */
function refusing(make: () => unknown): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof SvgRefused)) throw error;
  }
}
