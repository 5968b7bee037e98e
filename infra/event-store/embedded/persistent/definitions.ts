import type { DatabaseSync } from "node:sqlite";
import type { Filter } from "../records.ts";
import type { GroupSettings } from "./settings.ts";

/** The persistent subscriptions there are, and how far each is done, in the store's own file: what must survive a crash. */

export interface GroupName {
  /** A stream's name, or `$all`. */
  source: string;
  name: string;
}

export interface GroupDefinition extends GroupName {
  settings: GroupSettings;
  filter: Filter | null;
  /** The last event before its first: settled when it is made, so that "end" does not move while nothing is done yet. */
  origin: number;
  /** The last event up to which everything is done, null while nothing is. */
  checkpoint: number | null;
}

export interface Definitions {
  all(): GroupDefinition[];
  /** Makes it or replaces it. */
  save(group: GroupDefinition): void;
  saveCheckpoint(group: GroupName, checkpoint: number): void;
  remove(group: GroupName): void;
}

// A table more leaves what is in the file as it was, so the file's version stays.
const table = `CREATE TABLE IF NOT EXISTS subscription_groups (
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  filter TEXT,
  origin INTEGER NOT NULL,
  checkpoint INTEGER,
  PRIMARY KEY (source, name)
) STRICT`;

/** Each write is on the disk when it returns. @throws Error when the disk does not take it. */
export function openDefinitions(database: DatabaseSync): Definitions {
  database.exec(table);
  const all = database.prepare("SELECT source, name, settings, filter, origin, checkpoint FROM subscription_groups ORDER BY source, name");
  const save = database.prepare("INSERT OR REPLACE INTO subscription_groups VALUES (?, ?, ?, ?, ?, ?)");
  const mark = database.prepare("UPDATE subscription_groups SET checkpoint = ? WHERE source = ? AND name = ?");
  const remove = database.prepare("DELETE FROM subscription_groups WHERE source = ? AND name = ?");
  return {
    all: () =>
      all.all().map((row) => ({
        source: String(row.source),
        name: String(row.name),
        settings: JSON.parse(String(row.settings)) as GroupSettings,
        filter: row.filter === null ? null : parseFilter(String(row.filter)),
        origin: Number(row.origin),
        checkpoint: row.checkpoint === null ? null : Number(row.checkpoint),
      })),
    save({ source, name, settings, filter, origin, checkpoint }) {
      save.run(source, name, JSON.stringify(settings), filter && filterText(filter), origin, checkpoint);
    },
    saveCheckpoint({ source, name }, checkpoint) {
      mark.run(checkpoint, source, name);
    },
    remove({ source, name }) {
      remove.run(source, name);
    },
  };
}

const filterText = (filter: Filter): string =>
  JSON.stringify("pattern" in filter ? { on: filter.on, pattern: filter.pattern.source } : filter);

function parseFilter(text: string): Filter {
  const filter = JSON.parse(text) as { on: Filter["on"] } & ({ prefixes: string[] } | { pattern: string });
  return "pattern" in filter ? { on: filter.on, pattern: new RegExp(filter.pattern, "u") } : filter;
}
