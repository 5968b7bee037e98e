import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { traceFindings } from "./trace.ts";

const start = "  41 harbour.log\n   8 island.log\n";
const passages = [
  { sourceId: "s-count", text: "$ wc -l *.log" },
  { sourceId: "s-counts", text: start },
  { sourceId: "s-words", text: "The command sort puts them in order." },
  { sourceId: "s-code", text: "$ wc -l *.log | sort -n" },
  { sourceId: "s-printed", text: "  8 island.log\n  41 harbour.log\n" },
];
const scene = (content: object = {}, more: object = {}) =>
  ({
    layout: "trace",
    content: { heading: "Sorted", code: "$ wc -l *.log | sort -n", start, printed: passages[4]?.text ?? "", ...content },
    narration: "The command sort puts them in order.",
    sourceIds: ["s-code", "s-counts", "s-printed"],
    ...more,
  }) as SceneOf<"trace">;
const found = (content: object = {}, more: object = {}) => traceFindings(scene(content, more), passages).map(({ detail }) => detail);

describe("the check of code that runs", () => {
  it("passes a pipeline whose data stands in the course and is computed to its output", () => {
    expect(found()).to.deep.equal([]);
  });

  it("refuses code that the scene's passages do not have", () => {
    expect(found({}, { sourceIds: ["s-words", "s-printed"] }).join()).to.match(/does not stand/u);
  });

  it("refuses data that the first command does not print in the course", () => {
    const other = "  9 harbour.log\n  8 island.log";
    expect(found({ start: other, printed: "8 island.log\n9 harbour.log" }).join()).to.match(/does not follow it/u);
    expect(
      traceFindings(scene(), passages.slice(1))
        .map(({ detail }) => detail)
        .join(),
    ).to.match(/does not say that “wc -l \*\.log”/u);
  });

  it("refuses output that does not follow the code", () => {
    const apart = passages.toSpliced(4, 0, { sourceId: "s-between", text: "Something else is said." });
    expect(
      traceFindings(scene(), apart)
        .map(({ detail }) => detail)
        .join(),
    ).to.match(/does not follow it in the course/u);
  });

  it("refuses words that name a command of another pipeline", () => {
    const more = [...passages, { sourceId: "s-more", text: "$ wc -l *.log | sort -n | head -n 1" }];
    const spoken = scene({}, { narration: "The output of wc goes to sort, and then to head." });
    expect(
      traceFindings(spoken, more)
        .map(({ detail }) => detail)
        .join(),
    ).to.match(/speaks of head/u);
  });

  it("refuses words that name none of the commands", () => {
    expect(found({}, { narration: "The numbers come first." }).join()).to.match(/speaks of none/u);
  });
});
