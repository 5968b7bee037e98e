import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openBrowser } from "../journeys/browser.ts";
import type { Program } from "../journeys/program.ts";
import { captureScene, describeFlaws, nameOf, type Picture } from "./gallery/capture.ts";
import { contactSheet } from "./gallery/contact-sheet.ts";
import { looks } from "./gallery/looks.ts";
import { type ProgramName, scenes, startGalleryProgram } from "./gallery/scenes.ts";

/**
 * `npm run gallery -- [--to <folder>] [--only <page>,… | --only <page>/<state>]… [--looks <look>,…]`: every page in every state in every look, made by the
 * whole program (docs/build/checks.md). Needs a built UI. Ends with 1 where something is wrong with one of them.
 */
const { values } = parseArgs({
  options: {
    to: { type: "string", default: fileURLToPath(new URL("../.data/gallery", import.meta.url)) },
    only: { type: "string", multiple: true },
    looks: { type: "string" },
  },
});
const wanted = values.looks?.split(",") ?? null;
const unknown = wanted?.filter((name) => !looks.some((look) => look.name === name)) ?? [];
if (unknown.length) {
  console.error(`No such look: ${unknown.join(", ")}. There are ${looks.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const only = values.only?.flatMap((one) => (scenes.some(({ state }) => one.endsWith(`/${state}`)) ? [one] : one.split(",")));
const chosen = scenes.filter(({ page, state }) => !only || only.some((one) => one === page || one === `${page}/${state}`));
if (!chosen.length) {
  console.error(`No such page: ${values.only?.join()}. There are ${[...new Set(scenes.map(({ page }) => page))].join(", ")}.`);
  process.exit(2);
}
const folder = values.to;
mkdirSync(folder, { recursive: true });
const programs = new Map<ProgramName, Promise<Program>>();
function programOf(name: ProgramName): Promise<Program> {
  const program = programs.get(name) ?? startGalleryProgram(name);
  programs.set(name, program);
  return program;
}
const browser = await openBrowser();
const pictures: Picture[] = [];
try {
  for (const scene of chosen) {
    const taken = await captureScene(scene, { browser, programOf, folder, wanted });
    pictures.push(...taken);
    const lines = describeFlaws(taken);
    console.log(`${lines.length ? "✗" : "✓"} ${nameOf(scene)}`);
    for (const line of lines) console.error(`  ${line}`);
    // After each, so that one can look while the others are taken.
    writeFileSync(join(folder, "index.html"), contactSheet(pictures));
  }
} finally {
  await browser.close();
  for (const program of programs.values()) await program.then((one) => one.stop()).catch(() => undefined);
}
const wrong = describeFlaws(pictures).length;
console.log(`${pictures.length} pictures of ${chosen.length} scenes in ${join(folder, "index.html")}, ${wrong} flaws`);
process.exit(wrong > 0 ? 1 : 0);
