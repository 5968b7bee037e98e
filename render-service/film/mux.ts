import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from "mediabunny";
import { framesPerSecond } from "../frames/timeline.ts";
import type { SpokenTrack } from "./aac.ts";
import type { Picture, Size } from "./encoder.ts";

const seconds = (frame: number): number => frame / framesPerSecond;

/**
 * An MP4 with its index first. The encoded frames of scenes are joined without encoding them again.
 * @param pictures of the whole video; `frame` counts from its start
 */
export async function muxFilm(film: {
  pictures: readonly Picture[];
  frames: number;
  size: Size;
  spoken: SpokenTrack | null;
}): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const video = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(video, { frameRate: framesPerSecond });
  const audio = film.spoken && new EncodedAudioPacketSource("aac");
  if (audio) output.addAudioTrack(audio);
  await output.start();
  const decoderConfig = {
    codec: "avc1.640028",
    codedWidth: film.size.width,
    codedHeight: film.size.height,
    colorSpace: { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const,
  };
  for (const [index, { frame, key, data }] of film.pictures.entries()) {
    const until = film.pictures[index + 1]?.frame ?? film.frames;
    await video.add(new EncodedPacket(data, key ? "key" : "delta", seconds(frame), seconds(until - frame)), { decoderConfig });
  }
  video.close();
  if (audio && film.spoken) {
    for (const { data, at, length } of film.spoken.packets)
      await audio.add(new EncodedPacket(data, "key", at, length), { decoderConfig: film.spoken.decoderConfig });
    audio.close();
  }
  await output.finalize();
  if (!target.buffer) throw new Error("no film was written");
  return withoutTimes(Buffer.from(target.buffer));
}

const containers = new Set(["moov", "trak", "mdia"]);
const timed = new Set(["mvhd", "tkhd", "mdhd"]);

/** Sets creation and modification times to 0, the only bytes that differ between renders of the same order. */
function withoutTimes(file: Buffer): Buffer {
  const look = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const length = file.readUInt32BE(at) || to - at;
      const name = file.toString("latin1", at + 4, at + 8);
      if (containers.has(name)) look(at + 8, at + length);
      if (timed.has(name)) file.fill(0, at + 12, at + 12 + (file[at + 8] === 1 ? 16 : 8));
      // A box of more than 4 GB says so with a length of 1; films are nowhere near.
      at += Math.max(8, length);
    }
  };
  look(0, file.length);
  return file;
}
