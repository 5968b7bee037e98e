import type { ImportNote } from "../importer.ts";
import type { Folder } from "../markdown/folder.ts";
import { isRecord } from "../markdown/front-matter.ts";
import { parseYaml } from "../yaml-value.ts";

export type Settings = Record<string, unknown>;

/** Settings in a file of YAML or JSON. What cannot be read is reported and left out. */
export function readSettings(folder: Folder, file: string, report: ImportNote[]): Settings {
  if (!folder.files.has(file)) return {};
  try {
    const value = parseYaml(folder.text(file));
    if (isRecord(value)) return value;
    if (value !== null) report.push({ file, what: "no names with values", done: "left out" });
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    report.push({ file, what: `not valid YAML: ${why}`, done: "left out" });
  }
  return {};
}
