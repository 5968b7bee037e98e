import { fileURLToPath } from "node:url";
import type { Move, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { frameKey } from "../frames/draw.ts";
import { placeScene } from "../layout/place.ts";
import { aspects, samples } from "../layout/testing/scenes.ts";
import { drawFrame } from "./draw.ts";
import { loadPictures } from "./sample-pictures.ts";

const placedOf = (aspect: (typeof aspects)[number], chosen: (layout: string) => boolean): Placed[] =>
  samples.flatMap(({ scenes, language }) =>
    scenes.flatMap((scene) => {
      const placed = placeScene(scene, { aspect, language, seconds: scene.seconds, source: "A source" });
      return placed.kind === "placed" && chosen(scene.layout) ? [placed] : [];
    }),
  );

function pixels(placed: Placed, timeMs: number, theme: "light" | "dark" = "light"): Buffer {
  const scale = 0.25;
  const canvas = createCanvas(placed.width * scale, placed.height * scale);
  drawFrame(canvas.getContext("2d"), placed, timeMs, { theme, scale });
  return canvas.data();
}

describe("drawing a frame", function () {
  this.timeout(120_000);
  before(() =>
    loadPictures(
      samples.flatMap(({ scenes }) => scenes),
      fileURLToPath(new URL("samples/pictures", import.meta.url)),
    ),
  );
  const some = placedOf("16:9", (layout) => ["points", "plot", "code", "figure"].includes(layout));

  it("gives the same pixels for the same moment", () => {
    for (const placed of some) expect(pixels(placed, 2_345).equals(pixels(placed, 2_345))).to.equal(true);
  });

  it("gives the same pixels for the same key, and moves only when the key does", () => {
    const [placed] = some;
    if (!placed) throw new Error("no sample was placed");
    let before: { key: string; image: Buffer } | undefined;
    let kept = 0;
    for (let frame = 0; frame < 90; frame++) {
      const timeMs = (frame * 1000) / 30;
      const here = { key: frameKey(placed, timeMs), image: pixels(placed, timeMs) };
      if (before?.key === here.key) {
        kept += 1;
        expect(here.image.equals(before.image), `at ${timeMs} ms`).to.equal(true);
      }
      before = here;
    }
    expect(kept).to.be.above(5);
  });

  it("has come to rest before the scene ends", () => {
    for (const placed of some) expect(frameKey(placed, placed.durationMs - 1)).to.equal(frameKey(placed, placed.durationMs + 60_000));
  });

  for (const aspect of aspects)
    it(`leaves the margins free of everything at ${aspect}`, () => {
      for (const placed of placedOf(aspect, () => true)) {
        const image = pixels(placed, placed.durationMs, "dark");
        const [width, height] = [placed.width / 4, placed.height / 4];
        const { safe } = placed;
        const paper = image.subarray(0, 4);
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++) {
            // A pixel here is four of the design; one more where edges are smoothed.
            const inside =
              x * 4 >= safe.x - 8 && x * 4 <= safe.x + safe.width + 4 && y * 4 >= safe.y - 8 && y * 4 <= safe.y + safe.height + 4;
            if (inside) continue;
            const at = (y * width + x) * 4;
            if (!image.subarray(at, at + 4).equals(paper)) expect.fail(`something stands at ${x * 4}, ${y * 4}`);
          }
      }
    });

  it("draws everything larger where the camera is near, its strokes too", () => {
    const drawn = (times: number, moves: Move[]): Placed => {
      const [x, y, width, height] = [40, 60, 100, 50].map((length) => length * times) as [number, number, number, number];
      const shown = { box: { x, y, width, height }, part: "one", from: 0, motion: "still", takes: 0, moves, camera: true } as const;
      return {
        kind: "placed",
        width: 1280,
        height: 720,
        safe: { x: 0, y: 0, width: 1280, height: 720 },
        durationMs: 1_000,
        items: [
          { ...shown, kind: "box", radius: 8 * times, fill: "accent-wash", stroke: "accent", strokeWidth: 4 * times },
          { ...shown, kind: "line", d: `M${x} ${y}L${x + width} ${y + height}`, width: 6 * times, colour: "ink" },
          { ...shown, kind: "text", text: "A", face: "read", size: 40 * times, x, baseline: y + height, direction: "ltr", colour: "ink" },
        ],
      };
    };
    const near = pixels(drawn(1, [{ from: -2, takes: 1, to: [2, 0, 0, 2, 0, 0] }]), 500);
    expect(near.equals(pixels(drawn(2, []), 500))).to.equal(true);
  });

  it("draws no head of an arrow that a map has sent to a point, and none longer than its arrow", () => {
    const inked = (length: number, share: number): number => {
      const [origin, tip] = [
        { x: 400, y: 400 },
        { x: 400 + length, y: 400 },
      ];
      const placed: Placed = {
        kind: "placed",
        width: 1280,
        height: 720,
        safe: { x: 0, y: 0, width: 1280, height: 720 },
        durationMs: 1_000,
        items: [
          {
            kind: "line",
            d: `M${origin.x} ${origin.y}L${tip.x} ${tip.y}`,
            width: 6,
            colour: "ink",
            tip: { ...tip, angle: 0, tail: origin },
            box: { x: 300, y: 300, width: 200, height: 200 },
            part: "plane",
            from: 0,
            takes: 0,
            motion: "still",
            moves: [{ from: -2, takes: 1, to: [share, 0, 0, share, 400 * (1 - share), 400 * (1 - share)] }],
          },
        ],
      };
      const image = pixels(placed, 500);
      const paper = image.subarray(0, 4);
      let [left, right] = [Number.POSITIVE_INFINITY, 0];
      for (let at = 0; at < image.length; at += 4)
        if (!image.subarray(at, at + 4).equals(paper)) {
          const x = ((at / 4) % 320) * 4;
          [left, right] = [Math.min(left, x), Math.max(right, x)];
        }
      return right - left;
    };
    expect(inked(120, 0)).to.be.at.most(8);
    expect(inked(120, 0.1)).to.be.at.most(24);
    expect(inked(120, 1)).to.be.at.least(116);
  });

  it("draws both themes", () => {
    for (const placed of some) expect(pixels(placed, 5_000, "dark").equals(pixels(placed, 5_000, "light"))).to.equal(false);
  });
});
