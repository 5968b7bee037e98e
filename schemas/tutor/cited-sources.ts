import type { TutorState } from "./state.ts";

/** The sources that a session's questions, steps and lessons, and answers it took over, stand on. Pure. */
export function citedSources({ items, carried, ledger, messages }: TutorState): string[] {
  const found = new Set<string>();
  for (const { sourceIds, sourceDigests } of Object.values(items))
    for (const id of [...sourceIds, ...Object.keys(sourceDigests)]) found.add(id);
  for (const digests of Object.values(carried)) for (const id of Object.keys(digests)) found.add(id);
  for (const { sourceIds } of ledger.path) for (const id of sourceIds) found.add(id);
  for (const message of messages) if (message.kind === "teaching") for (const { sourceId } of message.citations) found.add(sourceId);
  return [...found].sort();
}
