import { expect } from "chai";
import { createVectorTable, quantized } from "./vector-table.ts";

/** The same vectors at each run: a linear congruential generator. */
function generator(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
const unit = (values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe("the table of vectors", () => {
  const dimensions = 48;
  const all = new Float32Array(16_384).fill(1);
  /** Vectors in groups around common directions, as those of texts are. */
  const made = (count: number): Float32Array[] => {
    const random = generator();
    const centres = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, random));
    return Array.from({ length: count }, (_, at) => unit((centres[at % 40] ?? []).map((value) => value + 0.6 * random())));
  };

  it("gives cosines as without rounding to bytes, within a hundredth", () => {
    const table = createVectorTable(dimensions);
    const [one, ...others] = made(50) as [Float32Array, ...Float32Array[]];
    for (const [slot, vector] of others.entries()) table.set(slot, quantized(vector));
    for (const [slot, vector] of others.entries()) expect(table.cosine(slot, one)).to.be.closeTo(dot(vector, one), 0.01);
    expect(table.cosine(5_000, one)).to.equal(null);
  });

  it("finds the nearest, nearest first, among those accepted", () => {
    const table = createVectorTable(dimensions);
    const vectors = made(300);
    for (const [slot, vector] of vectors.entries()) table.set(slot, quantized(vector));
    const question = vectors[17] as Float32Array;
    const exact = vectors
      .map((_, slot) => slot)
      .sort((a, b) => dot(vectors[b] as Float32Array, question) - dot(vectors[a] as Float32Array, question));
    expect(table.nearest(question, all, 5)[0]).to.equal(17);
    expect(table.nearest(question, all, 5).filter((slot) => exact.slice(0, 6).includes(slot))).to.have.length(5);
    expect(table.nearest(question, all.with(17, 0), 5)).not.to.include(17);
  });

  it("finds almost the same among many by comparing signs first", () => {
    const table = createVectorTable(dimensions);
    const vectors = made(12_000);
    for (const [slot, vector] of vectors.entries()) table.set(slot, quantized(vector));
    const random = generator();
    let found = 0;
    for (let asked = 0; asked < 20; asked += 1) {
      const question = unit([...(vectors[asked * 31] as Float32Array)].map((value) => value + 0.05 * random()));
      const best = vectors
        .map((vector, slot) => ({ slot, cosine: dot(vector, question) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 10)
        .map(({ slot }) => slot);
      const near = table.nearest(question, all, 20);
      found += best.filter((slot) => near.includes(slot)).length;
    }
    expect(found / 200).to.be.greaterThan(0.97);
  });

  it("forgets a deleted vector", () => {
    const table = createVectorTable(dimensions);
    const [vector] = made(1) as [Float32Array];
    table.set(3, quantized(vector));
    table.delete(3);
    table.delete(4_000);
    expect(table.cosine(3, vector)).to.equal(null);
    expect(table.nearest(vector, all, 5)).to.deep.equal([]);
  });
});
