import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import type { Page } from "./page.ts";

/** A block before the course is put together: its texts hold marks for links and headings, its id is not given yet. */
export type DraftBlock = {
  [Type in BlockType]: {
    id: string;
    type: Type;
    data: BlockData[Type];
    /** Where it begins in its file. */
    line?: number;
  };
}[BlockType];

/** A topic before the course is put together. */
export interface DraftTopic {
  page: Page;
  slug: string;
  title: string;
  summary?: string;
  objectives: string[];
  blocks: DraftBlock[];
}

/** The course's tree before ids are given. */
export type DraftEntry =
  | { kind: "topic"; topic: DraftTopic }
  | { kind: "collection"; key: string; slug: string; title: string; summary?: string; children: DraftEntry[] };

export const draftBlock = <Type extends BlockType>(type: Type, data: BlockData[Type]): DraftBlock => ({ id: "", type, data }) as DraftBlock;
