import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { type RenderSettings, transcript as transcriptSchema } from "@colloquy/schemas/explainers/film.ts";
import type { Progress } from "@colloquy/schemas/explainers/render.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { encodersOf, type Ffmpeg, findFfmpeg } from "../worker/encoders.ts";
import { findIsolation } from "../worker/isolation.ts";
import { sampleStoryboard, standIn } from "./film.fixture.ts";
import { type MadeFilm, makeFilm } from "./film.ts";
import type { Voice } from "./plan.ts";
import { readSegment, type Segment, writeSegment } from "./segment.ts";

const portrait: RenderSettings = { ...defaultSettings, aspect: "9:16" };
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

let ffmpeg: Ffmpeg;

/** Keeps segments as a worker does, as the bytes of their files. */
function kept() {
  const files = new Map<string, Buffer>();
  return {
    files,
    read: (key: string) => {
      const file = files.get(key);
      return file ? readSegment(file) : null;
    },
    write: (key: string, segment: Segment) => void files.set(key, writeSegment(segment)),
  };
}

async function make(order: { storyboard?: Storyboard; settings?: RenderSettings; spoken?: Voice[] } = {}, segments = kept()) {
  const told: Progress[] = [];
  const made = await makeFilm(
    {
      storyboard: order.storyboard ?? sampleStoryboard({ short: true }),
      settings: order.settings ?? defaultSettings,
      spoken: order.spoken ?? null,
      encoder: ffmpeg.version,
    },
    {
      drawing: standIn,
      encoders: encodersOf(ffmpeg, order.settings ?? defaultSettings),
      segments,
      onProgress: (progress) => told.push(progress),
    },
  );
  return { ...made, told };
}

const speech = (storyboard: Storyboard): Voice[] =>
  storyboard.scenes.map((_, scene) => ({
    rate: 22_050,
    samples: Float32Array.from({ length: 44_100 * (1 + scene) }, (_, at) => Math.sin(at / 20) * 0.2),
    places: [],
  }));

describe("a film", function () {
  this.timeout(240_000);
  let folder: string;
  let silent: Awaited<ReturnType<typeof make>>;
  const segments = kept();
  before(async function () {
    const found = await findFfmpeg(await findIsolation());
    if (!found) return skipTest(this, "there is no ffmpeg here");
    ffmpeg = found;
    folder = mkdtempSync(join(tmpdir(), "film-"));
    silent = await make({}, segments);
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  /** What an independent reader says of a film. */
  function probed({ artifacts }: Pick<MadeFilm, "artifacts">) {
    const file = join(folder, "film.mp4");
    writeFileSync(file, artifacts.video);
    const options = ["-v", "error", "-show_streams", "-show_format", "-show_packets", "-of", "json", file];
    const told = JSON.parse(execFileSync("ffprobe", options, { maxBuffer: 1e8 }).toString());
    execFileSync("ffmpeg", ["-v", "error", "-xerror", "-i", file, "-f", "null", "-"]);
    return told as {
      streams: Record<string, string | number>[];
      format: Record<string, string>;
      packets: { codec_type: string; pts_time: string; duration_time: string; flags: string }[];
    };
  }

  it("is as long as its words say, to the frame, with a picture at each scene's start, each second and at its end", async () => {
    const { streams, format, packets } = probed(silent);
    const storyboard = sampleStoryboard({ short: true });
    expect(silent.milliseconds).to.equal(Math.round(storyboard.seconds * 1_000));
    expect(Number(format.duration)).to.be.closeTo(storyboard.seconds, 0.001);
    expect(streams).to.have.length(1);
    expect(streams[0]).to.include({ codec_name: "h264", profile: "High", pix_fmt: "yuv420p", width: 1280, height: 720 });
    expect(streams[0]).to.include({ color_space: "bt709", color_range: "tv", has_b_frames: 0 });
    const times = packets.map(({ pts_time }) => Number(pts_time));
    expect(times.at(-1)).to.be.closeTo(storyboard.seconds - 1 / 30, 0.001);
    for (const [index, time] of times.entries()) expect(time - (times[index - 1] ?? time)).to.be.at.most(1.001);
    const keys = packets.filter(({ flags }) => flags.startsWith("K")).map(({ pts_time }) => Number(pts_time));
    for (const { startMs } of silent.artifacts.transcript.scenes)
      expect(keys.some((at) => Math.abs(at - startMs / 1_000) < 0.002)).to.equal(true, `no key frame at ${startMs}`);
    expect(silent.metrics.framesDrawn).to.equal(packets.length);
    expect(silent.metrics.framesDrawn).to.be.lessThan(silent.metrics.frames / 2);
  });

  it("has its table before its pictures, and no time of making", () => {
    const { video } = silent.artifacts;
    expect(video.indexOf("moov")).to.be.lessThan(video.indexOf("mdat")).and.above(0);
    for (const box of ["mvhd", "tkhd", "mdhd"]) {
      const at = video.indexOf(box);
      expect(video.subarray(at + 8, at + 16).every((byte) => byte === 0)).to.equal(true, box);
    }
  });

  it("is the same bytes each time, whether its scenes are drawn or were drawn before", async () => {
    const [again, fromBefore] = [await make(), await make({}, segments)];
    expect(again.metrics.segmentsReused).to.equal(0);
    expect(fromBefore.metrics.segmentsReused).to.equal(4);
    for (const one of [again, fromBefore]) {
      expect(hash(one.artifacts.video)).to.equal(hash(silent.artifacts.video));
      expect(hash(one.artifacts.poster)).to.equal(hash(silent.artifacts.poster));
      for (const kind of ["captions", "chapters", "transcript"] as const) expect(one.artifacts[kind]).to.deep.equal(silent.artifacts[kind]);
    }
  });

  it("draws one scene when one was edited, and is what drawing all would be", async () => {
    const storyboard = sampleStoryboard({ edited: true, short: true });
    const partly = await make({ storyboard }, segments);
    expect(partly.metrics.segmentsReused).to.equal(3);
    const whole = await make({ storyboard });
    expect(hash(partly.artifacts.video)).to.equal(hash(whole.artifacts.video));
    expect(hash(partly.artifacts.video)).not.to.equal(hash(silent.artifacts.video));
  });

  it("draws a scene anew whose kept pictures are damaged", async () => {
    for (const spoil of [
      (file: Buffer) => file.subarray(0, file.length - 10),
      (file: Buffer) => {
        const other = Buffer.from(file);
        other[100] = (other[100] ?? 0) ^ 1;
        return other;
      },
      () => Buffer.alloc(0),
    ]) {
      const damaged = kept();
      for (const [key, file] of segments.files) damaged.files.set(key, file);
      const [key = "", file = Buffer.alloc(0)] = [...damaged.files][1] ?? [];
      damaged.files.set(key, spoil(file));
      const made = await make({}, damaged);
      expect(hash(made.artifacts.video)).to.equal(hash(silent.artifacts.video));
    }
  });

  it("tells how far it is, never backwards, up to its end", () => {
    const stages = ["starting", "drawing", "encoding"];
    const order = silent.told.map(({ stage, done, total }) => stages.indexOf(stage) + (done / total) * 0.99);
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
    expect(silent.told.length).to.be.greaterThan(10);
    expect(silent.told.at(-1)).to.deep.equal({ stage: "encoding", done: 2, total: 2 });
  });

  it("stands upright where it is asked to", async () => {
    const made = await make({ settings: portrait });
    expect(probed(made).streams[0]).to.include({ width: 720, height: 1280 });
    expect([made.artifacts.poster.readUInt32BE(16), made.artifacts.poster.readUInt32BE(20)]).to.deep.equal([720, 1280]);
  });

  it("takes the length of each scene from what is spoken, in one track as long as the film", async () => {
    const storyboard = sampleStoryboard({ short: true });
    const made = await make({ storyboard, spoken: speech(storyboard), settings: { ...defaultSettings, voice: "spoken" } });
    const { streams, format } = probed(made);
    // The last scene is seen for a moment, then spoken for eight seconds, and a question holds for three: 337.5 pictures.
    const last = made.artifacts.transcript.scenes.at(-1);
    expect((last?.endMs ?? 0) - (last?.startMs ?? 0)).to.equal(11_267);
    expect(streams.map(({ codec_name }) => codec_name)).to.deep.equal(["h264", "aac"]);
    expect(Number(format.duration)).to.be.closeTo(made.milliseconds / 1_000, 0.001);
    expect(Number(streams[1]?.duration)).to.be.closeTo(made.milliseconds / 1_000, 0.1);
    const again = await make({ storyboard, spoken: speech(storyboard), settings: { ...defaultSettings, voice: "spoken" } });
    expect(hash(again.artifacts.video)).to.equal(hash(made.artifacts.video));
  });

  it("says what is in it", () => {
    const { transcript, chapters, captions } = silent.artifacts;
    expect(transcriptSchema.parse(transcript).scenes).to.have.length(4);
    expect(transcript.scenes[2]).to.deep.include({
      heading: "Step 3",
      shows: ["ls lists", "grep keeps", "wc counts"].map((text) => ({ as: "words", text, label: "" })),
    });
    expect(transcript.scenes[2]?.sources).to.deep.equal([
      { sourceId: "lesson-pipes", title: "Pipes & filters", href: "/courses/unix-shell/pipes", quote: "hands it to the next" },
    ]);
    expect(chapters).to.contain("NOTE\nPipes &amp; filters /courses/unix-shell/pipes\n\nscene-0000\n00:00:00.000 --> 00:00:");
    expect(captions).to.match(/^WEBVTT\n\n1\n00:00:00\.250 --> /);
    expect(silent.metrics.captionCharactersPerSecond).to.be.within(5, 20);
    expect(silent.metrics.wordsPerSecond).to.be.within(1, 2.6);
  });

  it("is refused whole when one scene cannot be laid out, before anything is drawn", async () => {
    const storyboard = sampleStoryboard({ short: true });
    const refused = { ...storyboard, title: "refuse", scenes: storyboard.scenes.map((scene) => ({ ...scene, narration: "REFUSE" })) };
    const empty = kept();
    const outcome = await make({ storyboard: refused }, empty).catch((error: Error) => error.name);
    expect(outcome).to.equal("Refused");
    expect(empty.files.size).to.equal(0);
  });
});
