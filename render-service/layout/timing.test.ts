import { expect } from "chai";
import fc from "fast-check";
import { reveals, spokenAt } from "./timing.ts";

const speech = { from: 0, to: 8_000 };
const order = (narration: string) => ({ narration, speech, durationMs: 9_000 });

describe("when things come", () => {
  it("is when they are spoken of", () => {
    const [first = 0, second = 0, third = 0] = reveals(
      ["Filters read", "Sorting waits", "Nothing stored"],
      order("Every filter in the whole long pipeline reads its lines; only sort is waiting for the end; and nothing at all is stored."),
    );
    expect(first).to.be.below(1_300);
    expect(second).to.be.within(3_500, 5_500);
    expect(third).to.be.within(6_000, 8_000);
  });

  it("follows the voice's own times", () => {
    const places = [
      { at: 0, ms: 0 },
      { at: 7, ms: 6_000 },
    ];
    const told = { narration: "First. Then the arrow.", speech: { ...speech, places }, durationMs: 9_000 };
    expect(spokenAt("Then", told)).to.equal(5_800);
    expect(reveals(["first", "arrow"], told)[1]).to.be.within(6_500, 7_500);
  });

  it("is between their neighbours where nobody speaks of them", () => {
    const [first = 0, second = 0, third = 0] = reveals(
      ["alpha", "unspoken", "omega"],
      order("alpha and then many other words until at last omega"),
    );
    expect(second).to.be.above(first).and.below(third);
  });

  it("leaves no picture empty for long, and nothing to its last moment", () => {
    const times = reveals(["omega"], order("many words come before the one word omega"));
    expect(times[0]).to.be.at.most(800);
  });

  it("knows words written otherwise in Arabic", () => {
    const [, second = 0] = reveals(["شيء", "يقرأ الأسطر"], order("كلام كثير قبل ذلك وبعد ذلك ثم يقرأ أسطرا من الملف"));
    expect(second).to.be.above(3_000);
  });

  it("keeps their order, one after the other, within the scene", () => {
    fc.assert(
      fc.property(
        fc.array(fc.lorem({ maxCount: 4 }), { minLength: 1, maxLength: 9 }),
        fc.lorem({ maxCount: 40 }),
        fc.integer({ min: 2_500, max: 20_000 }),
        (labels, narration, durationMs) => {
          const times = reveals(labels, { narration, speech: { from: 200, to: durationMs * 0.8 }, durationMs });
          expect(times).to.have.length(labels.length);
          expect(times.every((at, index) => at >= 0 && at < durationMs && (index === 0 || at > (times[index - 1] ?? 0)))).to.equal(true);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});
