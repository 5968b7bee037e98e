import { join } from "node:path";
import { AssetRefused } from "@colloquy/command-api/publication/assets.ts";
import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import { ImportError, type Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { writeFiles } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMarkdownFolder } from "@colloquy/command-api/publication/import/markdown-folder/importer.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Parser } from "./parsers.ts";

type Files = Record<string, string>;

/**
 * Imports each kind of folder. All texts share them, because making and removing a folder takes longer than reading it.
 * @throws what is no refusal: that is a mistake of ours.
 */
const importing =
  (importer: Importer, ...kinds: ((text: string) => Files)[]): Parser =>
  async (text, folder) => {
    for (const [index, files] of kinds.entries()) {
      const source = join(folder, String(index));
      writeFiles(source, files(text));
      await importer(source, { previous: null, courseId: "hostile" }).catch((error: unknown) => {
        if (!(error instanceof ImportError || error instanceof AssetRefused)) throw error;
      });
    }
  };

/** As a text of TOML, YAML and JSON alike. */
const quoted = (text: string): string => JSON.stringify(text);

const mdBook = (files: Files): Files => ({
  "book.toml": '[book]\ntitle = "B"\n',
  "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n",
  "src/one.md": "# One\n\nText.\n",
  ...files,
});
const lesson = (files: Files): Files => ({
  "config.yaml": 'title: "L"\n',
  "episodes/one.md": "---\ntitle: One\n---\n\nText.\n",
  ...files,
});
const native = (files: Files): Files => ({
  "course.yaml": "title: C\ncontents: [one]\n",
  "topics/one.md": "---\ntitle: One\n---\n\n<!-- core.theory block-0001 -->\nText.\n",
  ...files,
});

/** A folder's files have no bound of their own but 8 MiB: long enough that what grows too fast shows, short enough for so many folders. */
const pageLength = bounds.course.blockLength / 2;
const planLength = pageLength / 4;

/** The readers of folders: of their pages, and of what their plans and titles say. */
export const importers: Readonly<Record<string, { parse: Parser; length: number }>> = {
  "a page of an mdBook": {
    parse: importing(importMdBook, (text) => mdBook({ "src/one.md": `# One\n\n${text}\n` })),
    length: pageLength,
  },
  "the plan of an mdBook": {
    parse: importing(
      importMdBook,
      (text) => mdBook({ "book.toml": text }),
      (text) => mdBook({ "book.toml": `[book]\ntitle = ${quoted(text)}\ndescription = ${quoted(text)}\n` }),
      (text) => mdBook({ "src/SUMMARY.md": text }),
      (text) => mdBook({ "src/SUMMARY.md": `# ${text}\n\n- [${text}](one.md)\n`, "src/one.md": `# ${text}\n` }),
    ),
    length: planLength,
  },
  "a page of a plain folder": {
    parse: importing(
      importMarkdownFolder,
      (text) => ({ "one.md": `# One\n\n${text}\n` }),
      (text) => ({ "one.mdx": `# One\n\n${text}\n` }),
    ),
    length: planLength,
  },
  "a page of a Carpentries lesson": {
    parse: importing(importCarpentries, (text) => lesson({ "episodes/one.md": `---\ntitle: One\n---\n\n${text}\n` })),
    length: pageLength,
  },
  "the plan of a Carpentries lesson": {
    parse: importing(
      importCarpentries,
      (text) => lesson({ "config.yaml": text }),
      (text) => lesson({ "config.yaml": `title: ${quoted(text)}\nepisodes: [${quoted(text)}, one.md]\n` }),
      (text) => lesson({ "episodes/one.md": `---\n${text}\n---\n\nText.\n` }),
      (text) => lesson({ "episodes/one.md": `---\ntitle: ${quoted(text)}\n---\n\n# ${text}\n` }),
    ),
    length: planLength,
  },
  "a page of a folder of ours": {
    parse: importing(importNative, (text) =>
      native({
        "topics/one.md": `---\ntitle: One\n---\n\n<!-- core.theory block-0001 -->\n${text}\n<!-- core.math block-0002 -->\n${text}\n`,
      }),
    ),
    length: pageLength,
  },
  "the plan of a folder of ours": {
    parse: importing(
      importNative,
      (text) => native({ "course.yaml": text }),
      (text) => native({ "course.yaml": `title: ${quoted(text)}\nsummary: ${quoted(text)}\ncontents: [one]\n` }),
      (text) => native({ "course.yaml": `title: C\ncontents: ${text}\n` }),
      (text) => native({ "topics/one.md": `---\n${text}\n---\n\nText.\n` }),
      (text) => native({ "topics/one.md": `---\ntitle: ${quoted(text)}\nobjectives: [${quoted(text)}]\n---\n\n<!-- ${text} -->\n` }),
    ),
    length: planLength,
  },
};
