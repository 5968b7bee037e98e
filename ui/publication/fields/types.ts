import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { marked, msg } from "../../messages/page.ts";

const names = {
  "core.theory": marked("Text"),
  "core.key-points": marked("Key points"),
  "core.callout": marked("Call-out"),
  "core.code": marked("Code"),
  "core.figure": marked("Picture"),
  "core.diagram": marked("Diagram"),
  "core.math": marked("Formula"),
  "core.table": marked("Table"),
  "core.exercise": marked("Exercise"),
} satisfies Record<BlockType, string>;

/** What a type of block is, in an author's word. */
export const typeName = (type: BlockType): string => msg(names[type]);

/** The types that have a field with helpers for Markdown. The others stay rendered until somebody asks for their source. */
export const editableTypes: ReadonlySet<BlockType> = new Set(["core.theory", "core.key-points", "core.callout"]);
