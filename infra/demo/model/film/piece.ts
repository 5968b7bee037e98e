import type { Passage } from "../segments.ts";

/** Code of a passage. */
export interface Piece {
  passage: Passage;
  lines: string[];
  title: string;
  shell: boolean;
  /** Has a title of its own. */
  named: boolean;
}

/** What is said while code is shown. */
export interface Narration {
  text: string;
  quotes: { passage: Passage; quote: string }[];
  says: string[];
  /** Names of code in it; `null` stands for all that the code has. */
  names: readonly string[] | null;
  /** Goes on with the code right before it. */
  goesOn?: boolean;
}
