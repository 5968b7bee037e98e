import type { SourceKind } from "@colloquy/schemas/ai/references.ts";

const names: Record<SourceKind, string> = { course: "Course", collection: "Part", topic: "Page", block: "Passage" };

/** What a source is, in a reader's word. */
export const kindName = (kind: SourceKind | undefined): string => (kind ? names[kind] : "Page");
