import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { type FiguresPage, withSections } from "../benchmarks/page.ts";
import { commandOf, type LoadRun, readCommand, WrongCommand } from "./load/command.ts";
import { growth } from "./load/growth.ts";
import { hostile } from "./load/hostile.ts";
import { knee, kneeOf } from "./load/knee.ts";
import { soak } from "./load/soak.ts";

/**
 * `npm run load -- knee|soak|growth|hostile`: simulated learners with think times, against the whole program on this machine. `--write` puts the
 * figures into docs/reports/load.md.
 *
 * `knee [--learners 100] [--minutes 2]`: from so many learners on, each step so long. `soak [--learners N] [--minutes 30]`: without a
 * number 0.6 of the knee that docs/reports/load.md tells of. Ends with 1 when a goal is missed in any stretch of a soak, or by however few
 * learners in search of the knee. `growth [--events 10000,100000,1000000]`. `hostile [--minutes 2]`: half of the time quiet, half
 * under attack; ends with 1 when its goal is missed.
 */
const file = new URL("../docs/reports/load.md", import.meta.url);
const page = existsSync(file) ? readFileSync(file, "utf8") : "";
const run = commanded();
const { what, learners, minutes, seed, events } = run;

function commanded(): LoadRun {
  try {
    return readCommand(process.argv.slice(2), kneeOf(page));
  } catch (error) {
    if (!(error instanceof WrongCommand)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

const titles: Record<LoadRun["what"], string> = {
  knee: "How many at once",
  soak: "A soak: as many for longer",
  growth: "What grows with accounts, conversations and events",
  hostile: "Under attack",
};
const began = Date.now();
const tell = (line: string): void => console.error(`  ${new Date().toISOString().slice(11, 19)} ${line}`);
const { text, kept } =
  what === "knee"
    ? await knee({ first: learners, minutes, seed }, tell)
    : what === "soak"
      ? await soak({ learners, minutes, seed }, tell)
      : what === "hostile"
        ? await hostile({ minutes }, tell)
        : { text: await growth(events, tell), kept: true };
const took = Math.round((Date.now() - began) / 60_000);
const section = `## ${titles[what]}\n\n\`${commandOf(run)}\` · ${new Date().toISOString().slice(0, 10)} · ${took} min\n\n${text}\n`;
console.log(section);

if (run.write) {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const head =
    "Written by `npm run load -- knee|soak|growth|hostile --write`: simulated learners use the whole program on one machine, together with the load " +
    "generator and the demonstration model. [Checks](../build/checks.md#load) describes the learners and the goals.";
  const about: FiguresPage = { title: "Load", head: `${head}\n\nLast written on ${machine}.`, command: "npm run load --" };
  writeFileSync(file, withSections(page, new Map([[what, section]]), about));
}
process.exit(kept ? 0 : 1);
