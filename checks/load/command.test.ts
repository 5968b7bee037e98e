import { readFileSync } from "node:fs";
import { expect } from "chai";
import { commandOf, readCommand, WrongCommand } from "./command.ts";
import { kneeOf } from "./knee.ts";

const again = (command: string) => readCommand(command.replace("npm run load -- ", "").split(" "), null);

describe("the command of a load", () => {
  it("prints a command with every parameter of the run", () => {
    for (const args of [
      ["knee"],
      ["knee", "--learners", "1000", "--minutes", "0.5", "--seed", "7"],
      ["soak"],
      ["growth", "--events", "10,20"],
    ]) {
      const run = readCommand([...args, "--write"], 2_531);
      const command = commandOf(run);
      expect(command).to.not.include("--write");
      const { what, learners, minutes, seed, events } = again(command);
      expect(what === "growth" ? { what, events } : { what, learners, minutes, seed }).to.deep.equal(
        what === "growth"
          ? { what: run.what, events: run.events }
          : { what: run.what, learners: run.learners, minutes: run.minutes, seed: run.seed },
      );
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
      };
      expect(section).to.include(told[run.what]);
    }
    expect(kneeOf(page)).to.be.greaterThan(0);
  });
});
