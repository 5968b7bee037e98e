import type { Folder } from "../markdown/folder.ts";
import type { SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { withoutCellOptions } from "./code-cells.ts";
import { withoutInlineMarks } from "./inline-marks.ts";
import { withoutJsx } from "./jsx.ts";
import { withoutTemplateTags } from "./template-tags.ts";
import { type FindFile, withoutWikiLinks } from "./wiki-links.ts";

/** Writes what other tools add to Markdown (Docusaurus, GitBook, Hugo, Jekyll, Obsidian, Quarto) as the Markdown and containers that importers read. */
export function withoutOtherSyntax(lines: readonly SourceLine[], page: Page, folder: Folder, find: FindFile): SourceLine[] {
  const markdown = isMdx(page.file, lines) ? withoutJsx(lines, page) : lines;
  const tagged = withoutTemplateTags(withoutCellOptions(markdown, page), page, folder);
  return withoutInlineMarks(withoutWikiLinks(tagged, page, find), page);
}

/** Docusaurus reads `.md` as MDX, too: such a page imports a component of the site. */
const isMdx = (file: string, lines: readonly SourceLine[]): boolean =>
  /\.mdx$/i.test(file) || lines.some(({ text }) => /^import\s+[\w{*][^;]*\sfrom\s+['"]@(?:site|theme|docusaurus)\//.test(text));
