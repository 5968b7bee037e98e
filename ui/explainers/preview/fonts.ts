/** Fonts by their aliases, each loaded once for all previews of the page. */
const loading = new Map<string, Promise<void>>();

/** Loads a font unless it was loaded before. Throws if it cannot be; then it is tried anew. */
export function loadFont(alias: string, fetchFont: (alias: string) => Promise<ArrayBuffer>): Promise<void> {
  const before = loading.get(alias);
  if (before) return before;
  const font = fetchFont(alias).then(async (bytes) => {
    document.fonts.add(await new FontFace(alias, bytes).load());
  });
  loading.set(alias, font);
  font.catch(() => loading.delete(alias));
  return font;
}
