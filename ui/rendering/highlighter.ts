import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import haskell from "highlight.js/lib/languages/haskell";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import julia from "highlight.js/lib/languages/julia";
import latex from "highlight.js/lib/languages/latex";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escapeHtml } from "./escape.ts";
import { addLanguages, grammarOf } from "./languages.ts";
import { lean } from "./lean.ts";
import { embeddedGrammars, moreGrammars } from "./more-grammars.ts";
import { moreLanguages } from "./more-languages.ts";

const grammars = {
  bash,
  c,
  cpp,
  css,
  diff,
  dockerfile,
  go,
  haskell,
  ini,
  java,
  javascript,
  json,
  julia,
  latex,
  lean,
  makefile,
  markdown,
  python,
  r,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

addLanguages(moreLanguages);

/** Longer code stays plain, and code with a longer line or word: grammars take quadratic time on these. */
const longest = { code: 50_000, line: 2_000, word: 500 };
const tooLong = new RegExp(`[\\p{L}\\p{N}_]{${longest.word}}|[^\\n]{${longest.line}}`, "u");

/**
 * Coloured code as safe HTML (`<span class="hljs-…">`); plain and escaped where no grammar fits.
 * @returns null while the grammar is not loaded
 */
export function highlight(code: string, language: string): string | null {
  const grammar = grammarOf(language) ?? "";
  if (code.length > longest.code || tooLong.test(code)) return escapeHtml(code);
  if (hljs.getLanguage(grammar)) return hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value;
  return grammar in moreGrammars ? null : escapeHtml(code);
}

const loading = new Map<string, Promise<void>>();

/** Loads a grammar, and those that it uses, once. A failed load can be retried. */
export function loadGrammar(language: string): Promise<void> {
  const grammar = grammarOf(language) ?? "";
  const load = moreGrammars[grammar];
  if (!load || hljs.getLanguage(grammar)) return Promise.resolve();
  const begun =
    loading.get(grammar) ??
    Promise.all([load(), ...(embeddedGrammars[grammar] ?? []).map(loadGrammar)]).then(([module]) =>
      hljs.registerLanguage(grammar, module.default),
    );
  loading.set(grammar, begun);
  return begun.finally(() => loading.delete(grammar));
}

/** Registers a grammar that a server has loaded at once. */
export const registerGrammar = (name: string, grammar: LanguageFn): void => hljs.registerLanguage(name, grammar);
