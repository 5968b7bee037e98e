import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@colloquy/infra/config.ts";
import { makeFolder } from "@colloquy/infra/private-files.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { z } from "zod";
import type { ObjectSkill } from "./local-probe.ts";

const remembered = z.object({
  schemaVersion: z.literal(1),
  models: z.record(
    z.string().max(600),
    z.object({ objects: z.enum(["json_schema", "json_object"]).nullable(), contextTokens: z.int().min(1).optional() }),
  ),
});
export type RememberedModel = z.output<typeof remembered>["models"][string];

/** The most models that are remembered; the oldest go first. */
const most = 300;

/** What was found out about local models, in `<DATA_DIR>/local-models.json`. Deleting the file makes them be probed again. */
export interface LocalMemory {
  get(key: string): RememberedModel | undefined;
  set(key: string, found: { objects: ObjectSkill; contextTokens?: number | undefined }): void;
}

export function localMemory({ DATA_DIR: folder }: Pick<Config, "DATA_DIR">, log: Pick<Logger, "warn">): LocalMemory {
  const file = join(folder, "local-models.json");
  const known = new Map(Object.entries(read(file)));
  return {
    get: (key) => known.get(key),
    set(key, { objects, contextTokens }) {
      known.delete(key);
      known.set(key, { objects, ...(contextTokens !== undefined && { contextTokens }) });
      for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - most))) known.delete(oldest);
      try {
        makeFolder(folder);
        writeFileSync(`${file}.new`, JSON.stringify({ schemaVersion: 1, models: Object.fromEntries(known) }), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch (error) {
        log.warn({ err: error }, "what local models can do is not remembered");
      }
    },
  };
}

function read(file: string): z.output<typeof remembered>["models"] {
  try {
    return remembered.parse(JSON.parse(readFileSync(file, "utf8"))).models;
  } catch {
    // Not there yet, or damaged: the models are probed again.
    return {};
  }
}
