import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLTP, FilterAPI, Frame, Rational } from "node-av";
import type { Sound } from "./plan.ts";

/**
 * How loud a film is: -16 LUFS, what the Audio Engineering Society recommends for sound on the web (TD1008, 2021), with peaks of at most
 * -1.5 dB, because encoding makes them a little louder. Measured and evened out by EBU R 128 (FFmpeg's `loudnorm`).
 */
const filters = (rate: number): string => `loudnorm=I=-16:TP=-1.5:LRA=11,aresample=${rate},aformat=sample_fmts=flt`;
const step = 4_096;

/** A film's sound at the usual loudness, as long as it was. Silence stays silence. */
export async function atUsualLoudness({ samples, rate }: Sound): Promise<Sound> {
  const filter = FilterAPI.create(filters(rate));
  const louder = new Float32Array(samples.length);
  let filled = 0;
  const take = async (): Promise<void> => {
    for (let frame = await filter.receive(); frame instanceof Frame; frame = await filter.receive()) {
      const bytes = Uint8Array.from(frame.toBuffer().subarray(0, frame.nbSamples * Float32Array.BYTES_PER_ELEMENT));
      frame.free();
      const part = new Float32Array(bytes.buffer).subarray(0, louder.length - filled);
      louder.set(part, filled);
      filled += part.length;
    }
  };
  try {
    for (let from = 0; from < samples.length; from += step) {
      const part = samples.slice(from, from + step);
      const frame = Frame.fromAudioBuffer(Buffer.from(part.buffer), {
        nbSamples: part.length,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate: rate,
        channelLayout: AV_CHANNEL_LAYOUT_MONO,
        pts: BigInt(from),
        timeBase: new Rational(1, rate),
      });
      try {
        await filter.process(frame);
      } finally {
        frame.free();
      }
      await take();
    }
    await filter.flush();
    await take();
    return { samples: louder, rate };
  } finally {
    filter.close();
  }
}
