import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { expect } from "chai";
import { encodeSound } from "../film/aac.ts";
import { type Encoder, SceneEncoder } from "../film/encoder.ts";
import { sampleStoryboard } from "../film/film.fixture.ts";
import { plan } from "../film/plan.ts";
import { encodersOf, type Ffmpeg, findFfmpeg, startEncoders } from "./encoders.ts";
import { findIsolation } from "./isolation.ts";

describe("the encoders of a film", () => {
  let folder: string;
  let ffmpeg: Ffmpeg;
  before(async function () {
    const found = await findFfmpeg(await findIsolation());
    if (!found) return skipTest(this, "there is no ffmpeg here");
    ffmpeg = found;
    folder = mkdtempSync(join(tmpdir(), "encoders-"));
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  /** An FFmpeg that does what a shell script says. */
  const scripted = async (script: string, withinMs?: number): Promise<Ffmpeg | null> => {
    writeFileSync(join(folder, "ffmpeg"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "ffmpeg"), 0o755);
    return findFfmpeg(await findIsolation(""), { path: folder, ...(withinMs !== undefined && { withinMs }) });
  };

  it("are none where FFmpeg is not installed or lacks an encoder", async () => {
    expect(await findFfmpeg(await findIsolation(), { path: "" })).to.equal(null);
    expect(await scripted('case "$*" in *libx264*) exit 1;; esac; cat; echo x')).to.equal(null);
    expect(await scripted("cat; echo x")).not.to.equal(null);
  });

  it("are none where FFmpeg does not come to an end", async () => {
    expect(await scripted("exec /bin/sleep 1000", 100)).to.equal(null);
  });

  it("have the same version in every isolation, and another for another FFmpeg", async () => {
    expect((await findFfmpeg(await findIsolation("")))?.version).to.equal(ffmpeg.version);
    const [one, other] = [await scripted("echo 1"), await scripted("echo 2")];
    expect(one?.version).not.to.equal(other?.version);
  });

  it("do not share scenes with another version", () => {
    const keys = (encoder: string) =>
      plan({ storyboard: sampleStoryboard({ short: true }), settings: defaultSettings, spoken: null, encoder }).map(({ key }) => key);
    expect(keys("one")).to.deep.equal(keys("one"));
    expect(new Set([...keys("one"), ...keys("other")]).size).to.equal(2 * keys("one").length);
  });

  it("are missed by their film when they end early", async () => {
    const ended = await scripted("echo x");
    const encoders = encodersOf(ended as Ffmpeg, defaultSettings);
    const pictures = new SceneEncoder(encoders.scene(0));
    await pictures.add(Buffer.alloc(1280 * 720 * 4), 0);
    const failed = (outcome: Promise<unknown>): Promise<string> =>
      outcome.then(
        () => "made",
        (error: Error) => error.message,
      );
    expect(await failed(pictures.finish())).to.equal("the encoder made 0 pictures of 1 frames");
    expect(await failed(encodeSound({ samples: new Float32Array(22_050), rate: 22_050 }, encoders.sound(22_050)))).to.match(
      /sound encoder/,
    );
  });

  it("give one picture a frame, also of one that is repeated", async () => {
    const pictures = new SceneEncoder(encodersOf(ffmpeg, defaultSettings).scene(0) as Encoder);
    await pictures.add(Buffer.alloc(1280 * 720 * 4, 200), 0);
    for (const frame of [30, 60]) await pictures.add(null, frame);
    const made = await pictures.finish();
    expect(made.map(({ frame, key }) => [frame, key])).to.deep.equal([
      [0, true],
      [30, false],
      [60, false],
    ]);
  });

  it("end without being used, and when they are stopped", async () => {
    for (const end of ["handOver", "stop"] as const) {
      const encoders = startEncoders(ffmpeg, { scenes: 2, settings: defaultSettings, rate: 22_050 });
      expect(encoders.pids).to.have.length(3);
      encoders[end]();
      for (const pid of encoders.pids) while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
