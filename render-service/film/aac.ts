import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_SAMPLE_FMT_FLTP,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Packet,
  Rational,
} from "node-av";
import type { Sound } from "./plan.ts";

export interface SpokenTrack {
  packets: { data: Uint8Array; at: number; length: number }[];
  decoderConfig: { codec: string; sampleRate: number; numberOfChannels: number; description: Uint8Array };
}

const bitRate = 96_000n;

/** Encodes one continuous sound as AAC-LC. */
export async function encodeSound({ samples, rate }: Sound): Promise<SpokenTrack> {
  const found = Codec.findEncoder(AV_CODEC_ID_AAC);
  if (!found) throw new Error("no AAC encoder");
  const codec = new CodecContext();
  const packet = new Packet();
  const packets: SpokenTrack["packets"] = [];
  const timeBase = new Rational(1, rate);
  const take = async (): Promise<void> => {
    for (;;) {
      const code = await codec.receivePacket(packet);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      FFmpegError.throwIfError(code, "receive sound");
      if (packet.data) packets.push({ data: Uint8Array.from(packet.data), at: 0, length: codec.frameSize / rate });
      packet.unref();
    }
  };
  codec.allocContext3(found);
  packet.alloc();
  try {
    codec.sampleRate = rate;
    codec.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    codec.sampleFormat = AV_SAMPLE_FMT_FLTP;
    codec.bitRate = bitRate;
    codec.timeBase = timeBase;
    codec.threadCount = 1;
    codec.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT);
    FFmpegError.throwIfError(await codec.open2(), "open the sound encoder");
    const step = codec.frameSize;
    const chunk = new Float32Array(step);
    for (let from = 0; from < samples.length; from += step) {
      chunk.fill(0).set(samples.subarray(from, from + step));
      const frame = Frame.fromAudioBuffer(Buffer.from(chunk.buffer), {
        nbSamples: step,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate: rate,
        channelLayout: AV_CHANNEL_LAYOUT_MONO,
        pts: BigInt(from),
        timeBase,
      });
      try {
        FFmpegError.throwIfError(await codec.sendFrame(frame), "encode sound");
      } finally {
        frame.free();
      }
      await take();
    }
    FFmpegError.throwIfError(await codec.sendFrame(null), "encode the last sound");
    await take();
    const description = codec.extraData;
    if (!description) throw new Error("the sound encoder tells nothing of itself");
    // The first packet is the encoder's run-up, a fiftieth of a second of silence; players do not need it. Nor is the sound to be longer than the film.
    const whole = Math.floor(samples.length / step);
    const kept = packets.slice(1, whole + 1).map((made, index) => ({ ...made, at: (index * step) / rate }));
    return {
      packets: kept,
      decoderConfig: { codec: "mp4a.40.2", sampleRate: rate, numberOfChannels: 1, description: Uint8Array.from(description) },
    };
  } finally {
    codec.freeContext();
    packet.free();
  }
}
