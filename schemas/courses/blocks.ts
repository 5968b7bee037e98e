import type { BlockType } from "./authored.ts";
import type { Remark } from "./remarks.ts";

/**
 * What the parsers make of a block's source. Fields named `markdown` hold GitHub-flavoured Markdown with mathematics
 * (`$…$`, `$$…$$`, `\(…\)`, `\[…\]`); links of the form `topic:<topicId>#<anchor>` and images by asset path are resolved
 * when the page is rendered, never in the source.
 */
export interface BlockData {
  "core.theory": { markdown: string };
  "core.key-points": { title?: string; points: string[] };
  "core.callout": { kind: CalloutKind; title?: string; folded: boolean; markdown: string };
  "core.code": { language: string; role: "input" | "output" | "error"; title?: string; code: string };
  "core.figure": { path: string; alt: string; caption?: string };
  "core.diagram": { language: "mermaid"; description: string; caption?: string; code: string };
  "core.math": { tex: string; label?: string; caption?: string };
  "core.table": { caption?: string; align: ("left" | "center" | "right" | null)[]; header: string[]; rows: string[][] };
  "core.exercise": { title?: string; markdown: string; hints: string[]; solutions: { title?: string; markdown: string }[] };
}

export const calloutKinds = [
  "note",
  "tip",
  "warning",
  "prerequisite",
  "questions",
  "definition",
  "example",
  "testimonial",
  "discussion",
  "instructor",
] as const;
export type CalloutKind = (typeof calloutKinds)[number];

/** A block whose source was understood. */
export type ParsedBlock = { [Type in BlockType]: { id: string; type: Type; data: BlockData[Type] } }[BlockType];

/** What is wrong with a source, and where: `line` counts from 1 within the block's source. */
export interface SourceError extends Remark {
  line: number;
}

export type ParseResult<Type extends BlockType> = { ok: true; data: BlockData[Type] } | { ok: false; errors: SourceError[] };
