import type { BoxItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

const narration = "First one session, then another after three days, and then a third one after a week.";
const marks = [
  { at: 0, kind: 0, cue: "one session" },
  { at: 3, kind: 1, cue: "another" },
  { at: 10, kind: 1, cue: "a third" },
];
const lane = { label: "Sessions", gaps: true, marks };
const content = { heading: "Gaps", unit: "days", until: 10, kinds: ["Learn", "Review"], lanes: [lane] };
const result = (more: object, aspect: (typeof aspects)[number] = "16:9") =>
  placeScene(sceneOf("timeline", { ...content, ...more }, narration), { aspect, language: "en", seconds: 9 });
function place(more: object = {}, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(more, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const refusedBecause = (more: object): string => {
  const placed = result(more);
  return placed.kind === "refused" ? placed.findings.join(" ") : "";
};
const textsOf = ({ items }: Placed): string[] => items.flatMap((item) => (item.kind === "text" ? item.text : []));
const marksOf = ({ items }: Placed): BoxItem[] =>
  items.filter((item): item is BoxItem => item.kind === "box" && item.part.startsWith("lane"));

describe("a timeline", () => {
  for (const aspect of aspects) {
    it(`puts marks where their times are (${aspect})`, () => {
      const [first, second, third] = marksOf(place({}, aspect)).map(({ box }) => (aspect === "16:9" ? box.x : box.y));
      expect(((second ?? 0) - (first ?? 0)) / ((third ?? 0) - (first ?? 0))).to.be.closeTo(0.3, 0.001);
    });

    it(`computes the gaps between marks (${aspect})`, () => {
      expect(textsOf(place({}, aspect)))
        .to.include("3")
        .and.to.include("7");
    });
  }

  it("lets time run down a tall picture, over almost half of its height", () => {
    const boxes = marksOf(place({}, "9:16")).map(({ box }) => box);
    const [first, last] = [boxes[0], boxes.at(-1)];
    expect(last?.x).to.equal(first?.x);
    expect((last?.y ?? 0) - (first?.y ?? 0)).to.be.greaterThan(1280 * 0.45);
  });

  it("runs across a tall picture that is too narrow for its lanes, or for the name of its unit", () => {
    const far = [0, 100, 200, 400].map((at) => ({ at, kind: 0, cue: "" }));
    const lanes = ["A", "B"].map((label) => ({ ...lane, label, marks: far }));
    for (const more of [{ lanes: [...lanes, { ...lane, label: "C", gaps: false, marks: far }] }, { lanes, unit: "minutes of practice" }]) {
      const [first, second] = marksOf(place({ until: 400, ...more }, "9:16")).map(({ box }) => box.y);
      expect(second).to.equal(first);
    }
  });

  it("shows each mark when it is spoken of, and a pointer that has arrived there", () => {
    const placed = place();
    const times = marksOf(placed).map(({ from }) => from);
    expect(times).to.deep.equal(times.toSorted((one, other) => one - other));
    const pointer = placed.items.find((item) => item.kind === "line" && item.moves !== undefined);
    const [, , third] = marksOf(placed);
    const moved = poseOf(pointer?.moves ?? [], third?.from ?? 0)?.[4] ?? 0;
    expect((pointer?.box.x ?? 0) + moved + 9).to.be.closeTo((third?.box.x ?? 0) + (third?.box.width ?? 0) / 2, 1);
  });

  it("names a kind no earlier than its first mark", () => {
    const { items } = place();
    const named = items.find((item) => item.kind === "text" && item.text === "Review");
    expect(named?.from).to.be.greaterThan(0);
  });

  it("refuses marks on one another, cues that are not spoken, names without room and too many lanes", () => {
    const near = [marks[0], { at: 0.1, kind: 0, cue: "another" }];
    expect(refusedBecause({ lanes: [{ ...lane, marks: near }] })).to.match(/on one another/u);
    expect(refusedBecause({ lanes: [{ ...lane, marks: [{ at: 1, kind: 0, cue: "the moon" }] }] })).to.match(/does not have the words/u);
    expect(refusedBecause({ lanes: [{ ...lane, label: "A name that takes more than a third of the picture" }] })).to.match(
      /too little room/u,
    );
    expect(refusedBecause({ lanes: [lane, lane, lane] })).to.match(/too high/u);
  });
});
