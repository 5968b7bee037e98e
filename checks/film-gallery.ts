import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importedCourses } from "./films/choices.ts";
import { canSpeak, makeGallery, nameOf } from "./films/gallery.ts";
import { galleryPage } from "./films/page.ts";
import { canProbe } from "./films/probe.ts";

/**
 * `npm run film:gallery -- --courses <folder> [--out <folder>] [--write]`: films of several courses, over all emphases and layouts, made by
 * the whole program and looked at (`films/gallery.ts`). `--write` puts their figures and some pictures into docs/reports. The folder holds courses that are
 * not part of the project, named as in `films/choices.ts`; without it only the demonstration courses are filmed.
 */
const { values } = parseArgs({
  options: {
    courses: { type: "string" },
    out: { type: "string", default: join(tmpdir(), "colloquy-films") },
    write: { type: "boolean", default: false },
  },
});
if (values.courses === undefined)
  console.warn(
    `!! Without --courses <folder> holding ${Object.values(importedCourses).join(" and ")} only the demonstration courses are filmed.`,
  );
if (!canProbe) console.warn("!! There is no ffmpeg here: films are not probed, and no contact sheets are made.");
if (!canSpeak) console.warn("!! There is no espeak-ng here: no film is spoken.");
const reports = fileURLToPath(new URL("../docs/reports", import.meta.url));
const gallery = await makeGallery({
  courses: values.courses ?? null,
  out: values.out,
  pictures: values.write ? join(reports, "images") : null,
});
const wrong = [...gallery.wrong, ...gallery.films.flatMap((one) => one.wrong.map((what) => `${nameOf(one.pick)}: ${what}`))];
const page = galleryPage(gallery.films, wrong);
console.log(`${page}\nFilms and contact sheets: ${values.out}`);
for (const line of wrong) console.error(`  ${line}`);
if (values.write) writeFileSync(join(reports, "films.md"), page);
console.log(`${gallery.films.length} films, ${wrong.length} wrong`);
process.exit(wrong.length > 0 ? 1 : 0);
