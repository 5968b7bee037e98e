import type { Asset } from "@colloquy/schemas/courses/authored.ts";
import { AssetRefused, takeAsset } from "../../assets.ts";
import type { ImportNote } from "../importer.ts";
import { decoded, type Folder } from "./folder.ts";
import type { Page } from "./page.ts";

export interface Pictures {
  image(page: Page, source: string, line: number): string | null;
  taken(): { assets: Asset[]; bytes: Map<string, Uint8Array> };
  /** One note with the number of pictures no page shows. */
  reportUnused(report: ImportNote[]): void;
}

/** Takes the pictures that pages show into the course. `candidates` are the files a written path may mean, best first. */
export function createPictures(
  folder: Folder,
  options: {
    candidates(file: string, written: string): string[];
    pathOf(file: string): string;
    /** Whether a file is part of the source: folders that were built from it hold copies. */
    isSource(file: string): boolean;
  },
): Pictures {
  const byFile = new Map<string, { asset: Asset; bytes: Uint8Array } | null>();
  const paths = new Map<string, string>();

  function take(page: Page, file: string, line: number): string | null {
    const known = byFile.get(file);
    if (known !== undefined) return known?.asset.path ?? null;
    try {
      const taken = takeAsset(freePath(options.pathOf(file), file), folder.bytes(file));
      byFile.set(file, taken);
      return taken.asset.path;
    } catch (error) {
      if (!(error instanceof AssetRefused)) throw error;
      byFile.set(file, null);
      page.note(line, `a picture that cannot be shown: ${error.message}`, "its alternative text is kept");
      return null;
    }
  }

  /** A path our schema takes, that no other file has. */
  function freePath(wanted: string, file: string): string {
    const clean = wanted
      .split("/")
      .map((part) => part.replaceAll(/[^\p{L}\p{N} ._@+()-]/gu, "_"))
      .join("/");
    let free = clean;
    for (let number = 2; paths.has(free) && paths.get(free) !== file; number += 1) free = clean.replace(/(\.[^./]+)?$/, `-${number}$1`);
    paths.set(free, file);
    return free;
  }

  return {
    image(page, source, line) {
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source)) {
        page.note(
          line,
          `a picture from elsewhere, ${source.slice(0, 200)}`,
          "its alternative text is kept: put the file into the course to show it",
        );
        return null;
      }
      const written = decoded(source.replace(/[?#].*$/s, ""));
      const file = options.candidates(page.file, written).find((candidate) => folder.holds(candidate));
      if (file === undefined) {
        page.note(line, `the picture ${source || "(without a name)"} is not in the folder`, "its alternative text is kept");
        return null;
      }
      return take(page, file, line);
    },
    taken() {
      const found = [...byFile.values()].filter((entry) => entry !== null);
      found.sort((a, b) => (a.asset.path < b.asset.path ? -1 : 1));
      return { assets: found.map(({ asset }) => asset), bytes: new Map(found.map(({ asset, bytes }) => [asset.path, bytes])) };
    },
    reportUnused(report) {
      const unused = [...folder.files].filter(
        (file) => options.isSource(file) && /\.(?:svg|png|jpe?g|gif|webp|avif|odg|drawio|tiff?|pdf)$/i.test(file) && !byFile.get(file),
      );
      if (unused.length === 0) return;
      const [first = ""] = unused;
      const what =
        unused.length === 1 ? "1 picture or drawing that no page shows" : `${unused.length} pictures or drawings that no page shows`;
      report.push({ file: first, what, done: "left out" });
    },
  };
}
