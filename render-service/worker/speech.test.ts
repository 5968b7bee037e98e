import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { expect } from "chai";
import { installed } from "./installed.ts";
import { findIsolation } from "./isolation.ts";
import { narrate } from "./narration.ts";
import { findSpeech, type Recording } from "./speech.ts";

const signal = new AbortController().signal;
const isolation = await findIsolation();

/** What a service was sent. */
interface Asked {
  path: string;
  body: Record<string, unknown>;
}

async function speechService(answer: (asked: Asked) => string | Buffer): Promise<{ url: string; asked: Asked[]; server: Server }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? "", body: (await json(request)) as Asked["body"] };
    asked.push(one);
    response.end(answer(one));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

describe("a voice", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "voices-"));
    mkdirSync(join(folder, "programs"));
    mkdirSync(join(folder, "voices", "deutsch"), { recursive: true });
    for (const name of ["en_US-lessac-medium", "en_GB-alba-medium", "deutsch/de_DE-thorsten-medium"])
      writeFileSync(join(folder, "voices", `${name}.onnx`), "");
    // Piper cannot be installed here; this program has its arguments, and writes them with what it reads.
    const program = join(folder, "programs", "piper");
    writeFileSync(program, '#!/bin/sh\ntest -r "$2" || exit 1\nprintf "%s|" "$@"\ncat\n');
    chmodSync(program, 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const piper = (path = join(folder, "programs")) => findSpeech({ speech: null, piperVoices: join(folder, "voices") }, isolation, path);
  const saidBy = async (language: string, text = "Hello.") => (await piper()?.speak(text, language, signal))?.sound.toString();

  it("is Piper's of the region, else of the language", async () => {
    expect(await saidBy("en-GB")).to.equal(`--model|${folder}/voices/en_GB-alba-medium.onnx|--output_file|-|Hello.\n`);
    expect(await saidBy("en-AU")).to.include("en_GB-alba-medium.onnx");
    expect(await saidBy("de")).to.include("deutsch/de_DE-thorsten-medium.onnx");
  });

  it("reads a text of several lines as one", async () => {
    expect(await saidBy("en", "One\ntwo.")).to.match(/\|One two\.\n$/);
  });

  it("is missing for languages that Piper has no voice of, where nothing else is installed", async () => {
    expect(await saidBy("fr").catch((error) => error)).to.include({ code: "speech_unavailable", message: "no voice for the language fr" });
  });

  it("is espeak-ng's for languages that Piper has no voice of", function () {
    const espeak = installed("espeak-ng");
    if (!espeak) return skipTest(this, "espeak-ng is not installed here");
    expect(piper(`${join(folder, "programs")}:${join(espeak, "..")}`)?.name).to.equal("piper, else espeak-ng");
  });

  it("is asked of a service as OpenAI's interface has it", async () => {
    const { url, asked, server } = await speechService(() => "sound");
    try {
      const speech = findSpeech(
        { speech: { url: `${url}/v1`, key: null, model: "kokoro", voice: "af_heart", timesUrl: null }, piperVoices: null },
        isolation,
      );
      expect(await speech?.speak("Hello.", "en", signal)).to.deep.equal({ sound: Buffer.from("sound"), words: [] });
      expect(asked).to.deep.equal([
        { path: "/v1/audio/speech", body: { model: "kokoro", voice: "af_heart", input: "Hello.", response_format: "wav" } },
      ]);
    } finally {
      server.close();
    }
  });

  it("tells when its words are said where the service does", async () => {
    const timestamps = [
      { word: "The", start_time: 0.1, end_time: 0.3 },
      { word: "determinant", start_time: 0.31, end_time: 1 },
      { word: "equals", start_time: 1, end_time: 1.2 },
      { word: "zero", start_time: 1.2, end_time: 1.5 },
      { word: ".", start_time: 1.5, end_time: 1.5 },
    ];
    const { url, asked, server } = await speechService(() =>
      JSON.stringify({ audio: Buffer.from("sound").toString("base64"), timestamps }),
    );
    try {
      const speech = findSpeech(
        { speech: { url, key: null, model: "kokoro", voice: "af_heart", timesUrl: `${url}/dev/captioned_speech` }, piperVoices: null },
        isolation,
      );
      if (!speech) throw new Error("no speech");
      const [sentence] = await narrate(speech, { narration: "The determinant is zero.", language: "en", signal });
      expect(asked[0]).to.include({ path: "/dev/captioned_speech" });
      expect(sentence?.file.toString()).to.equal("sound");
      expect(sentence?.times).to.deep.equal({
        at: 0,
        end: 24,
        shares: [],
        words: [
          { at: 0, ms: 100 },
          { at: 4, ms: 310 },
          { at: 19, ms: 1_200 },
        ],
      });
    } finally {
      server.close();
    }
  });

  it("is refused when a service answers something else", async () => {
    const { url, server } = await speechService(() => "sound");
    try {
      const speech = findSpeech(
        { speech: { url, key: null, model: "m", voice: "v", timesUrl: `${url}/times` }, piperVoices: null },
        isolation,
      );
      expect(await speech?.speak("Hello.", "en", signal).catch((error) => error)).to.include({ code: "speech_unavailable" });
    } finally {
      server.close();
    }
  });

  it("speaks a narration sentence by sentence, with formulas in words", async () => {
    const texts: string[] = [];
    const speak = async (text: string): Promise<Recording> => {
      texts.push(text);
      return { sound: Buffer.alloc(0), words: [] };
    };
    const spoken = await narrate({ name: "kept", speak }, { narration: "So x² = 4. Then x is two.", language: "en", signal });
    expect(texts).to.deep.equal(["So x squared equals 4.", "Then x is two."]);
    expect(spoken.map(({ times }) => [times.at, times.end])).to.deep.equal([
      [0, 10],
      [11, 25],
    ]);
  });

  it("reckons that a formula takes as long as its words, and not as its signs", async () => {
    const speak = async (): Promise<Recording> => ({ sound: Buffer.alloc(0), words: [] });
    const narration = "Here (A − 3I)v = 0 holds for the vectors that A only stretches.";
    const [sentence] = await narrate({ name: "kept", speak }, { narration, language: "en", signal });
    const shareAt = (words: string): number | undefined =>
      sentence?.times.shares.find(({ at }) => Math.abs(at - narration.indexOf(words)) <= 1)?.share;
    // It has a fifth of the letters that are shown, and half of what is said.
    expect(shareAt("(A −")).to.be.within(0.03, 0.07);
    expect(shareAt("holds")).to.be.within(0.45, 0.6);
  });
});
