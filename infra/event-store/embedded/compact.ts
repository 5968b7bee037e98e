import type { DatabaseSync } from "node:sqlite";

/** Purged bytes that make a compaction worth its time, and their least share of the file. */
const worthwhile = { bytes: 64 * 1024 * 1024, share: 0.25 } as const;

/**
 * Purges what stands behind `$maxCount` and `$maxAge`, in the way of `$tb`: with zeros in place, rows and ids kept. Readers of the streams
 * do not see it any more; the log must be emptied afterwards. Done at the start, as EventStoreDB does it when it scavenges.
 */
export function purgeBehindLimits(database: DatabaseSync, now = Date.now()): void {
  // Streams first: few of them have limits, and the index finds their events.
  const behind = (limit: string, condition: string): string =>
    `SELECT e.position FROM streams s CROSS JOIN events e ON e.stream = s.id AND e.revision < s.next_revision AND ${condition}
     WHERE s.${limit} IS NOT NULL AND e.live = 1`;
  database
    .prepare(
      `UPDATE events SET live = 0, data = zeroblob(length(data)), metadata = zeroblob(length(metadata)) WHERE position IN (
       ${behind("max_count", "e.revision < s.next_revision - s.max_count")} UNION ALL
       ${behind("max_age", "e.created < ? - s.max_age * 1000")})`,
    )
    .run(now);
}

/**
 * Gives the room of purged events back to the disk. A purge only writes zeros over them (see `schema.ts`); this drops the rows
 * and rewrites the file whole, so no slack of the old pages stays. Done at the start, before anyone waits for an answer, and
 * only when there is much to gain. The last event's row is kept: positions are never given twice.
 * Returns whether the file was rewritten.
 * @throws Error when the disk has no room for the copy; the events are whole all the same, and the next start tries again.
 */
export function compact(database: DatabaseSync, least: { bytes: number; share: number } = worthwhile): boolean {
  if (!due(database, least)) return false;
  // One transaction with a note: rows that are dropped and a file that is not rewritten would leave copies in the slack.
  database.exec(`BEGIN IMMEDIATE;
    INSERT OR IGNORE INTO upkeep VALUES ('vacuum');
    DELETE FROM events WHERE live = 0 AND position < (SELECT max(position) FROM events);
    COMMIT`);
  // The copy is as large as what stays: it goes to the disk (and is gone again), not to memory.
  database.exec("PRAGMA temp_store = FILE");
  try {
    database.exec("VACUUM; DELETE FROM upkeep WHERE task = 'vacuum'");
  } finally {
    database.exec("PRAGMA temp_store = MEMORY");
  }
  return true;
}

function due(database: DatabaseSync, least: { bytes: number; share: number }): boolean {
  if (database.prepare("SELECT 1 FROM upkeep WHERE task = 'vacuum'").get()) return true;
  const size = Number(database.prepare("SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()").get()?.size);
  const purged = Number(database.prepare("SELECT total(length(data) + length(metadata)) AS bytes FROM events WHERE live = 0").get()?.bytes);
  return purged >= least.bytes && purged >= size * least.share;
}
