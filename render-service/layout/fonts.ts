import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { GlobalFonts } from "@napi-rs/canvas";
import { charactersOf } from "./woff2.ts";

const { resolve } = createRequire(import.meta.url);

/** The voices of the theme: what is read (Literata), what stands beside (Instrument Sans), code (JetBrains Mono). */
const files = {
  read: { family: "literata", weight: 400, subsets: ["latin", "latin-ext", "greek", "cyrillic"] },
  "read-strong": { family: "literata", weight: 600, subsets: ["latin", "latin-ext", "greek", "cyrillic"] },
  beside: { family: "instrument-sans", weight: 500, subsets: ["latin", "latin-ext"] },
  "beside-strong": { family: "instrument-sans", weight: 600, subsets: ["latin", "latin-ext"] },
  code: { family: "jetbrains-mono", weight: 400, subsets: ["latin", "latin-ext", "greek", "cyrillic"] },
  "code-strong": { family: "jetbrains-mono", weight: 600, subsets: ["latin", "latin-ext", "greek", "cyrillic"] },
  arabic: { family: "noto-naskh-arabic", weight: 400, subsets: ["arabic"] },
  "arabic-strong": { family: "noto-naskh-arabic", weight: 600, subsets: ["arabic"] },
  signs: { family: "noto-sans-math", weight: 400, subsets: ["latin"] },
} as const;
type FilesName = keyof typeof files;

/** Which files a face is made of, in the order in which a letter is looked for. */
const faces = {
  read: ["read", "arabic", "signs"],
  "read-strong": ["read-strong", "arabic-strong", "signs"],
  beside: ["beside", "read", "arabic", "signs"],
  "beside-strong": ["beside-strong", "read-strong", "arabic-strong", "signs"],
  code: ["code", "arabic", "signs"],
  "code-strong": ["code-strong", "arabic-strong", "signs"],
} as const satisfies Record<string, readonly FilesName[]>;
export type Face = keyof typeof faces;

interface FontFile {
  alias: string;
  characters: Set<number>;
}

const fileOf = (family: string, subset: string, weight: number): string =>
  resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff2`);

/** Registers each file under a unique alias, so that no system font is used. */
function register(name: FilesName): FontFile[] {
  const { family, weight, subsets } = files[name];
  return subsets.map((subset) => {
    const bytes = readFileSync(fileOf(family, subset, weight));
    const alias = `colloquy-film-${family}-${weight}-${subset}`;
    if (!GlobalFonts.register(bytes, alias)) throw new Error(`cannot load the font ${alias}`);
    return { alias, characters: charactersOf(bytes) };
  });
}
const registered = new Map((Object.keys(files) as FilesName[]).map((name) => [name, register(name)]));
const filesOf = (face: Face): FontFile[] => faces[face].flatMap((name) => registered.get(name) ?? []);
const stacks = new Map((Object.keys(faces) as Face[]).map((face) => [face, filesOf(face).map(({ alias }) => alias)]));

/** The files of all faces, for programs that set type themselves. */
export const fontFiles = (): Uint8Array[] =>
  (Object.keys(files) as FilesName[]).flatMap((name) => {
    const { family, weight, subsets } = files[name];
    return subsets.map((subset) => new Uint8Array(readFileSync(fileOf(family, subset, weight))));
  });

/** A face in a size, as a canvas takes it: our files only. */
export const fontOf = (face: Face, size: number): string => `${size}px ${stacks.get(face)?.join(",")}`;

/** The names under which the files of a face are registered, in their order. */
export const aliasesOf = (face: Face): readonly string[] => stacks.get(face) ?? [];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const known = new Map<string, boolean>();

/** The graphemes of a text that no shipped font has, which a canvas would draw with a system font. */
export function missingSigns(text: string, face: Face): string[] {
  const missing = new Set<string>();
  for (const { segment } of graphemes.segment(text)) {
    const key = `${face} ${segment}`;
    let has = known.get(key);
    if (has === undefined) {
      const codes = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
      has = filesOf(face).some(({ characters }) => codes.every((code) => characters.has(code)));
      if (known.size > 20_000) known.clear();
      known.set(key, has);
    }
    if (!has) missing.add(segment);
  }
  return [...missing];
}
