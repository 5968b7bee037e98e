import { expect } from "chai";
import { timeline } from "../frames/timeline.ts";
import { sampleStoryboard } from "./film.fixture.ts";
import { joinTracks, type SpokenSentence, voiceOf } from "./sound.ts";

const rate = 1_000;
/** A tone of some samples between silences. */
function tone({ quiet = 0, loud = 1_000 }): SpokenSentence["sound"] {
  const samples = new Float32Array(loud + 2 * quiet);
  samples.fill(0.4, quiet, quiet + loud);
  return { rate, samples };
}

describe("the sound of a film", () => {
  it("has each scene's voice where the scene is spoken", () => {
    const { scenes } = sampleStoryboard({ short: true });
    const spoken = scenes.map(() => tone({ loud: 2 }));
    const timed = timeline(
      scenes,
      scenes.map(() => ({ seconds: 1, places: [] })),
    );
    const { samples } = joinTracks(spoken, timed);
    const heard = [...samples.keys()].filter((at) => samples[at] !== 0);
    expect(heard).to.deep.equal(
      timed.flatMap(({ start, speech }) => [0, 1].map((at) => Math.round((start / 30 + speech.from / 1_000) * rate) + at)),
    );
  });
});

describe("the voice of a scene", () => {
  const sentence = (at: number, end: number, sound: SpokenSentence["sound"], words: SpokenSentence["words"] = []) => ({
    at,
    end,
    sound,
    words,
  });

  it("has no silence before its sentences or behind them but a pause between two", () => {
    const { samples } = voiceOf([sentence(0, 10, tone({ quiet: 700 })), sentence(11, 20, tone({ quiet: 300 }))]);
    const around = 50;
    expect(samples.length).to.equal(1_000 + 2 * around + 400 + 1_000 + 2 * around);
    expect(
      [samples[around - 1], samples[around], samples[around + 999], samples[around + 1_000]].map((sample) => sample?.toFixed(1)),
    ).to.deep.equal(["0.0", "0.4", "0.4", "0.0"]);
  });

  it("tells when each sentence begins and ends", () => {
    const { places } = voiceOf([sentence(0, 10, tone({})), sentence(11, 20, tone({ loud: 500 }))]);
    expect(places).to.deep.equal([
      { at: 0, ms: 0 },
      { at: 10, ms: 1_000 },
      { at: 11, ms: 1_400 },
      { at: 20, ms: 1_900 },
    ]);
  });

  it("tells when words are said, without the silence that was cut", () => {
    const { places } = voiceOf([sentence(0, 10, tone({ quiet: 250 }), [{ at: 4, ms: 750 }])]);
    expect(places[1]).to.deep.equal({ at: 4, ms: 550 });
  });

  it("tells when a part of a sentence begins from its share, where the voice gives no times", () => {
    const shares = [{ at: 4, share: 0.75 }];
    const { places } = voiceOf([
      { ...sentence(0, 10, tone({})), shares },
      { ...sentence(11, 20, tone({}), [{ at: 13, ms: 200 }]), shares },
    ]);
    expect(places).to.deep.equal([
      { at: 0, ms: 0 },
      { at: 4, ms: 750 },
      { at: 10, ms: 1_000 },
      { at: 11, ms: 1_400 },
      { at: 13, ms: 1_600 },
      { at: 20, ms: 2_400 },
    ]);
  });

  it("does without words that are said before what precedes them", () => {
    const { places } = voiceOf([
      sentence(0, 10, tone({}), [
        { at: 2, ms: 600 },
        { at: 4, ms: 300 },
        { at: 6, ms: 5_000 },
      ]),
      sentence(11, 20, tone({})),
    ]);
    expect(places.map(({ ms }) => ms)).to.deep.equal(places.map(({ ms }) => ms).toSorted((a, b) => a - b));
    expect(places).to.deep.include({ at: 11, ms: 1_400 });
  });

  it("is silent where nothing is heard", () => {
    expect(voiceOf([sentence(0, 3, { rate, samples: new Float32Array(100) })]).samples.length).to.equal(100);
  });
});
