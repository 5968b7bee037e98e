import type { Face } from "@colloquy/schemas/explainers/placed.ts";

/** The voices of the theme: what is read (Literata), what stands beside (Instrument Sans), code (JetBrains Mono). */
const families = {
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
type FamilyName = keyof typeof families;

/** Which families a face is made of, in the order in which a letter is looked for. */
const faces = {
  read: ["read", "arabic", "signs"],
  "read-strong": ["read-strong", "arabic-strong", "signs"],
  beside: ["beside", "read", "arabic", "signs"],
  "beside-strong": ["beside-strong", "read-strong", "arabic-strong", "signs"],
  code: ["code", "arabic", "signs"],
  "code-strong": ["code-strong", "arabic-strong", "signs"],
} as const satisfies Record<Face, readonly FamilyName[]>;

/** A font's file in the packages `@fontsource/…`. */
export interface FontFile {
  /** A name of our own, so that no system font is used. */
  alias: string;
  family: string;
  /** Within the package's folder `files`. */
  file: string;
}

const filesOfFamily = (name: FamilyName): FontFile[] => {
  const { family, weight, subsets } = families[name];
  return subsets.map((subset) => ({
    alias: `colloquy-film-${family}-${weight}-${subset}`,
    family,
    file: `${family}-${subset}-${weight}-normal.woff2`,
  }));
};

/** The files of all faces, each once. */
export const allFontFiles = (): FontFile[] => (Object.keys(families) as FamilyName[]).flatMap(filesOfFamily);

/** The files of a face, in the order in which a letter is looked for. */
export const filesOf = (face: Face): FontFile[] => faces[face].flatMap(filesOfFamily);

const stacks = new Map(
  (Object.keys(faces) as Face[]).map((face) => [
    face,
    filesOf(face)
      .map(({ alias }) => alias)
      .join(","),
  ]),
);

/** A face in a size, as a canvas takes it: our files only. */
export const fontOf = (face: Face, size: number): string => `${size}px ${stacks.get(face)}`;
