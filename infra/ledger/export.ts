import type { EvidenceEntry, LedgerCheckpoint } from "@colloquy/schemas/tutor/ledger.ts";
import { notBefore } from "@colloquy/schemas/tutor/replay.ts";
import { canonicalText } from "./chain.ts";
import type { LedgerSigner } from "./keys.ts";
import { treeOf } from "./tree.ts";

/** What a ledger is made of, in the order of its stream. */
export type LedgerRecord = { entry: EvidenceEntry } | { checkpoint: LedgerCheckpoint };

/**
 * A session's ledger as newline-delimited JSON: entries and checkpoints as they were kept, each in its RFC 8785 text, and last a
 * checkpoint signed now, without which something was cut off.
 */
export function exportLines(sessionId: string, records: readonly LedgerRecord[], signer: LedgerSigner, at: string): string {
  const entries = records.flatMap((record) => ("entry" in record ? record.entry : []));
  const before = records.flatMap((record) => ("checkpoint" in record ? record.checkpoint : [])).at(-1) ?? null;
  const closing = signer.checkpoint({
    sessionId,
    at: notBefore(at, entries.at(-1)?.at),
    final: true,
    before,
    tree: treeOf(entries.map(({ hash }) => hash)),
  });
  const lines = [...records, { checkpoint: closing }].map((record) =>
    canonicalText("entry" in record ? record.entry : { schemaVersion: 1, checkpoint: record.checkpoint }),
  );
  return `${lines.join("\n")}\n`;
}
