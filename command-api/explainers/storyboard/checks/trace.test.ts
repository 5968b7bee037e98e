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

describe("the check of code with what a page prints", () => {
  const code = (sourceId: string, text: string, role: "input" | "output") =>
    ({ sourceId, text, role: "code", heading: "Depths", code: { language: "python", role } }) as const;
  const page = [
    { sourceId: "w-before", text: "The function mean takes the depths:", role: "prose", heading: "Depths" },
    code("c-mean", "depths = [4, 6]\nprint(mean(depths))", "input"),
    code("c-printed", "5.0\ndone", "output"),
    { sourceId: "w-after", text: "We print the smallest one:", role: "prose", heading: "Depths" },
    code("c-min", "print(min(depths))", "input"),
    code("c-next", "print(max(depths))", "input"),
  ] as const;
  const run = (content: object = {}, more: object = {}): string =>
    traceFindings(
      {
        layout: "trace",
        content: { heading: "Depths", code: page[1].text, start: "", printed: page[2].text, ...content },
        narration: "The function mean takes the depths.",
        sourceIds: ["w-before", "c-mean", "c-printed"],
        ...more,
      } as SceneOf<"trace">,
      page,
    )
      .map(({ detail }) => detail)
      .join();

  it("passes all of the code with all that follows, or with lines that are said to be left out", () => {
    expect(run()).to.equal("");
    expect(run({ printed: "5.0\n…" })).to.equal("");
    expect(run({ printed: "…\ndone" })).to.equal("");
  });

  it("refuses a part of the code: what is printed is printed by all of it", () => {
    expect(run({ code: "print(mean(depths))" })).to.match(/not all of a passage/u);
  });

  it("refuses output that is another, is cut in silence, or is code itself", () => {
    expect(run({ printed: "6.0" })).to.match(/does not follow it/u);
    expect(run({ printed: "5.0" })).to.match(/does not follow it/u);
    const next = { code: page[4].text, printed: page[5].text };
    const sources = { narration: "We print the smallest one.", sourceIds: ["w-after", "c-min", "c-next"] };
    expect(run(next, sources)).to.match(/does not follow it/u);
  });

  it("refuses words from elsewhere and names that are not shown", () => {
    const more = { narration: "It is the smallest.", sourceIds: ["c-mean", "c-printed"] };
    expect(run({}, more)).to.match(/neither directly before/u);
    expect(run({}, { narration: "The `min` function takes the depths." })).to.match(/speaks of min/u);
  });
});
