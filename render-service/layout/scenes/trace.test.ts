import type { Item, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

const pipeline = {
  heading: "The shortest log",
  code: "$ wc -l *.log | sort -n | head -n 1",
  start: "  41 harbour.log\n   8 island.log\n 168 total\n",
  printed: "   8 island.log\n",
};
const loop = {
  heading: "A loop",
  code: "$ for name in amber.txt opal.txt\n> do\n>     echo $name\n> done",
  start: "",
  printed: "amber.txt\nopal.txt\n",
};
const narration = "The program wc counts lines of each file. Its output goes on to sort by number, and then head keeps one line of that.";
const result = (content: typeof pipeline, aspect: (typeof aspects)[number] = "16:9", words = narration) =>
  placeScene(sceneOf("trace", content, words), { aspect, language: "en", seconds: 12 });
function place(content: typeof pipeline, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(content, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const textOf = ({ items }: Placed, text: string): Item | undefined =>
  items.find((item) => item.kind === "text" && item.text.trim() === text && item.part !== "code");
const heightAt = (item: Item | undefined, timeMs: number): number => (item?.box.y ?? 0) + (poseOf(item?.moves ?? [], timeMs)?.[5] ?? 0);

const session = { heading: "A depth", code: "depth = 4\nprint(depth)\nprint(depth + 1)", start: "", printed: "4\n5\n" };

describe("code that runs", () => {
  for (const aspect of aspects) {
    it(`moves lines to where a command sorts them (${aspect})`, () => {
      const placed = place(pipeline, aspect);
      const [harbour, island] = ["41 harbour.log", "8 island.log"].map((text) => textOf(placed, text));
      expect(heightAt(harbour, 0)).to.be.lessThan(heightAt(island, 0));
      expect(heightAt(island, placed.durationMs)).to.be.lessThan(heightAt(harbour, placed.durationMs));
    });

    it(`adds what a loop prints after the line that prints it (${aspect})`, () => {
      const placed = place(loop, aspect);
      const [first, second] = ["amber.txt", "opal.txt"].map((text) => textOf(placed, text));
      expect(second?.from).to.be.greaterThan(first?.from ?? Number.POSITIVE_INFINITY);
    });
  }

  it("writes statements one after the other, each before what it prints", () => {
    for (const aspect of aspects) {
      const placed = place(session, aspect);
      const from = (text: string): number => textOf(placed, text)?.from ?? 0;
      const code = placed.items.flatMap((item) => (item.part === "code" && item.kind === "text" ? item : []));
      const second = code.filter(({ text }) => text.includes("print")).at(-1);
      expect(from("4")).to.be.greaterThan(0);
      expect(second?.from ?? 0).to.be.greaterThan(from("4"));
      expect(from("5")).to.be.greaterThan(second?.from ?? Number.POSITIVE_INFINITY);
    }
  });

  it("keeps the columns of a table that is printed, also where the query is broken", () => {
    const row = (...cells: string[]): string =>
      cells
        .map((cell) => cell.padEnd(12))
        .join("")
        .trimEnd();
    const rows = [row("harbour", "measured on", "depth in ft"), row("north", "1927-02-08", "12"), row("south", "1927-02-10", "9")];
    const query = "SELECT * FROM Depths WHERE harbour = 'north' OR harbour = 'south';";
    for (const aspect of aspects) {
      const placed = place({ heading: "Depths", code: query, start: "", printed: `${rows.join("\n")}\n` }, aspect);
      for (const text of rows) expect(textOf(placed, text), `${aspect} ${text}`).to.not.equal(undefined);
    }
  });

  it("lets lines go that a command does not keep, and keeps the others", () => {
    const placed = place(pipeline);
    expect(textOf(placed, "168 total")?.until).to.be.a("number");
    expect(textOf(placed, "8 island.log")?.until).to.equal(undefined);
  });

  it("shows one value of the variable at a time", () => {
    const placed = place(loop);
    const [first, second] = ["name = amber.txt", "name = opal.txt"].map((text) => textOf(placed, text));
    expect(first?.until).to.be.at.most((second?.from ?? 0) + 100);
  });

  it("refuses what cannot be run, data without room and commands that come at once", () => {
    const refused = (content: typeof pipeline, words = narration): string => {
      const placed = result(content, "16:9", words);
      return placed.kind === "refused" ? placed.findings.join(" ") : "";
    };
    expect(refused({ ...pipeline, printed: "41 harbour.log" })).to.match(/not what was computed/u);
    const many = Array.from({ length: 16 }, (_, index) => `${index} file.log`).join("\n");
    expect(refused({ ...pipeline, start: many, printed: "0 file.log" })).to.match(/does not fit/u);
    expect(refused(pipeline, "First there is much to say of other things, and of many more, and of wc sort head.")).to.match(/too soon/u);
  });
});
