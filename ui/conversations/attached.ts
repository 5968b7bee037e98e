import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";

/** A search result as the reference that a conversation stores. */
export const toAttachedReference = ({ href, sourceId, revisionId, kind, title }: ReferenceResult): AttachedReference => ({
  href,
  sourceId,
  revisionId,
  kind,
  title,
});
