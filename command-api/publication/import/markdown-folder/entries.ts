/** A page (`file`), a part (`children`), or a page with pages below it. */
export interface OutlineEntry {
  title?: string;
  file?: string;
  children: OutlineEntry[];
}

export const isPage = (file: string): boolean => /\.(?:md|mdx|markdown|mdown|mkd|rmd|qmd|ipynb)$/i.test(file);

export const filesOf = (entry: OutlineEntry): string[] => [...(entry.file ? [entry.file] : []), ...entry.children.flatMap(filesOf)];
