import type { BlockData, ParseResult, SourceError } from "../blocks.ts";
import { optionalField, present, readSource, trimBlock, writeSource } from "./source.ts";

/** `core.math`: header `label`, `caption`; then one displayed formula in TeX, bare or between `$$` and `$$` or `\[` and `\]`. */
export function parseMath(text: string): ParseResult<"core.math"> {
  const source = readSource(text, ["label", "caption"]);
  const { errors } = source;
  const { tex, line } = stripDelimiters(source.body, source.bodyLine);
  if (!tex && errors.length === 0)
    errors.push({ line: source.bodyLine, message: "There is no formula. Write it in TeX between two lines `$$`." });
  errors.push(...checkTex(tex, line));
  if (errors.length) return { ok: false, errors };
  return {
    ok: true,
    data: { tex, ...present("label", optionalField(source, "label")), ...present("caption", optionalField(source, "caption")) },
  };
}

export function formatMath({ tex, label, caption }: BlockData["core.math"]): string {
  return writeSource({ label, caption }, `$$\n${tex}\n$$`);
}

function stripDelimiters(body: string, line: number): { tex: string; line: number } {
  for (const [open, close] of [
    ["$$", "$$"],
    ["\\[", "\\]"],
  ] as const) {
    if (body.length < 4 || !body.startsWith(open) || !body.endsWith(close)) continue;
    const inner = body.slice(2, -2);
    const blank = inner.length - inner.trimStart().length;
    return { tex: trimBlock(inner).trimStart(), line: line + inner.slice(0, blank).split("\n").length - 1 };
  }
  return { tex: body.trimStart(), line };
}

/**
 * What can be told of TeX without typesetting it: braces and `\begin…\end` must pair up, and `$$` cannot stand inside.
 * One pass over the text.
 */
export function checkTex(tex: string, firstLine: number): SourceError[] {
  const open: { what: string; line: number }[] = [];
  let line = firstLine;
  const token = /\\(?:begin|end)[ \t]*\{([A-Za-z]{1,30}\*?)\}|\\[\s\S]|%[^\n]*|\$\$|[{}\n]/g;
  for (const match of tex.matchAll(token)) {
    const [text, environment] = match;
    if (text === "\n" || text === "\\\n") line += 1;
    else if (text === "$$") return [{ line, message: "`$$` cannot stand inside a formula: one block holds one formula." }];
    else if (text === "{") open.push({ what: "{", line });
    else if (text === "}" || text.startsWith("\\end")) {
      if (text.startsWith("\\end") && environment === undefined) continue;
      const wanted = environment ?? "{";
      const last = open.pop();
      if (last?.what !== wanted) return [{ line, message: mismatch(last, wanted) }];
    } else if (environment !== undefined) open.push({ what: environment, line });
  }
  const left = open.at(-1);
  if (!left) return [];
  return [
    {
      line: left.line,
      message: left.what === "{" ? "This `{` is never closed." : `\`\\begin{${left.what}}\` has no \`\\end{${left.what}}\`.`,
    },
  ];
}

function mismatch(last: { what: string; line: number } | undefined, wanted: string): string {
  const closing = wanted === "{" ? "`}`" : `\`\\end{${wanted}}\``;
  if (!last) return `This ${closing} closes nothing.`;
  const opened = last.what === "{" ? "`{`" : `\`\\begin{${last.what}}\``;
  return `This ${closing} comes where ${opened} of line ${last.line} should be closed first.`;
}
