/** Languages that every page with code loads, by every name authors use for them; `label` is what a reader sees. */
const languages: Record<string, { label: string; names: string[] }> = {
  bash: { label: "Shell", names: ["sh", "shell", "zsh", "bash", "ksh"] },
  shell: { label: "Terminal", names: ["console", "terminal", "shellsession"] },
  c: { label: "C", names: ["h"] },
  cpp: { label: "C++", names: ["c++", "cc", "cxx", "hpp", "h++", "hh", "hxx"] },
  css: { label: "CSS", names: [] },
  diff: { label: "Difference", names: ["patch"] },
  dockerfile: { label: "Dockerfile", names: ["docker"] },
  go: { label: "Go", names: ["golang"] },
  haskell: { label: "Haskell", names: ["hs"] },
  ini: { label: "INI", names: ["toml", "cfg", "conf"] },
  java: { label: "Java", names: ["jsp"] },
  javascript: { label: "JavaScript", names: ["js", "jsx", "mjs", "cjs"] },
  json: { label: "JSON", names: ["jsonc", "json5"] },
  julia: { label: "Julia", names: ["jl"] },
  latex: { label: "LaTeX", names: ["tex"] },
  lean: { label: "Lean", names: ["lean4"] },
  makefile: { label: "Makefile", names: ["make", "mk", "mak"] },
  markdown: { label: "Markdown", names: ["md", "mkdown", "mkd"] },
  python: { label: "Python", names: ["py", "python3", "ipython", "gyp"] },
  r: { label: "R", names: ["rscript"] },
  rust: { label: "Rust", names: ["rs"] },
  sql: { label: "SQL", names: ["sqlite", "postgresql", "mysql"] },
  typescript: { label: "TypeScript", names: ["ts", "tsx", "mts", "cts"] },
  xml: { label: "XML", names: ["html", "svg", "xhtml", "rss", "atom", "xjb", "xsd", "xsl", "plist", "wsf"] },
  yaml: { label: "YAML", names: ["yml"] },
};

/** By every name: the grammar and the label. */
const byName = new Map<string, { grammar: string; label: string }>();
for (const [grammar, { label, names }] of Object.entries(languages))
  for (const name of [grammar, ...names]) byName.set(name, { grammar, label });

const ownLabels: Record<string, string> = { html: "HTML", svg: "SVG", toml: "TOML", output: "Output", text: "Text", txt: "Text" };

/** The first word of a fence's info string, in lower case, without decoration: ```` ```Python {.numberLines} ```` is `python`. */
export function languageName(info: string): string {
  return (/^[{.\s]*([A-Za-z][\w+#-]*)/.exec(info.trim())?.[1] ?? "").toLowerCase();
}

/** Whether the table of rare languages is loaded, which comes with the highlighter. */
let complete = false;
const plainNames = /^(?:|text|txt|plain|plaintext|none|output|error)$/;

/** Adds rare languages, one a line: grammar, label and further names, separated by bars. */
export function addLanguages(table: string): void {
  for (const line of table.trim().split("\n")) {
    const [grammar = "", label = "", names = ""] = line.split("|");
    for (const name of [grammar, ...names.split(" ")]) if (name && !byName.has(name)) byName.set(name, { grammar, label });
  }
  complete = true;
}

/**
 * The grammar for a language's name, or null when there is none and the code stays plain. Until the rare languages are known, it is the name
 * itself; the highlighter decides.
 */
export function grammarOf(name: string): string | null {
  return byName.get(name)?.grammar ?? (complete || plainNames.test(name) ? null : name);
}

/** The label of a language for readers. Unknown names are shown as written. */
export function languageLabel(name: string): string {
  return ownLabels[name] ?? byName.get(name)?.label ?? (name || "Text");
}
