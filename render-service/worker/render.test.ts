import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { filmMetrics } from "@colloquy/schemas/explainers/film.ts";
import type { Progress, RenderJob } from "@colloquy/schemas/explainers/render.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { expect } from "chai";
import { samples } from "../layout/testing/scenes.ts";
import { type Ffmpeg, findFfmpeg } from "./encoders.ts";
import type { RenderFailure } from "./failure.ts";
import { installed } from "./installed.ts";
import { findIsolation, type Isolation } from "./isolation.ts";
import { jobFolder } from "./job-folder.ts";
import { isolatedRenderer } from "./render.ts";
import { sampleJob } from "./scripted-api.fixture.ts";
import { segmentCache } from "./segment-cache.ts";
import { findSpeech, type Speech } from "./speech.ts";

/** Tries what a renderer must not be able to, and says what it could. */
const probe = `
import { readFileSync, writeFileSync } from "node:fs";
const [folder, secret, url] = process.argv.slice(2);
const can = async (what) => { try { await what(); return true; } catch { return false; } };
console.log(JSON.stringify({
  own: await can(() => { writeFileSync(folder + "/mine", "x"); readFileSync(folder + "/mine"); }),
  secret: await can(() => readFileSync(secret)),
  passwords: await can(() => readFileSync("/etc/passwd")),
  code: await can(() => writeFileSync(new URL(import.meta.url), "x")),
  network: await can(() => fetch(url)),
  environment: Object.keys(process.env).filter((name) => /TOKEN|SECRET|PATH/.test(name)),
}));
`;

/** Speaks every scene in so many seconds, with silence before and behind it, which voices add at will. */
const voiceOf = (seconds: number): Speech => ({
  name: "a tone",
  async speak() {
    const rate = 22_050;
    const [quiet, sound] = [rate / 2, rate * seconds];
    const samples = Int16Array.from({ length: sound + 2 * quiet }, (_, at) =>
      at < quiet || at >= quiet + sound ? 0 : Math.sin(at / 20) * 8_000,
    );
    const head = Buffer.alloc(44);
    head.write("RIFF", 0);
    head.write("WAVEfmt ", 8);
    head.writeUInt32LE(16, 16);
    for (const [at, value] of [1, 1, rate, 0, rate * 2, 0, 2, 16].entries()) head.writeUInt16LE(value & 0xffff, 20 + at * 2);
    head.write("data", 36);
    head.writeUInt32LE(samples.byteLength, 40);
    return { sound: Buffer.concat([head, Buffer.from(samples.buffer)]), words: [] };
  },
});

describe("the isolated renderer", function () {
  this.timeout(300_000);
  let folder: string;
  let wrapped: Isolation;
  let bare: Isolation;
  let offline: Isolation;
  const encoders = new Map<Isolation["kind"], Ffmpeg>();
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), "renderer-"));
    wrapped = await findIsolation();
    bare = await findIsolation("");
    const path = join(folder, "unshare-only");
    mkdirSync(path);
    if (existsSync("/usr/bin/unshare")) symlinkSync("/usr/bin/unshare", join(path, "unshare"));
    offline = await findIsolation(path);
    for (const isolation of [wrapped, bare]) {
      const ffmpeg = await findFfmpeg(isolation);
      if (!ffmpeg) return skipTest(this, "ffmpeg is not installed here");
      encoders.set(isolation.kind, ffmpeg);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function couldDo(isolation: Isolation): Promise<Record<string, boolean | string[]>> {
    const [own, code, outside] = ["own", "code", "outside"].map((name) => join(folder, `${isolation.kind}-${name}`));
    for (const made of [own, code, outside]) mkdirSync(made ?? "", { recursive: true });
    const [script, secret] = [join(code ?? "", "probe.mjs"), join(outside ?? "", "secret")];
    writeFileSync(script, probe);
    writeFileSync(secret, "secret");
    const server = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const run = isolation.module(script, [own ?? "", secret, url], { read: [code ?? ""], write: [own ?? ""] }, []);
      const child = spawn(run.command, run.args, { ...run.options, stdio: ["ignore", "pipe", "inherit"] });
      return JSON.parse(await text(child.stdout)) as Record<string, boolean | string[]>;
    } finally {
      server.close();
    }
  }

  it("sees its folder and nothing else under bubblewrap", async function () {
    if (wrapped.kind !== "bubblewrap") return skipTest(this, "bubblewrap is not installed or does not work here");
    const nothing = { secret: false, passwords: false, code: false, network: false, environment: [] };
    expect(await couldDo(wrapped)).to.deep.equal({ own: true, ...nothing });
  });

  it("reads and writes no files but its own under Node's permissions", async () => {
    expect(bare.kind).to.equal("permissions");
    const { network: _, ...files } = await couldDo(bare);
    expect(files).to.deep.equal({ own: true, secret: false, passwords: false, code: false, environment: [] });
  });

  it("reaches no network in the weaker isolation where a namespace of its own can be had", async function () {
    if (!offline.offline) return skipTest(this, "unshare does not work here");
    expect(offline.kind).to.equal("permissions");
    const nothing = { secret: false, passwords: false, code: false, network: false, environment: [] };
    expect(await couldDo(offline)).to.deep.equal({ own: true, ...nothing });
  });

  async function render(
    isolation: Isolation,
    options: {
      cache?: string;
      job?: RenderJob;
      bound?: { ms?: number; memoryBytes?: number; folderBytes?: number };
      signal?: AbortSignal;
      within?: string;
      speech?: Speech;
    } = {},
  ) {
    const place = jobFolder(options.within ?? join(folder, "jobs"));
    const told: Progress[] = [];
    try {
      const cache = segmentCache(options.cache ?? mkdtempSync(join(folder, "cache-")), 1e9);
      const speech = options.speech ?? findSpeech({ speech: null, piperVoices: null }, isolation);
      const { bound } = options;
      const rendered = await isolatedRenderer({
        isolation,
        ffmpeg: encoders.get(isolation.kind) as Ffmpeg,
        speech,
        cache,
        ...(bound && { bound }),
      }).render(options.job ?? sampleJob(), {
        folder: place.folder,
        signal: options.signal ?? new AbortController().signal,
        onProgress: (progress) => told.push(progress),
      });
      const files = Object.fromEntries(rendered.artifacts.map(({ kind, file }) => [kind, readFileSync(file)]));
      return { ...rendered, files, told };
    } finally {
      place.clear();
    }
  }
  const failure = (outcome: Promise<unknown>): Promise<string> =>
    outcome.then(
      () => "made",
      (error: RenderFailure) => error.code ?? error.name,
    );

  it("makes the same film however it is isolated, and keeps its scenes for the next", async () => {
    const cache = mkdtempSync(join(folder, "kept-"));
    const first = await render(wrapped, { cache });
    expect(first.metrics.segmentsReused).to.equal(0);
    expect(readdirSync(segmentCache(cache, 1e9).folderOf(sampleJob().jobId))).to.have.length(7);
    const second = await render(bare, { cache });
    expect(second.metrics.segmentsReused).to.equal(7);
    const sums = (of: typeof first): string[] => of.artifacts.map(({ kind, sha256, bytes }) => `${kind} ${sha256} ${bytes}`);
    expect(sums(second)).to.deep.equal(sums(first));
    expect(filmMetrics.parse(first.metrics)).to.include({ overflowArea: 0, overlapArea: 0, milliseconds: first.milliseconds });
    expect(first.metrics.leastContrast).to.be.at.least(4.5);
    expect(first.metrics.leastTextSize).to.be.at.least(24);
    expect(first.files.poster?.subarray(1, 4).toString()).to.equal("PNG");
    expect(first.told.at(-1)?.stage).to.equal("encoding");
    const another = await render(wrapped, { cache, job: sampleJob({ jobId: "job-00000002" }) });
    expect(another.metrics.segmentsReused, "of a job that may be somebody else's").to.equal(0);
  });

  describe("of a film with figures", () => {
    const file = (name: string): Buffer => readFileSync(new URL(`../drawing/samples/pictures/${name}`, import.meta.url));
    const files = ["projection.svg", "determinant.svg", "stages.png"].map(file);
    const board = samples.find(({ storyboardId }) => storyboardId === "sample-figure-en");
    const pictures = files.map((bytes) => ({
      sha256: createHash("sha256").update(bytes).digest("hex"),
      data: bytes.toString("base64"),
    }));
    const settings = { ...defaultSettings, height: 720, theme: "dark" } as const;
    const job = (more: Partial<RenderJob> = {}): RenderJob =>
      sampleJob({ ...(board && { storyboard: board }), settings, pictures, ...more });

    it("draws their pictures, the same however it is isolated, and only what changed for the next", async () => {
      const cache = mkdtempSync(join(folder, "figures-"));
      const first = await render(wrapped, { cache, job: job() });
      const other = await render(bare, { job: job() });
      expect(other.artifacts.map(({ sha256 }) => sha256)).to.deep.equal(first.artifacts.map(({ sha256 }) => sha256));
      expect(first.metrics).to.include({ overflowArea: 0, overlapArea: 0 });
      const edited = job().storyboard.scenes.map((scene, index) => {
        if (index !== 4 || scene.layout !== "figure") return scene;
        const changed = { ...scene, content: { ...scene.content, heading: "Another heading" } };
        return { ...changed, seconds: sceneSeconds(changed) };
      });
      const second = await render(bare, { cache, job: job({ storyboard: { ...job().storyboard, scenes: edited } }) });
      expect(second.metrics.segmentsReused).to.equal(edited.length - 1);
    });

    it("refuses a picture that is missing, has other bytes, or is none", async () => {
      expect(await failure(render(bare, { job: job({ pictures: pictures.slice(1) }) }))).to.equal("layout_refused");
      const swapped = pictures.map((picture) => ({ ...picture, data: Buffer.from("other bytes").toString("base64") }));
      expect(await failure(render(bare, { job: job({ pictures: swapped }) }))).to.equal("renderer_failed");
      const bytes = Buffer.from("no picture");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const scenes = job().storyboard.scenes.map((scene) =>
        scene.layout === "figure" ? { ...scene, content: { ...scene.content, picture: { ...scene.content.picture, sha256 } } } : scene,
      );
      const broken = job({ storyboard: { ...job().storyboard, scenes }, pictures: [{ sha256, data: bytes.toString("base64") }] });
      expect(await failure(render(bare, { job: broken }))).to.equal("layout_refused");
    });
  });

  it("speaks a film where espeak-ng is installed, and says so where nothing can", async function () {
    const spoken = sampleJob({ settings: { ...defaultSettings, voice: "spoken" } });
    const place = jobFolder(join(folder, "jobs"));
    const cache = segmentCache(join(folder, "cache-none"), 1e9);
    const signal = new AbortController().signal;
    const silent = isolatedRenderer({ isolation: bare, ffmpeg: encoders.get(bare.kind) as Ffmpeg, speech: null, cache });
    expect(await failure(silent.render(spoken, { folder: place.folder, signal, onProgress: () => undefined }))).to.equal(
      "speech_unavailable",
    );
    place.clear();
    if (!installed("espeak-ng")) return skipTest(this, "espeak-ng is not installed here");
    const made = await render(wrapped, { job: spoken });
    expect(made.files.video?.includes("mp4a")).to.equal(true);
  });

  it("keeps the scenes of a spoken film for the next, too, and refuses a voice that takes longer than a film may", async () => {
    const cache = mkdtempSync(join(folder, "kept-spoken-"));
    const job = sampleJob({ settings: { ...defaultSettings, voice: "spoken" } });
    const first = await render(bare, { cache, job, speech: voiceOf(2) });
    expect(first.metrics.segmentsReused).to.equal(0);
    expect((await render(bare, { cache, job, speech: voiceOf(2) })).metrics.segmentsReused).to.equal(job.storyboard.scenes.length);
    expect(await failure(render(bare, { job, speech: voiceOf(20) }))).to.equal("speech_unavailable");
  });

  it("is ended when it takes too long or too much memory, and when its job is let go of", async () => {
    expect(await failure(render(wrapped, { bound: { ms: 30 } }))).to.equal("too_slow");
    if (process.platform === "linux")
      expect(await failure(render(wrapped, { bound: { memoryBytes: 1_000_000 } }))).to.equal("out_of_memory");
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    expect(await failure(render(wrapped, { signal: cancel.signal }))).to.not.be.oneOf(["made", "renderer_failed"]);
    expect(readdirSync(join(folder, "jobs"))).to.deep.equal([]);
  });

  it("leaves no process when it is ended while its sandbox is set up", async function () {
    if (wrapped.kind !== "bubblewrap") return skipTest(this, "bubblewrap is not installed or does not work here");
    const [code, lived] = ["late-code", "late-files"].map((name) => join(folder, name)) as [string, string];
    for (const made of [code, lived]) mkdirSync(made);
    const script = join(code, "late.mjs");
    writeFileSync(script, `import { writeFileSync } from "node:fs"; setTimeout(() => writeFileSync(process.argv[2], ""), 3_000);`);
    for (let ms = 2; ms <= 40; ms += 2) {
      // Were a process left, its output would stay open until it has written its file.
      const late = () => wrapped.module(script, [join(lived, `after-${ms}-ms`)], { read: [code], write: [lived] }, []);
      expect(await failure(render({ ...wrapped, module: late }, { bound: { ms } }))).to.equal("too_slow");
      expect(readdirSync(lived)).to.deep.equal([]);
    }
  });

  it("is ended when it says more than a film has to say, before that fills its worker", async () => {
    const says = "for (const much = 'x'.repeat(65536); ; ) require('node:fs').writeSync(1, much)";
    const talkative: Isolation = {
      ...bare,
      module: () => ({ command: process.execPath, args: ["-e", says], options: { env: {}, detached: true } }),
    };
    expect(await failure(render(talkative, { bound: { ms: 20_000 } }))).to.equal("renderer_failed");
  });

  it("is ended when it writes more than a film takes, be it slowly, at once, or in many empty files", async () => {
    const bound = { ms: 20_000, folderBytes: 2_000_000 };
    const writes = {
      slowly:
        "for (let n = 0; ; n += 1) { fs.writeFileSync('file-' + n, 'x'.repeat(65536)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20) }",
      atOnce: "fs.writeFileSync('file', 'x'.repeat(4000000))",
      empty: "for (let n = 0; n < 1000; n += 1) fs.writeFileSync('file-' + n, '')",
    };
    for (const [how, what] of Object.entries(writes)) {
      const writer: Isolation = {
        ...bare,
        module: () => ({ command: process.execPath, args: ["-e", what], options: { env: {}, detached: true } }),
      };
      const ended = await render(writer, { bound }).catch((error: RenderFailure) => error);
      expect(ended, how).to.include({ code: "renderer_failed" });
      expect(ended, how)
        .to.have.property("message")
        .that.match(/^wrote/);
    }
    expect(readdirSync(join(folder, "jobs"))).to.deep.equal([]);
  });

  it("says when the disk is full", async function () {
    const small = join(folder, "small");
    mkdirSync(small);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small], { stdio: "ignore" });
    } catch {
      return skipTest(this, "no small file system can be mounted here");
    }
    try {
      for (const isolation of [wrapped, bare]) expect(await failure(render(isolation, { within: small }))).to.equal("no_space");
    } finally {
      execFileSync("umount", [small]);
    }
  });

  it("throws away the scenes that were not used for longest", () => {
    const [kept, drawn] = [join(folder, "small-cache"), join(folder, "drawn")];
    mkdirSync(drawn);
    const cache = segmentCache(kept, 250);
    for (const [index, key] of ["one", "two", "three"].entries()) {
      writeFileSync(join(drawn, key), "x".repeat(100));
      writeFileSync(join(drawn, `not-asked-for-${index}`), "x");
      cache.adopt(drawn, [key], index === 1 ? "job-two" : "job-one");
    }
    expect(["job-one", "job-two"].map((jobId) => readdirSync(cache.folderOf(jobId)))).to.deep.equal([["three"], ["two"]]);
    symlinkSync(join(drawn, "not-asked-for-0"), join(drawn, "link"));
    cache.adopt(drawn, ["link"], "job-three");
    expect(readdirSync(kept), "a link is no scene, and a folder without scenes goes").to.have.length(2);
  });
});
