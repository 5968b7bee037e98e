import type { SourceKind } from "@colloquy/schemas/ask/references.ts";
import { marked, msg } from "../messages/page.ts";

const names = {
  course: marked("Course"),
  collection: marked("Part"),
  topic: marked("Page"),
  block: marked("Passage"),
} satisfies Record<SourceKind, string>;

/** What a source is, in a reader's word. */
export const kindName = (kind: SourceKind | undefined): string => (kind ? msg(names[kind]) : msg("Page"));
