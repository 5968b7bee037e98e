import { expect } from "chai";
import { timeline } from "../frames/timeline.ts";
import { sampleStoryboard } from "./film.fixture.ts";
import { joinTracks, trimSilence } from "./sound.ts";

describe("the sound of a film", () => {
  const { scenes } = sampleStoryboard({ short: true });
  const track = (levels: readonly number[]) => {
    const spoken = levels.map((level) => ({ rate: 8_000, samples: Float32Array.of(level, -level / 2) }));
    const { samples } = joinTracks(
      spoken,
      timeline(
        scenes,
        spoken.map(() => 1),
      ),
    );
    return [...samples.filter((sample) => sample !== 0)];
  };

  it("leaves room above its loudest word, in the same measure for all of them", () => {
    const [first = 0, second = 0, third = 0] = track([1, 0.5, 0.25, 0.25]);
    expect(first).to.be.closeTo(10 ** (-1.5 / 20), 1e-6);
    expect(second).to.be.closeTo(-first / 2, 1e-6);
    expect(third).to.be.closeTo(first / 2, 1e-6);
  });

  it("is what was spoken where that is not too loud", () => {
    expect(track([0.5, 0.25, 0.25, 0.25]).slice(0, 2)).to.deep.equal([0.5, -0.25]);
  });

  it("has no silence before a voice or behind it but what the film gives it", () => {
    const samples = new Float32Array(10_000).fill(0.001);
    samples.fill(0.4, 3_000, 5_000);
    samples.fill(0, 3_500, 4_500);
    const part = trimSilence({ rate: 1_000, samples });
    expect(part.samples.length).to.equal(2_000 + 2 * 50);
    expect(part.samples[50]).to.be.closeTo(0.4, 1e-6);
    const still = new Float32Array(100);
    expect(trimSilence({ rate: 1_000, samples: still }).samples.length).to.equal(100);
  });
});
