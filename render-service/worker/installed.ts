import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of an installed program, or null. */
export function installed(name: string, path: string | undefined = process.env.PATH): string | null {
  for (const folder of (path ?? "").split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return null;
}
