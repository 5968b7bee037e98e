import type { DatabaseSync } from "node:sqlite";

/** Purged bytes that make a compaction worth its time, and their least share of the file. */
const worthwhile = { bytes: 64 * 1024 * 1024, share: 0.25 } as const;

/**
 * Purges events that their streams hide, by `$tb`, `$maxCount` or `$maxAge`: data is overwritten with zeros, rows and ids stay. Readers no
 * longer see them; the log must be truncated afterwards. EventStoreDB does it when it scavenges.
 * Returns how many bytes that were.
 */
export function purgeHidden(database: DatabaseSync, now = Date.now()): number {
  // Streams first: few of them have limits, and the index finds their events.
  const behind = (limit: string, condition: string): string =>
    `SELECT e.position FROM streams s CROSS JOIN events e ON e.stream = s.id AND e.revision < s.next_revision AND ${condition}
     WHERE ${limit} AND e.live = 1`;
  const purged = database
    .prepare(
      `UPDATE events SET live = 0, data = zeroblob(length(data)), metadata = zeroblob(length(metadata)) WHERE position IN (
       ${behind("s.truncate_before > 0", "e.revision < s.truncate_before")} UNION ALL
       ${behind("s.max_count IS NOT NULL", "e.revision < s.next_revision - s.max_count")} UNION ALL
       ${behind("s.max_age IS NOT NULL", "e.created < ? - s.max_age * 1000")})
       RETURNING length(data) + length(metadata) AS bytes`,
    )
    .all(now);
  return purged.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

/**
 * Frees the disk space of purged events, which a purge only overwrites with zeros (see `schema.ts`): deletes their rows and rewrites the
 * file, so that no remains of old pages stay. Runs at start, before anybody waits, and only if it frees much. The last event's row stays,
 * so that positions are never reused.
 * Returns whether the file was rewritten.
 * @throws Error when the disk has no room for the copy; the events stay intact, and the next start tries again.
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
