import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { expect } from "chai";
import { type Ffmpeg, findFfmpeg } from "../worker/encoders.ts";
import { findIsolation } from "../worker/isolation.ts";
import { soundArguments } from "./aac.ts";
import { start } from "./encoder.ts";
import type { Sound } from "./plan.ts";

const rate = 22_050;
/** Seconds of a tone with the rhythm of syllables, between two seconds of silence. */
function syllables(level: number) {
  const [silent, loud] = [rate, rate * 6];
  const samples = new Float32Array(loud + 2 * silent);
  for (let at = 0; at < loud; at += 1) samples[silent + at] = level * Math.sin(at / 9) * Math.max(0, Math.sin((at / rate) * Math.PI * 4));
  return { rate, samples };
}
const level = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.filter((sample) => sample !== 0).length);

describe("the loudness of a film", () => {
  let ffmpeg: Ffmpeg;
  before(async function () {
    const found = await findFfmpeg(await findIsolation());
    if (!found) return skipTest(this, "there is no ffmpeg here");
    ffmpeg = found;
  });

  /** The samples that are encoded for a sound. */
  async function atUsualLoudness(sound: Sound): Promise<Sound> {
    const { stdin, stdout } = ffmpeg.start(soundArguments(sound.rate, ["-f", "f32le"]));
    const output = start({ input: stdin, output: stdout });
    stdin.end(Buffer.from(sound.samples.buffer));
    return { ...sound, samples: new Float32Array(Uint8Array.from(await output).buffer) };
  }

  it("is the same for quiet and loud voices", async () => {
    const [quiet, loud] = await Promise.all([0.03, 0.9].map((peak) => atUsualLoudness(syllables(peak))));
    expect(level(quiet?.samples ?? new Float32Array())).to.be.closeTo(level(loud?.samples ?? new Float32Array()), 2);
  });

  it("leaves room above the loudest sign", async () => {
    const { samples } = await atUsualLoudness(syllables(1));
    expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).to.be.below(10 ** (-1.4 / 20));
  });

  it("leaves the sound in its place", async () => {
    const before = syllables(0.1).samples;
    const { samples } = await atUsualLoudness({ rate, samples: before });
    expect(samples.length).to.equal(before.length);
    const begins = (all: Float32Array): number => all.findIndex((sample) => Math.abs(sample) > 0.002) / rate;
    expect(begins(samples)).to.be.closeTo(begins(before), 0.02);
  });

  it("leaves silence silent", async () => {
    const { samples } = await atUsualLoudness({ rate, samples: new Float32Array(rate * 4) });
    expect(samples.every((sample) => Math.abs(sample) < 1e-4)).to.equal(true);
  });
});
