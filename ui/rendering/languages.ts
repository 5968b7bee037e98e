/** Languages that code is coloured in, by every name authors use for them; `label` is what a reader sees. */
const languages: Record<string, { label: string; names: string[] }> = {
  bash: { label: "Shell", names: ["sh", "shell", "zsh", "bash", "ksh"] },
  shell: { label: "Terminal", names: ["console", "terminal", "shellsession"] },
  c: { label: "C", names: ["h"] },
  cpp: { label: "C++", names: ["c++", "cc", "cxx", "hpp"] },
  css: { label: "CSS", names: [] },
  diff: { label: "Difference", names: ["patch"] },
  dockerfile: { label: "Dockerfile", names: ["docker"] },
  go: { label: "Go", names: ["golang"] },
  haskell: { label: "Haskell", names: ["hs"] },
  ini: { label: "INI", names: ["toml", "cfg", "conf"] },
  java: { label: "Java", names: [] },
  javascript: { label: "JavaScript", names: ["js", "jsx", "mjs", "cjs"] },
  json: { label: "JSON", names: ["jsonc", "json5"] },
  julia: { label: "Julia", names: ["jl"] },
  latex: { label: "LaTeX", names: ["tex"] },
  lean: { label: "Lean", names: ["lean4"] },
  makefile: { label: "Makefile", names: ["make", "mk"] },
  markdown: { label: "Markdown", names: ["md"] },
  python: { label: "Python", names: ["py", "python3", "ipython"] },
  r: { label: "R", names: ["rscript"] },
  rust: { label: "Rust", names: ["rs"] },
  sql: { label: "SQL", names: ["sqlite", "postgresql", "mysql"] },
  typescript: { label: "TypeScript", names: ["ts", "tsx", "mts"] },
  xml: { label: "XML", names: ["html", "svg", "xhtml"] },
  yaml: { label: "YAML", names: ["yml"] },
};

const byName = new Map(
  Object.entries(languages).flatMap(([id, { names }]) => [[id, id] as const, ...names.map((name) => [name, id] as const)]),
);
const ownLabels: Record<string, string> = { html: "HTML", svg: "SVG", toml: "TOML", output: "Output", text: "Text", txt: "Text" };

/** The first word of a fence's info string, in lower case, without decoration: ```` ```Python {.numberLines} ```` is `python`. */
export function languageName(info: string): string {
  return (/^[{.\s]*([A-Za-z][\w+#-]*)/.exec(info.trim())?.[1] ?? "").toLowerCase();
}

/** The grammar for a language's name, or null when there is none and the code stays plain. */
export function grammarOf(name: string): string | null {
  return byName.get(name) ?? null;
}

/** The label of a language for readers. Unknown names are shown as written. */
export function languageLabel(name: string): string {
  const grammar = grammarOf(name);
  return ownLabels[name] ?? (grammar && languages[grammar]?.label) ?? (name || "Text");
}
