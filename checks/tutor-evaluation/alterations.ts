import { canonicalText, chained } from "@colloquy/infra/ledger/chain.ts";
import { checkpointHash, type LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { rootHash, treeOf } from "@colloquy/infra/ledger/tree.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import type { EvidenceEntry, LedgerCheckpoint, LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";

export const alterationKinds = ["byte", "dropped", "doubled", "reordered", "truncated", "rewritten"] as const;
export type AlterationKind = (typeof alterationKinds)[number];

/**
 * An export altered at random, never to what it was. `rewritten`: an entry says something else, everything after it is hashed anew, and
 * the checkpoints are kept as they are, made to fit but for their signature, or signed by a forger's own key, by turns.
 */
export function altered(kind: AlterationKind, text: string, random: () => number, forger: LedgerSigner): string {
  const lines = text.trimEnd().split("\n");
  const at = Math.floor(random() * lines.length);
  const whole = (changed: readonly string[]): string => `${changed.join("\n")}\n`;
  switch (kind) {
    case "byte": {
      const bytes = Buffer.from(text);
      const place = Math.floor(random() * bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 + Math.floor(random() * 255));
      return bytes.toString("latin1");
    }
    case "dropped":
      return whole(lines.toSpliced(at, 1));
    case "doubled":
      return whole(lines.toSpliced(at, 0, lines[at] ?? ""));
    case "reordered": {
      const other = (at + 1 + Math.floor(random() * (lines.length - 1))) % lines.length;
      return whole(lines.with(at, lines[other] ?? "").with(other, lines[at] ?? ""));
    }
    case "truncated":
      return text.slice(0, Math.floor(random() * text.length));
    case "rewritten":
      return whole(rewritten(lines, random, forger));
  }
}

function rewritten(lines: readonly string[], random: () => number, forger: LedgerSigner): string[] {
  type Line = EvidenceEntry | { checkpoint: LedgerCheckpoint };
  const read = lines.map((line) => JSON.parse(line) as Line);
  const entries = read.flatMap((line) => ("checkpoint" in line ? [] : line));
  const from = Math.floor(random() * entries.length);
  const how = Math.floor(random() * 3);
  const done: EvidenceEntry[] = [];
  let before: LedgerCheckpoint | null = null;
  return read.map((line) => {
    if (!("checkpoint" in line)) {
      const { previousHash, hash: _, ...entry } = line;
      const said = line.index === from ? { ...entry, at: new Date(Date.parse(entry.at) + 1_000).toISOString() } : entry;
      const next = chained(said, done.at(-1)?.hash ?? previousHash);
      done.push(next);
      return canonicalText(next);
    }
    const tree = treeOf(done.map(({ hash }) => hash));
    const { sessionId, at, final } = line.checkpoint;
    const signed: LedgerCheckpoint = how === 2 ? forger.checkpoint({ sessionId, at, final, before, tree }) : line.checkpoint;
    before = how === 1 ? { ...signed, previous: checkpointHash(before), rootHash: rootHash(tree) } : signed;
    return canonicalText({ schemaVersion: 1, checkpoint: before });
  });
}

/** How many of `count` alterations of each kind are not noticed, by kind. Each is of another of the exports, as far as there are so many. */
export function unnoticed(
  texts: readonly string[],
  { keys, forger, random, count }: { keys: readonly LedgerKey[]; forger: LedgerSigner; random: () => number; count: number },
): Record<AlterationKind, number> {
  const missed = { byte: 0, dropped: 0, doubled: 0, reordered: 0, truncated: 0, rewritten: 0 };
  for (const [place, kind] of alterationKinds.entries())
    for (let index = 0; index < count; index += 1) {
      const text = texts[(index * alterationKinds.length + place) % texts.length] ?? "";
      if (verifyLedger(altered(kind, text, random, forger), keys).fault === null) missed[kind] += 1;
    }
  return missed;
}
