import type { BlockData, ParseResult, SourceError } from "../blocks.ts";
import { type Remark, remark } from "../remarks.ts";
import { optionalField, present, quoted, readSource, trimBlock, writeSource } from "./source.ts";

/** `core.math`: header `label`, `caption`; then one displayed formula in TeX, bare or between `$$` and `$$` or `\[` and `\]`. */
export function parseMath(text: string): ParseResult<"core.math"> {
  const source = readSource(text, ["label", "caption"]);
  const { errors } = source;
  const { tex, line } = stripDelimiters(source.body, source.bodyLine);
  if (!tex && errors.length === 0) errors.push({ line: source.bodyLine, ...remark("math-empty", { mark: "`$$`" }) });
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
    else if (text === "$$") return [{ line, ...remark("math-within", { mark: "`$$`" }) }];
    else if (text === "{") open.push({ what: "{", line });
    else if (text === "}" || text.startsWith("\\end")) {
      if (text.startsWith("\\end") && environment === undefined) continue;
      const wanted = environment ?? "{";
      const last = open.pop();
      if (last?.what !== wanted) return [{ line, ...mismatch(last, wanted) }];
    } else if (environment !== undefined) open.push({ what: environment, line });
  }
  const left = open.at(-1);
  if (!left) return [];
  const opening = openingOf(left.what);
  const wrong = left.what === "{" ? remark("math-open", { opening }) : remark("math-no-end", { opening, closing: closingOf(left.what) });
  return [{ line: left.line, ...wrong }];
}

function mismatch(last: { what: string; line: number } | undefined, wanted: string): Remark {
  const closing = closingOf(wanted);
  if (!last) return remark("math-close", { closing });
  return remark("math-crossed", { closing, opening: openingOf(last.what), line: last.line });
}

const openingOf = (what: string): string => quoted(what === "{" ? "{" : `\\begin{${what}}`);
const closingOf = (what: string): string => quoted(what === "{" ? "}" : `\\end{${what}}`);
