import type { Block, BlockType } from "./authored.ts";
import type { BlockData, ParsedBlock, ParseResult, SourceError } from "./blocks.ts";
import { formatCallout, parseCallout } from "./parsers/callout.ts";
import { formatCode, parseCode } from "./parsers/code.ts";
import { formatDiagram, parseDiagram } from "./parsers/diagram.ts";
import { formatExercise, parseExercise } from "./parsers/exercise.ts";
import { formatFigure, parseFigure } from "./parsers/figure.ts";
import { formatKeyPoints, parseKeyPoints } from "./parsers/key-points.ts";
import { formatMath, parseMath } from "./parsers/math.ts";
import { formatQuestion, parseQuestion } from "./parsers/question.ts";
import { formatTable, parseTable } from "./parsers/table.ts";
import { formatTheory, parseTheory } from "./parsers/theory.ts";
import { remark } from "./remarks.ts";

/**
 * Source text to data and back, one parser per block type. Free of zod, so that a browser may load it;
 * the whole course is checked by `validate.ts`.
 */

type Parsers = { [Type in BlockType]: { parse: (source: string) => ParseResult<Type>; format: (data: BlockData[Type]) => string } };

const parsers: Parsers = {
  "core.theory": { parse: parseTheory, format: formatTheory },
  "core.key-points": { parse: parseKeyPoints, format: formatKeyPoints },
  "core.callout": { parse: parseCallout, format: formatCallout },
  "core.code": { parse: parseCode, format: formatCode },
  "core.figure": { parse: parseFigure, format: formatFigure },
  "core.diagram": { parse: parseDiagram, format: formatDiagram },
  "core.math": { parse: parseMath, format: formatMath },
  "core.table": { parse: parseTable, format: formatTable },
  "core.exercise": { parse: parseExercise, format: formatExercise },
  "core.question": { parse: parseQuestion, format: formatQuestion },
};

/** Parses a block's source by its type; errors carry the line within the source, from 1, and say what to do. */
export function parseBlock(block: Block): { ok: true; block: ParsedBlock } | { ok: false; errors: SourceError[] } {
  const source = block.source.replaceAll(/\r\n?/g, "\n");
  const stray = strayCharacter(source);
  if (stray) return { ok: false, errors: [stray] };
  const result = parsers[block.type].parse(source);
  return result.ok ? { ok: true, block: { id: block.id, type: block.type, data: result.data } as ParsedBlock } : result;
}

/** The inverse of `parseBlock`: a source that parses to the same data. */
export function formatBlock(parsed: Pick<ParsedBlock, "type" | "data">): string {
  const format = parsers[parsed.type].format as (data: ParsedBlock["data"]) => string;
  return format(parsed.data);
}

function strayCharacter(source: string): SourceError | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const at = source.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (at < 0) return null;
  const code = source.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return { line: source.slice(0, at).split("\n").length, ...remark("control-character", { code: `U+${code}` }) };
}
