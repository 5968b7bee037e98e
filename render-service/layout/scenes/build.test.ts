import type { Box, BoxItem, Item, LineItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { stillnessOf } from "../stillness.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

type Build = SceneContent<"build">;
const narration =
  "The rain fills a river first. Then the river runs to the sea, and the sun lifts water from the sea to new clouds, and all begins anew.";
const nodes: Build["nodes"] = [
  { key: "rain", label: "Rain", cue: "" },
  { key: "river", label: "A river", cue: "a river" },
  { key: "sea", label: "The sea", cue: "the sea" },
  { key: "cloud", label: "New clouds", cue: "new clouds" },
];
const edge = (from: string, to: string, cue = "") => ({ from, to, label: "", cue, quote: "" });
const content: Build = {
  heading: "Water",
  kind: "flow",
  nodes,
  edges: [edge("rain", "river"), edge("river", "sea"), edge("sea", "cloud"), edge("cloud", "rain", "all begins")],
  focus: [],
};
const focus: Build["focus"] = [
  { on: ["sea", "cloud"], cue: "the sun" },
  { on: [], cue: "all begins" },
];

function result(more: Partial<Build>, aspect: (typeof aspects)[number] = "16:9", seconds = 14) {
  return placeScene(sceneOf("build", { ...content, ...more }, narration), { aspect, language: "en", seconds });
}
function place(more: Partial<Build> = {}, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(more, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const isBox = (item: Item): item is BoxItem => item.kind === "box" && item.part.startsWith("node");
const isTipped = (item: Item): item is LineItem => item.kind === "line" && item.tip !== undefined;
/** The first box of each node, in their order. */
const firstBoxes = ({ items }: Placed): BoxItem[] =>
  nodes.flatMap((_, index) => items.filter(isBox).find(({ part }) => part === `node ${index}`) ?? []);
const isShown = ({ from, until = Number.POSITIVE_INFINITY }: Item, timeMs: number): boolean => from <= timeMs && timeMs < until;
const seenAt = (item: Item, timeMs: number): Box => {
  const [a, , , d, e, f] = poseOf(item.moves ?? [], timeMs) ?? [1, 0, 0, 1, 0, 0];
  const { x, y, width, height } = item.box;
  return { x: a * x + e, y: d * y + f, width: a * width, height: d * height };
};

describe("a diagram that grows", () => {
  for (const aspect of aspects) {
    it(`gives each box its place from the start, and shows it when it is spoken of (${aspect})`, () => {
      const placed = place({}, aspect);
      const times = firstBoxes(placed).map(({ from }) => from);
      expect(times[0]).to.equal(0);
      expect(times).to.deep.equal(times.toSorted((one, other) => one - other));
      const fewer = place({ nodes: nodes.map((node) => ({ ...node, cue: "" })) }, aspect);
      expect(firstBoxes(fewer).map(({ box }) => box)).to.deep.equal(firstBoxes(placed).map(({ box }) => box));
    });

    it(`comes nearer to some boxes, which fill the picture and have the accent, and goes back (${aspect})`, () => {
      const placed = place({ focus }, aspect);
      const sea = firstBoxes(placed)[2] ?? expect.fail("no sea");
      const [near, back] = sea.moves ?? [];
      if (!near || !back) return expect.fail("the camera does not move");
      const close = near.from + near.takes;
      expect(seenAt(sea, close).width / sea.box.width).to.be.greaterThan(1.2);
      expect(seenAt(sea, placed.durationMs)).to.deep.equal(sea.box);
      const lit = placed.items.filter((item) => isBox(item) && item.fill === "accent-wash" && isShown(item, close));
      expect(new Set(lit.map(({ part }) => part))).to.deep.equal(
        new Set(["node 2", "node 3"].filter((part) => lit.some((one) => one.part === part))),
      );
      expect(lit.some(({ part }) => part === "node 2")).to.equal(true);
    });

    it(`shows no box that the camera would cut through, nor its arrows, until it goes back (${aspect})`, () => {
      const placed = place(
        {
          focus: [
            { on: ["river"], cue: "Then the river" },
            { on: [], cue: "all begins" },
          ],
        },
        aspect,
      );
      const { moves = [], clip } = firstBoxes(placed)[0] ?? expect.fail("no boxes");
      const [near] = moves;
      if (!near || !clip) return expect.fail("the camera does not move");
      const close = near.from + near.takes;
      for (const item of placed.items.filter((one) => one.moves && one.kind !== "line" && isShown(one, close))) {
        const { x, y, width, height } = seenAt(item, close);
        expect(x, item.part).to.be.at.least(clip.x);
        expect(y, item.part).to.be.at.least(clip.y);
        expect(x + width, item.part).to.be.at.most(clip.x + clip.width);
        expect(y + height, item.part).to.be.at.most(clip.y + clip.height);
      }
      const ends = placed.items.filter((item) => isTipped(item) && isShown(item, placed.durationMs));
      expect(new Set(ends.map(({ part }) => part)).size, "all arrows are there in the end").to.equal(4);
    });

    it(`is never empty while the camera goes from one part to another (${aspect})`, () => {
      const placed = place(
        {
          focus: [
            { on: ["rain"], cue: "first" },
            { on: ["cloud"], cue: "new clouds" },
          ],
        },
        aspect,
      );
      const { moves = [], clip } = firstBoxes(placed)[0] ?? expect.fail("no boxes");
      const [, second] = moves;
      if (!second || !clip) return expect.fail("the camera does not move twice");
      for (let time = second.from; time <= second.from + second.takes; time += 30) {
        const seen = placed.items.filter((item) => {
          if (!isBox(item) || !isShown(item, time)) return false;
          const { x, y, width, height } = seenAt(item, time);
          return x < clip.x + clip.width && x + width > clip.x && y < clip.y + clip.height && y + height > clip.y;
        });
        expect(seen, `${time} ms`).to.not.deep.equal([]);
      }
    });
  }

  it("lets an arrow come with the later of its boxes, or at its own words", () => {
    const placed = place();
    const [, river, , cloud] = firstBoxes(placed).map(({ from }) => from);
    const arrows = new Map(placed.items.filter(isTipped).map(({ part, from }) => [part, from]));
    expect(arrows.get("edge 0")).to.equal((river ?? 0) + 100);
    expect(arrows.get("edge 3")).to.be.greaterThan((cloud ?? 0) + 100);
  });

  it("begins still with what is there from the start, as the scene before ended", () => {
    const placed = place({
      nodes: nodes.map((node) => ({ ...node, cue: "" })),
      edges: content.edges.map((one) => ({ ...one, cue: "" })),
      focus,
    });
    const first = placed.items.filter(({ part, from }) => (part.startsWith("node") || part.startsWith("edge")) && from === 0);
    expect(first.length).to.be.greaterThan(8);
    expect(first.every(({ motion }) => motion === "still")).to.equal(true);
  });

  it("may be near to a part from the first picture on", () => {
    const placed = place({
      focus: [
        { on: ["rain", "river"], cue: "" },
        { on: [], cue: "the sun" },
      ],
    });
    const [rain] = firstBoxes(placed);
    if (!rain) return expect.fail("no rain");
    expect(seenAt(rain, 0).width / rain.box.width).to.be.greaterThan(1.2);
    expect(stillnessOf({ ...placed, items: [rain] }).changingMs, "what was before the scene is no change").to.equal(rain.moves?.[1]?.takes);
  });

  const refused: [what: string, more: Partial<Build>, finding: RegExp][] = [
    ["an arrow to nowhere", { edges: [edge("rain", "moon")] }, /from rain to moon, but not both/u],
    ["two boxes with one key", { nodes: [...nodes, { key: "sea", label: "Another", cue: "" }] }, /same key/u],
    ["a cue that is not spoken", { nodes: nodes.map((node) => ({ ...node, cue: "the moon" })) }, /does not have the words/u],
    ["an arrow before one of its boxes", { edges: [edge("rain", "sea", "a river")] }, /before one of its boxes/u],
    ["a look at no box", { focus: [{ on: ["moon"], cue: "the sun" }] }, /no box moon/u],
    ["looks in another order than they are spoken of", { focus: focus.toReversed() }, /another order/u],
    [
      "looks without time",
      {
        focus: [
          { on: ["sea"], cue: "sun" },
          { on: [], cue: "lifts" },
        ],
      },
      /no time to come nearer/u,
    ],
    [
      "more than the picture holds",
      { nodes: nodes.map((node, index) => ({ ...node, label: `${"Incomprehensibilities ".repeat(4)}${index}` })) },
      /does not fit the picture/u,
    ],
  ];
  for (const [what, more, finding] of refused)
    it(`refuses ${what}`, () => {
      const placed = result(more, "16:9", 6);
      expect(placed.kind === "refused" ? placed.findings.join(" ") : "placed").to.match(finding);
    });
});
