import { type Encoder, start, write } from "./encoder.ts";
import type { Sound } from "./plan.ts";

export interface SpokenTrack {
  packets: { data: Uint8Array; at: number; length: number }[];
  decoderConfig: { codec: string; sampleRate: number; numberOfChannels: number; description: Uint8Array };
}

/**
 * How loud a film is: -16 LUFS, what the Audio Engineering Society recommends for sound on the web (TD1008, 2021), with peaks of at most
 * -1.5 dB, because encoding makes them a little louder. Measured and evened out by EBU R 128.
 */
const loudness = (rate: number): string => `loudnorm=I=-16:TP=-1.5:LRA=11,aresample=${rate},aformat=channel_layouts=mono`;

/** Arguments of FFmpeg that turn one channel of samples into others at the usual loudness. @param format of the output */
export const soundArguments = (rate: number, format = ["-c:a", "aac", "-b:a", "96k", "-flags:a", "+bitexact", "-f", "adts"]): string[] => [
  ...["-loglevel", "error", "-nostats", "-f", "f32le", "-ar", `${rate}`, "-ac", "1", "-i", "pipe:0"],
  ...["-af", loudness(rate), "-threads", "1", ...format, "pipe:1"],
];

/** Samples of a packet of AAC-LC. */
const step = 1_024;
/** Lengths of ADTS's header, without and with a checksum. */
const headBytes = { plain: 7, checked: 9 };

/** Encodes one continuous sound as AAC-LC, as loud as films are. */
export async function encodeSound({ samples, rate }: Sound, encoder: Encoder): Promise<SpokenTrack> {
  const output = start(encoder);
  await write(encoder.input, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  encoder.input.end();
  const stream = await output;
  const packets: Uint8Array[] = [];
  for (let at = 0; at + headBytes.plain <= stream.length; ) {
    const length = (stream.readUInt32BE(at + 2) >>> 5) & 0x1fff;
    if (stream[at] !== 0xff || length <= headBytes.plain) throw new Error("the sound encoder's output cannot be read");
    packets.push(stream.subarray(at + ((stream[at + 1] ?? 0) & 1 ? headBytes.plain : headBytes.checked), at + length));
    at += length;
  }
  // The first packet is the encoder's run-up, a fiftieth of a second of silence; players do not need it. Nor is the sound to be longer than the film.
  const whole = Math.floor(samples.length / step);
  const kept = packets.slice(1, whole + 1).map((data, index) => ({ data, at: (index * step) / rate, length: step / rate }));
  if (kept.length < whole) throw new Error("the sound encoder ended early");
  // An AudioSpecificConfig (ISO 14496-3) of the first header: object type, sampling frequency, channels.
  const [type, frequency] = [((stream[2] ?? 0) >> 6) + 1, ((stream[2] ?? 0) >> 2) & 15];
  const description = Uint8Array.from([(type << 3) | (frequency >> 1), ((frequency & 1) << 7) | (1 << 3)]);
  return { packets: kept, decoderConfig: { codec: "mp4a.40.2", sampleRate: rate, numberOfChannels: 1, description } };
}
