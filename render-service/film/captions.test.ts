import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Scene } from "@colloquy/schemas/explainer/storyboard.ts";
import { sceneSeconds, wordsOf } from "@colloquy/schemas/explainer/timing.ts";
import { expect } from "chai";
import fc from "fast-check";
import { captionLines, captionsOf, lengthOf, readingSpeed } from "./captions.ts";
import { sampleStoryboard } from "./testing.ts";
import { framesOf, timeline, timeOf } from "./timeline.ts";
import { captionsFile } from "./web-vtt.ts";

const { lines: mostLines, lineLength, charactersPerSecondMost } = bounds.explainer.captions;
const saying = (narration: string): Scene => {
  const scene = { layout: "title", content: { heading: "Heading", subtitle: "" }, narration } as const;
  return { sceneId: "scene-0001", seconds: sceneSeconds(scene), sourceIds: [], quotes: [], ...scene };
};

const word = fc
  .string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzäßéяجπ"), minLength: 1, maxLength: 11 })
  .chain((letters) => fc.constantFrom("", "", "", ",", ".", "?", ";").map((mark) => letters + mark));
const speech = fc.array(word, { minLength: 1, maxLength: 45 }).map((words) => words.join(" "));
const anything = fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }).filter((text) => text.trim() !== "");

describe("captions", () => {
  it("hold every word, in order, in at most two lines that fit", () => {
    fc.assert(
      fc.property(fc.oneof(speech, anything), (text) => {
        const captions = captionLines(text);
        for (const lines of captions) {
          expect(lines.length).to.be.within(1, mostLines);
          for (const line of lines) expect(lengthOf(line)).to.be.within(1, lineLength);
        }
        expect(captions.flat().join("").replaceAll(/\s/gu, "")).to.equal(text.replaceAll(/\s/gu, ""));
      }),
    );
  });

  it("follow one another within their scene, and are there long enough", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(speech, anything), { minLength: 1, maxLength: 5 }), fc.boolean(), (texts, spoken) => {
        const scenes = timeline(texts.map(saying), spoken ? texts.map((text) => 0.3 + wordsOf(text) / 3) : undefined);
        const cues = captionsOf(scenes);
        let at = 0;
        for (const { startMs, endMs } of cues) {
          expect(startMs).to.be.at.least(at);
          expect(endMs).to.be.greaterThan(startMs);
          at = endMs;
        }
        expect(at).to.be.at.most(timeOf(framesOf(scenes)));
        for (const { start, frames } of scenes) {
          const [from, to] = [timeOf(start), timeOf(start + frames)];
          for (const cue of cues) if (cue.startMs >= from && cue.startMs < Math.floor(to)) expect(cue.endMs).to.be.at.most(to);
        }
      }),
    );
  });

  it("can be read at the pace of usual words", () => {
    for (const scene of sampleStoryboard().scenes)
      expect(readingSpeed(captionsOf(timeline([scene])))).to.be.at.most(charactersPerSecondMost);
    // German is as long as words get; ten letters a word on average.
    const long =
      "Die Geschwindigkeitsbegrenzung verhindert zuverlässig Überlastungen benachbarter Netzwerkknoten, sobald Warteschlangen volllaufen.";
    expect(readingSpeed(captionsOf(timeline([saying(long)])))).to.be.at.most(26);
  });

  it("break where one would breathe", () => {
    expect(captionLines("A pipe joins two programs. The second reads what the first prints, line by line, until it ends.")).to.deep.equal([
      ["A pipe joins two programs."],
      ["The second reads what the first prints,", "line by line, until it ends."],
    ]);
    expect(captionLines("Short.")).to.deep.equal([["Short."]]);
  });

  it("are spoken with their audio", () => {
    const [scene] = timeline([saying("One two three four five six.")], [9]);
    const cues = captionsOf(scene ? [scene] : []);
    expect(cues).to.deep.equal([{ startMs: 250, endMs: 9_250, lines: ["One two three four five six."] }]);
  });

  it("are text, never markup or times", () => {
    const file = captionsFile([{ startMs: 3_723_004, endMs: 3_724_000, lines: ["<b>x</b> --> 00:00", "&lt;"] }]);
    expect(file).to.equal("WEBVTT\n\n1\n01:02:03.004 --> 01:02:04.000\n&lt;b&gt;x&lt;/b&gt; --&gt; 00:00\n&amp;lt;\n");
  });
});

describe("the length of scenes", () => {
  it("is what their words take, or what they are heard to take and a hold", () => {
    const { scenes } = sampleStoryboard();
    const silent = timeline(scenes);
    expect(framesOf(silent)).to.equal(Math.round(sampleStoryboard().seconds * 30));
    for (const [index, { start, frames }] of silent.entries())
      expect(silent[index + 1]?.start ?? framesOf(silent)).to.equal(start + frames);
    const [question] = timeline(scenes.slice(-1), [20.01]);
    expect(question?.frames).to.equal(Math.ceil((20.01 + 3) * 30));
    expect(timeline(scenes.slice(-1), [0.1])[0]?.frames).to.equal(silent.at(-1)?.frames);
  });
});
