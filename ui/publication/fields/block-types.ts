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
  "core.question": "editor.question",
} as const satisfies Record<BlockType, string>;

/** The name of a block type for authors. */
export const typeName = (type: BlockType): string => msg(names[type]);

/** Types whose source field opens on click and has Markdown helpers. Others stay rendered until their source is requested. */
export const editableTypes: ReadonlySet<BlockType> = new Set(["core.theory", "core.key-points", "core.callout", "core.question"]);
