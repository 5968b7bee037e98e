import type { ReferenceResult } from "@colloquy/schemas/ask/references.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";

/** A place as it is kept with a conversation. */
export const toAttachedReference = ({ href, sourceId, revisionId, kind, title }: ReferenceResult): AttachedReference => ({
  href,
  sourceId,
  revisionId,
  kind,
  title,
});
