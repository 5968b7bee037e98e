/** Takes out the lines a book hides in its code: those with a prefix of the language, for Rust those that begin with `# `. */
export function createHiddenLines(
  prefixes: ReadonlyMap<string, string>,
): (code: string, language: string, info: string) => { code: string; hidden: number } {
  return (code, language, info) => {
    const own = /\bhidelines=([^\s,}]+)/.exec(info)?.[1];
    const prefix = own ?? prefixes.get(language);
    if (prefix === undefined && language !== "rust") return { code, hidden: 0 };
    const lines = code.split("\n");
    const visible = lines.flatMap((line) => {
      if (prefix !== undefined)
        return line.trimStart().startsWith(prefix) || (prefix.endsWith(" ") && line === prefix.trimEnd()) ? [] : [line];
      const rust = /^(\s*)#(.?)(.*)$/s.exec(line);
      if (!rust) return [line];
      if (rust[2] === "#") return [`${rust[1] ?? ""}#${rust[3] ?? ""}`];
      return rust[2] === "" || rust[2] === " " ? [] : [line];
    });
    const hidden = lines.length - visible.length;
    if (hidden === 0) return { code: visible.join("\n"), hidden };
    return { code: withoutOuterBlanks(visible), hidden };
  };
}

/** Hidden lines leave blank ones behind at both ends. */
function withoutOuterBlanks(lines: string[]): string {
  const start = lines.findIndex((line) => line.trim());
  const end = lines.findLastIndex((line) => line.trim());
  return start < 0 ? "" : lines.slice(start, end + 1).join("\n");
}
