import { readFileSync } from "node:fs";
import { expect } from "chai";
import { commandOf, type LoadRun, readCommand, WrongCommand } from "./command.ts";
import { kneeOf } from "./knee.ts";

const again = (command: string) => readCommand(command.replace("npm run load -- ", "").split(" "), null);

describe("the command of a load", () => {
  it("prints a command with every parameter of the run", () => {
    for (const args of [
      ["knee"],
      ["knee", "--learners", "1000", "--minutes", "0.5", "--seed", "7"],
      ["soak"],
      ["growth", "--events", "10,20"],
      ["hostile", "--minutes", "1"],
    ]) {
      const run = readCommand([...args, "--write"], 2_531);
      const command = commandOf(run);
      expect(command).to.not.include("--write");
      const counted = ({ what, learners, minutes, seed, events }: LoadRun) =>
        what === "growth" ? { what, events } : what === "hostile" ? { what, minutes } : { what, learners, minutes, seed };
      expect(counted(again(command))).to.deep.equal(counted(run));
    }
    expect(commandOf(readCommand(["soak", "--seed", "3"], 2_531))).to.equal("npm run load -- soak --learners 1519 --minutes 30 --seed 3");
  });

  it("explains why a command is refused", () => {
    for (const args of [
      [],
      ["knees"],
      ["knee", "soak"],
      ["knee", "--seed", "x"],
      ["knee", "--minutes", "0"],
      ["growth", "--events", "1,x"],
      ["soak"],
    ])
      expect(() => readCommand(args, null), args.join(" ")).to.throw(WrongCommand);
  });

  it("matches the command above each section of the page", () => {
    const page = readFileSync(new URL("../../docs/reports/load.md", import.meta.url), "utf8");
    const [, ...sections] = page.split(/^## /m);
    expect(sections).to.have.length.of.at.least(2);
    for (const section of sections) {
      const [, command = ""] = /^`(npm run load -- [^`]+)` · /m.exec(section) ?? [];
      const run = again(command);
      expect(commandOf(run), "nothing is left to chance").to.equal(command);
      const told = {
        knee: `Steps of ${run.minutes} min, seed ${run.seed}, first ${run.learners}.`,
        soak: `${run.learners.toLocaleString("en")} learners for ${run.minutes} min, seed ${run.seed}:`,
        growth: `| ${run.events.at(-1)?.toLocaleString("en")} `,
        hostile: "times its quiet value",
      };
      expect(section).to.include(told[run.what]);
    }
    expect(kneeOf(page)).to.be.greaterThan(0);
  });
});
