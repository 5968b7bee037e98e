import { randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type FiguresPage, withSections } from "../benchmarks/page.ts";
import { growth } from "./load/growth.ts";
import { knee, kneeOf } from "./load/knee.ts";
import { soak } from "./load/soak.ts";

/**
 * `npm run load -- knee|soak|growth`: simulated learners with think times, against the whole program on this machine. `--write` puts the
 * figures into docs/load.md.
 *
 * `knee [--learners 100] [--minutes 2]`: from so many learners on, each step so long. `soak [--learners N] [--minutes 30]`: without a
 * number 0.6 of the knee that docs/load.md tells of. `growth [--events 10000,100000,1000000]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    learners: { type: "string" },
    minutes: { type: "string" },
    events: { type: "string", default: "10000,100000,1000000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    write: { type: "boolean", default: false },
  },
});
const soakShare = 0.6;
const file = new URL("../docs/load.md", import.meta.url);
const page = existsSync(file) ? readFileSync(file, "utf8") : "";
const [what = ""] = positionals;
const seed = Number(values.seed);
const minutes = Number(values.minutes ?? (what === "soak" ? 30 : 2));
const learners = Number(values.learners ?? (what === "soak" ? Math.round((kneeOf(page) ?? Number.NaN) * soakShare) : 100));
const sizes = values.events.split(",").map(Number);

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
if (!["knee", "soak", "growth"].includes(what) || positionals.length > 1) refuse("npm run load -- knee, soak or growth.");
if (!Number.isSafeInteger(seed) || !(minutes > 0) || !sizes.every((size) => Number.isSafeInteger(size) && size > 0))
  refuse("--seed, --minutes and --events take numbers.");
if (what !== "growth" && !(learners >= 1)) refuse("--learners: docs/load.md tells of no knee yet, so say how many.");

const titles: Record<string, string> = {
  knee: "How many at once",
  soak: "A soak: as many for longer",
  growth: "What grows with accounts, conversations and events",
};
const began = Date.now();
const tell = (line: string): void => console.error(`  ${new Date().toISOString().slice(11, 19)} ${line}`);
const text =
  what === "knee"
    ? await knee({ first: learners, minutes, seed }, tell)
    : what === "soak"
      ? await soak({ learners, minutes, seed }, tell)
      : await growth(sizes, tell);
const took = Math.round((Date.now() - began) / 60_000);
const section = `## ${titles[what]}\n\n\`npm run load -- ${what}\` · ${new Date().toISOString().slice(0, 10)} · ${took} min\n\n${text}\n`;
console.log(section);

if (values.write) {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const head =
    page
      .split(/^## /m)[0]
      ?.replace(/^# .*\n/, "")
      .replace(/\nLast written on .*\n/, "\n")
      .trim() ?? "";
  const about: FiguresPage = { title: "Load", head: `${head}\n\nLast written on ${machine}.`, command: "npm run load --" };
  writeFileSync(file, withSections(page, new Map([[what, section]]), about));
}
process.exit(0);
