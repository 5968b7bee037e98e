import { bounds } from "@colloquy/schemas/bounds.ts";
import { stroke } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import fc from "fast-check";
import { decodePoints, encodePoints, maxCoordinate, outline, type Point, splitStroke, thinPoints, touches } from "./ink.ts";

const line: Point[] = [
  [0, 0, 0.5],
  [100, 0, 0.5],
  [200, 0, 0.5],
];

describe("stroke encoding", () => {
  const coordinate = fc.integer({ min: -maxCoordinate, max: maxCoordinate });
  const point = fc.tuple(
    coordinate,
    coordinate,
    fc.integer({ min: 0, max: 255 }).map((pressure) => pressure / 255),
  );

  it("round-trips any points", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 50 }), (points) => {
        expect(decodePoints(encodePoints(points as Point[]))).to.deep.equal(points);
      }),
    );
  });

  it("keeps any line within the bounds of a stored stroke", () => {
    const wild = fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(wild, { minLength: 1, maxLength: 40 }), (points) => {
        const kept = {
          strokeId: "stroke-0001",
          blockId: null,
          tool: "pen",
          colour: "ink",
          width: 4,
          points: encodePoints(points as Point[]),
        };
        expect(stroke.safeParse(kept).success).to.equal(true);
      }),
    );
    const long = Array.from({ length: bounds.annotation.strokePoints * 2 }, (_, index): Point => [index, 0, 0.5]);
    const kept = { strokeId: "stroke-0001", blockId: null, tool: "pen", colour: "ink", width: 4, points: encodePoints(long) };
    expect(stroke.safeParse(kept).success).to.equal(true);
  });

  it("splits a long line without losing points or leaving gaps", () => {
    const most = bounds.annotation.strokePoints;
    const line = (length: number) => Array.from({ length }, (_, index): Point => [index, 0, 0.5]);
    expect(splitStroke(line(most))).to.have.lengthOf(1);
    expect(splitStroke(line(1))).to.deep.equal([line(1)]);
    for (const length of [most + 1, most * 2 - 1, most * 2, most * 3 + 7]) {
      const parts = splitStroke(line(length)).map((part) => decodePoints(encodePoints(part)).map(([x]) => x));
      for (const [index, part] of parts.entries()) {
        expect(part.length, `part ${index} of ${length}`).to.be.within(2, most);
        if (index > 0) expect(part[0]).to.equal(parts[index - 1]?.at(-1));
      }
      expect([...new Set(parts.flat())]).to.deep.equal(line(length).map(([x]) => x));
    }
  });

  it("thins points but keeps both ends", () => {
    const dense = Array.from({ length: 101 }, (_, index): Point => [index, 0, 0.5]);
    const kept = thinPoints(dense, 10);
    expect(kept.length).to.equal(11);
    expect([kept[0], kept.at(-1)]).to.deep.equal([dense[0], dense[100]]);
  });

  it("has an outline for lines and dots", () => {
    expect(outline(line, { tool: "pen", width: 6 })).to.match(/^M[-\d.]+ [-\d.]+(Q[-\d.]+ [-\d.]+ [-\d.]+ [-\d.]+)+Z$/);
    expect(outline(line.slice(0, 1), { tool: "highlighter", width: 20 })).to.match(/^M.*Z$/);
    expect(outline([], { tool: "pen", width: 6 })).to.equal("");
  });

  it("is touched by an eraser on it but not beside it", () => {
    expect(touches(line, 4, [50, 5], 4)).to.equal(true);
    expect(touches(line, 4, [50, 20], 4)).to.equal(false);
    expect(touches(line.slice(0, 1), 4, [3, 0], 4)).to.equal(true);
    expect(touches(line, 4, [260, 0], 4)).to.equal(false);
  });
});
