/** What a Mermaid source says that it shows: its `accDescr` (on one line, or in braces over several), else its `accTitle`. */
export function diagramDescription(source: string): string | undefined {
  const found =
    /^[ \t]*accDescr\s*\{([^}]*)\}/m.exec(source) ??
    /^[ \t]*accDescr\s*:([^\n]*)/m.exec(source) ??
    /^[ \t]*accTitle\s*:([^\n]*)/m.exec(source);
  return found?.[1]?.replaceAll(/\s+/g, " ").trim() || undefined;
}
