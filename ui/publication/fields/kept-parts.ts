import type { KeptParts } from "@colloquy/schemas/courses/editing/question-source.ts";
import type { EditingSession } from "../session.ts";

/** What questions had as other kinds, while they are edited: switching the kind back brings it back. */
const kept = new WeakMap<EditingSession, Map<string, KeptParts>>();

export const keptParts = (session: EditingSession, blockId: string): KeptParts => kept.get(session)?.get(blockId) ?? {};

export function keepParts(session: EditingSession, blockId: string, parts: KeptParts): void {
  const blocks = kept.get(session) ?? new Map<string, KeptParts>();
  kept.set(session, blocks.set(blockId, parts));
}
