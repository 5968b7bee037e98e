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
  "core.question": Question;
}

export const questionKinds = ["single", "multiple", "text", "number", "gap", "order", "match", "free"] as const;
export type QuestionKind = (typeof questionKinds)[number];

export const questionLevels = ["recall", "application"] as const;
export type QuestionLevel = (typeof questionLevels)[number];

/**
 * "page": on the reading page with its solution, and asked in quizzes and Review, where it is no evidence. "self-check": on the page only.
 * "bank": readers never receive it; Tutor, quizzes and Review ask it.
 */
export const questionPlaces = ["page", "self-check", "bank"] as const;
export type QuestionPlace = (typeof questionPlaces)[number];

interface AnyQuestion {
  /** Of the topic; may be absent if the topic has at most one, or if the question is never asked. */
  objective?: string;
  level: QuestionLevel;
  /** Ids of the topic's blocks that the answer follows from. */
  about: string[];
  place: QuestionPlace;
  /** It is no longer asked, nor shown to readers. */
  retired?: true;
  /** The prompt. */
  markdown: string;
  hints: string[];
  /** Why the key is right; every kind but "free" has it. */
  explanation?: string;
}

export interface QuestionChoice {
  markdown: string;
  correct: boolean;
  feedback?: string;
}

/** A question with its key. */
export type Question = AnyQuestion &
  (
    | { kind: "single" | "multiple"; choices: QuestionChoice[] }
    | { kind: "text"; accepted: string[] }
    /** `tolerance` is absolute, 0 by default. */
    | { kind: "number"; value: number; tolerance: number; unit?: string }
    /** The accepted answers of each gap. `markdown` has `[[1]]`, `[[2]]`, … in their places and `\\[[` for the characters themselves. */
    | { kind: "gap"; gaps: string[][] }
    /** In the right order. */
    | { kind: "order"; items: string[] }
    /** `extra`: right sides that belong to no left side. */
    | { kind: "match"; pairs: { left: string; right: string }[]; extra: string[] }
    | { kind: "free"; rubric: string[]; answer: string }
  );

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
