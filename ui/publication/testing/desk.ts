import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";

/** An owner at work on the course of the page this is put into: everything of the editor but the fields one types in. */
export interface PublishingDesk {
  /** Begins where the draft in this browser left off, else with what is published. */
  open(): Promise<void>;
  /** Writes the same mark into two pages and the course itself, so that half of a publication would show. */
  mark(words: string): void;
  /** Writes the source of a page's first block. */
  write(slug: string, source: string): void;
  title(slug: string, title: string): void;
  undo(): void;
  /** How it ended: "unchanged", "published" or "kept". */
  leave(): Promise<string>;
  state(): { kind: string };
  draft(): Promise<CourseDraft | null>;
}

declare global {
  interface Window {
    desk: PublishingDesk;
  }
}
