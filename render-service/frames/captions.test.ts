import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds, screenSeconds, unreadSeconds, wordsOf } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import fc from "fast-check";
import { sampleStoryboard } from "../film/film.fixture.ts";
import { captionsFile } from "../film/web-vtt.ts";
import { captionLines, captionsOf, lengthOf, readingSpeed } from "./captions.ts";
import { framesOf, timeline, timeOf } from "./timeline.ts";

const { lines: mostLines, lineLength, charactersPerSecondMost } = filmBounds.captions;
const saying = (narration: string): Scene => {
  const scene = { layout: "title", content: { heading: "Heading", subtitle: "" }, narration } as const;
  return { sceneId: "scene-0001", seconds: sceneSeconds(scene), sourceIds: [], quotes: [], ...scene };
};

const word = fc
  .string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzäßéяجπ"), minLength: 1, maxLength: 11 })
  .chain((letters) => fc.constantFrom("", "", "", ",", ".", "?", ";").map((mark) => letters + mark));
const speech = fc.array(word, { minLength: 1, maxLength: 45 }).map((words) => words.join(" "));
const anything = fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }).filter((text) => text.trim() !== "");

/** A voice whose words have no known times. */
const lasting = (seconds: number) => ({ seconds, places: [] });

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
        const scenes = timeline(texts.map(saying), spoken ? texts.map((text) => lasting(0.3 + wordsOf(text) / 3)) : undefined);
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
    const [scene] = timeline([saying("One two three four five six.")], [lasting(9)]);
    const cues = captionsOf(scene ? [scene] : []);
    expect(cues).to.deep.equal([{ startMs: 250, endMs: 9_250, lines: ["One two three four five six."] }]);
  });

  const slow = "A pipe joins two programs.  The second reads what the first prints, line by line, until it ends.";
  it("come with their first word where the voice tells its time", () => {
    const places = [
      { at: 0, ms: 0 },
      { at: 28, ms: 6_000 },
    ];
    const cues = captionsOf(timeline([saying(slow)], [{ seconds: 12, places }]));
    expect(cues.map(({ startMs, endMs }) => [startMs, endMs])).to.deep.equal([
      [250, 6_250],
      [6_250, 12_250],
    ]);
  });

  it("stay long enough to be read although the voice hurries", () => {
    const places = [
      { at: 0, ms: 0 },
      { at: 28, ms: 11_900 },
    ];
    const cues = captionsOf(timeline([saying(slow)], [{ seconds: 12, places }]));
    expect(readingSpeed(cues)).to.be.at.most(filmBounds.captions.charactersPerSecond + 0.1);
  });

  it("are text, never markup or times", () => {
    const file = captionsFile([{ startMs: 3_723_004, endMs: 3_724_000, lines: ["<b>x</b> --> 00:00", "&lt;"] }]);
    expect(file).to.equal("WEBVTT\n\n1\n01:02:03.004 --> 01:02:04.000\n&lt;b&gt;x&lt;/b&gt; --&gt; 00:00\n&amp;lt;\n");
  });
});

describe("the length of scenes", () => {
  it("is what their words take, and fills the film", () => {
    const { scenes } = sampleStoryboard();
    const silent = timeline(scenes);
    expect(framesOf(silent)).to.equal(Math.round(sampleStoryboard().seconds * 30));
    for (const [index, { start, frames }] of silent.entries())
      expect(silent[index + 1]?.start ?? framesOf(silent)).to.equal(start + frames);
  });

  it("follows the voice, and leaves time to answer at the end", () => {
    const { scenes } = sampleStoryboard();
    const [question] = timeline(scenes.slice(-1), [lasting(20)]);
    expect(question?.frames).to.equal(Math.ceil((0.25 + 20 + filmBounds.timing.holds.question) * 30));
    const quick = timeline(
      scenes,
      scenes.map(({ narration }) => lasting(wordsOf(narration) / 4)),
    );
    expect(framesOf(quick)).to.be.lessThan(framesOf(timeline(scenes)));
  });

  it("lets no film fall silent for long, however short its voices and however much is shown", () => {
    const label = fc.string({ unit: fc.constantFrom(..."abcdefgh "), minLength: 1, maxLength: filmBounds.labelLength });
    const shown = fc.array(label, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(shown, fc.double({ min: 0.4, max: 15, noNaN: true })), { minLength: 2, maxLength: 8 }), (all) => {
        const scenes = all.map(([points]) => ({ ...saying("Words."), layout: "points" as const, content: { heading: "Heading", points } }));
        const timed = timeline(
          scenes,
          all.map(([, seconds]) => lasting(seconds)),
        );
        let silentSince = 0;
        for (const [index, { start, speech }] of timed.entries()) {
          expect(timeOf(start) + speech.from - silentSince).to.be.at.most(2_500);
          silentSince = timeOf(start) + speech.to;
          expect(speech.to - speech.from).to.be.closeTo((all[index]?.[1] ?? 0) * 1_000, 1);
        }
      }),
    );
  });

  it("gives what is shown the time to be read, before its words and after", () => {
    const content = { heading: "Two of them", points: ["x".repeat(90), "y".repeat(90)] };
    const dense = { ...saying("Words."), layout: "points" as const, content };
    const light = saying("Words.");
    const [, scene] = timeline([light, dense, light], [3, 6, 3].map(lasting));
    expect((scene?.frames ?? 0) / 30).to.be.at.least(screenSeconds(dense));
    // More than the silences have room for is not let into a film.
    expect(unreadSeconds({ ...dense, narration: "One two three." })).to.be.greaterThan(0);
  });
});
