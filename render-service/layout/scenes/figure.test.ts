import type { Item, PictureItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

type Figure = SceneContent<"figure">;

const whole = { x: 0, y: 0, width: 1, height: 1 };
const quarter = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
const picture: Figure["picture"] = {
  sourceId: "source-0001",
  sha256: "a".repeat(64),
  type: "image/svg+xml",
  width: 480,
  height: 320,
  alt: "A plane and a line.",
  textSize: 16,
  signs: "",
};
const content: Figure = {
  heading: "A projection",
  picture,
  parts: [],
  zooms: [
    { region: quarter, cue: "go near" },
    { region: whole, cue: "all of it" },
  ],
  callouts: [
    { at: { x: 0.75, y: 0.75 }, side: "top-left", label: "The line", cue: "the line" },
    { at: { x: 0.2, y: 0.2 }, side: "top-left", label: "The plane", cue: "the plane" },
  ],
};
const narration = "First we go near and find the line in its corner. Then we look at all of it again, and there is the plane.";
const result = (more: Partial<Figure> = {}, aspect: (typeof aspects)[number] = "16:9", seconds = 14) =>
  placeScene(sceneOf("figure", { ...content, ...more }, narration), { aspect, language: "en", seconds });
function place(more: Partial<Figure> = {}, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(more, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
function refusedBecause(more: Partial<Figure>, aspect: (typeof aspects)[number] = "16:9", seconds = 14): string {
  const placed = result(more, aspect, seconds);
  return placed.kind === "refused" ? placed.findings.join(" ") : "";
}
const picturesIn = ({ items }: Placed): PictureItem[] => items.filter((item): item is PictureItem => item.kind === "picture");
const pinOf = ({ items }: Placed, number: number): Item | undefined =>
  items.find((item) => item.kind === "box" && item.part === `call-out ${number}`);

describe("a figure", () => {
  for (const aspect of aspects) {
    it(`keeps the proportions of its picture (${aspect})`, () => {
      const [{ whole: frame } = { whole }] = picturesIn(place({}, aspect));
      expect(frame.width / frame.height).to.be.closeTo(1.5, 0.02);
    });

    it(`sends the camera to a part that then fills the frame (${aspect})`, () => {
      const placed = place({ zooms: [{ region: quarter, cue: "go near" }], callouts: [] }, aspect);
      const [item] = picturesIn(placed);
      const frame = item?.whole ?? whole;
      const [a = 1, , , d = 1, e = 0, f = 0] = poseOf(item?.moves ?? [], placed.durationMs) ?? [];
      expect(a * (frame.x + frame.width / 2) + e).to.be.closeTo(frame.x, 0.01);
      expect(d * (frame.y + frame.height / 2) + f).to.be.closeTo(frame.y, 0.01);
      expect(a * (frame.x + frame.width) + e).to.be.closeTo(frame.x + frame.width, 0.01);
    });

    it(`keeps a number at its point while the camera moves (${aspect})`, () => {
      const placed = place({}, aspect);
      const [item] = picturesIn(placed);
      const pin = pinOf(placed, 1);
      const tip = { x: (pin?.box.x ?? 0) + (pin?.box.width ?? 0), y: (pin?.box.y ?? 0) + (pin?.box.height ?? 0) };
      for (let timeMs = 0; timeMs <= placed.durationMs; timeMs += 100) {
        const [scale = 1, , , , e = 0, f = 0] = poseOf(item?.moves ?? [], timeMs) ?? [];
        const [, , , , across = 0, down = 0] = poseOf(pin?.moves ?? [], timeMs) ?? [];
        expect(tip.x + across, `at ${timeMs} ms`).to.be.closeTo(scale * tip.x + e, 0.01);
        expect(tip.y + down, `at ${timeMs} ms`).to.be.closeTo(scale * tip.y + f, 0.01);
      }
    });

    it(`shows each call-out when it is spoken of (${aspect})`, () => {
      const placed = place({}, aspect);
      const times = ["The line", "The plane"].map(
        (label) => placed.items.find((item) => item.kind === "text" && item.text === label)?.from ?? 0,
      );
      expect(times[0]).to.be.above(1_000);
      expect(times[1]).to.be.above(times[0] ?? 0);
    });
  }

  it("covers parts until they are spoken of", () => {
    const parts = [
      { region: { x: 0, y: 0, width: 0.5, height: 1 }, drawn: false, cue: "the line" },
      { region: { x: 0.5, y: 0, width: 0.5, height: 1 }, drawn: false, cue: "the plane" },
    ];
    const [base, first, second] = picturesIn(place({ parts }));
    expect(base?.without).to.have.length(2);
    expect(first?.from).to.be.above(0);
    expect(second?.from).to.be.above(first?.from ?? 0);
  });

  it("draws a part line by line where that is asked for", () => {
    const [, drawn] = picturesIn(place({ parts: [{ region: whole, drawn: true, cue: "go near" }] }));
    expect(drawn?.motion).to.equal("draw");
  });

  it("places the number on the side that is asked for, and within the picture", () => {
    const at = { x: 0.75, y: 0.75 };
    const [above, below, edge] = [
      { at, side: "top-left" },
      { at, side: "bottom-right" },
      { at: { x: 0.99, y: 0.99 }, side: "bottom-right" },
    ].map((one) => pinOf(place({ callouts: [{ label: "The line", cue: "the line", ...one } as Figure["callouts"][number]] }), 1)?.box);
    expect(below?.y).to.be.above(above?.y ?? 0);
    expect((edge?.x ?? 0) + (edge?.width ?? 0)).to.be.below(1_216);
    const frame = picturesIn(place())[0]?.whole ?? whole;
    expect((edge?.y ?? 0) + (edge?.height ?? 0)).to.be.at.most(frame.y + frame.height);
  });

  it("places the number where it is whole while the camera is near, too", () => {
    const near = { region: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 }, cue: "go near" };
    const callouts = [{ at: { x: 0.2, y: 0.58 }, side: "bottom-right" as const, label: "The line", cue: "the line" }];
    const placed = place({ zooms: [near], callouts });
    const frame = picturesIn(placed)[0]?.whole ?? whole;
    const pin = pinOf(placed, 1);
    const [, , , , , down = 0] = poseOf(pin?.moves ?? [], placed.durationMs) ?? [];
    expect((pin?.box.y ?? 0) + (pin?.box.height ?? 0) + down).to.be.at.most(frame.y + frame.height);
  });

  it("stands on the other side of its call-outs where one writes from the right", () => {
    const placed = placeScene(sceneOf("figure", content, narration), { aspect: "16:9", language: "ar", seconds: 14 });
    if (placed.kind === "refused") return expect.fail(placed.findings.join(" "));
    const words = placed.items.find((item) => item.kind === "text" && item.text === "The line");
    expect(words?.box.x).to.be.below(picturesIn(placed)[0]?.whole.x ?? 0);
  });

  const raster = { ...picture, type: "image/png" as const, textSize: 0 };
  const refusals: [string, Partial<Figure>, RegExp][] = [
    [
      "numbers that would lie on one another",
      { callouts: content.callouts.map((one) => ({ ...one, at: { x: 0.75, y: 0.75 } })) },
      /on one another/u,
    ],
    ["call-outs in another order than the words", { callouts: content.callouts.toReversed() }, /not in the order/u],
    [
      "a call-out on what the camera does not show",
      { callouts: [{ ...content.callouts[0], at: { x: 0.1, y: 0.1 } } as Figure["callouts"][number]] },
      /does not show/u,
    ],
    [
      "a camera that leaves before it has arrived",
      {
        zooms: [
          { region: quarter, cue: "go near" },
          { region: whole, cue: "find" },
        ],
      },
      /before it has arrived/u,
    ],
    ["a camera that goes beyond the picture", { zooms: [{ region: { ...quarter, x: 0.8 }, cue: "go near" }] }, /beyond the picture/u],
    [
      "a camera that hardly moves",
      { zooms: [{ region: { x: 0.01, y: 0.01, width: 0.98, height: 0.98 }, cue: "go near" }] },
      /hardly move/u,
    ],
    [
      "a part that is too small",
      { zooms: [{ region: { ...quarter, width: 0.06, height: 0.06 }, cue: "go near" }], callouts: [] },
      /too small: show more/u,
    ],
    ["a cue that is not spoken", { zooms: [{ region: quarter, cue: "nobody says" }], callouts: [] }, /does not have the words/u],
    [
      "parts that lie on one another",
      {
        parts: [
          { region: quarter, drawn: false, cue: "the line" },
          { region: whole, drawn: false, cue: "the plane" },
        ],
      },
      /lie on one another/u,
    ],
    [
      "lines of a picture that has none",
      { picture: raster, zooms: [], parts: [{ region: quarter, drawn: true, cue: "the line" }] },
      /Only an SVG/u,
    ],
    ["a picture that is too small", { picture: { ...raster, width: 60, height: 40 }, zooms: [], callouts: [] }, /too small to see/u],
    ["a picture that would be blurred", { picture: { ...raster, width: 400, height: 266 } }, /blurred/u],
    ["words in the picture that cannot be read", { zooms: [], picture: { ...picture, textSize: 9 } }, /can be read/u],
    ["signs that no font of films has", { picture: { ...picture, signs: "₁" } }, /signs the film's fonts do not have: ₁/u],
    ["too many pixels", { picture: { ...raster, width: 8_000, height: 8_000 } }, /too many pixels/u],
    [
      "call-outs that do not fit",
      {
        callouts: Array.from({ length: 5 }, (_, index) => ({
          at: { x: 0.55 + index * 0.09, y: 0.75 },
          side: "top-left",
          label: "Extraordinarily long words ".repeat(3),
          cue: "the line",
        })),
      },
      /do not fit/u,
    ],
  ];
  for (const [what, more, why] of refusals) it(`refuses ${what}`, () => expect(refusedBecause(more)).to.match(why));

  it("refuses a camera that has no time to arrive", () =>
    expect(refusedBecause({}, "16:9", 4)).to.match(/too little time|before it has arrived/u));
});
