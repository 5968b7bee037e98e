import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";

/** The folder of the built pages. */
export const builtFolder = fileURLToPath(new URL("../../ui/dist/", import.meta.url));

/** Reads the manifest of the build. @throws if the pages were never built */
export function readBuiltUi(folder = builtFolder): BuiltUi {
  try {
    return JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8")) as BuiltUi;
  } catch (cause) {
    throw new Error("The pages are not built yet. Run: npm run build", { cause });
  }
}
