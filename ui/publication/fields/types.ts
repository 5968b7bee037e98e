import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { msg } from "../../messages/page.ts";

const names = {
  "core.theory": "editor.text",
  "core.key-points": "editor.keyPoints",
  "core.callout": "editor.callOut",
  "core.code": "editor.code",
  "core.figure": "editor.picture",
  "core.diagram": "editor.diagram",
  "core.math": "editor.formula",
  "core.table": "editor.table",
  "core.exercise": "editor.exercise",
} as const satisfies Record<BlockType, string>;

/** What a type of block is, in an author's word. */
export const typeName = (type: BlockType): string => msg(names[type]);

/** The types that have a field with helpers for Markdown. The others stay rendered until somebody asks for their source. */
export const editableTypes: ReadonlySet<BlockType> = new Set(["core.theory", "core.key-points", "core.callout"]);
