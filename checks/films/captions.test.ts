import { expect } from "chai";
import { captionFaults, cuesOf } from "./captions.ts";

describe("looking at the captions of a film", () => {
  const file = (...cues: string[]) => `WEBVTT\n\n${cues.map((cue, index) => `${index + 1}\n${cue}\n`).join("\n")}`;

  it("reads cues as they were written", () => {
    const [one, two] = cuesOf(file("00:00:00.250 --> 00:00:04.247\nWhat is a &lt;b&gt;\nand why?", "00:00:05.000 --> 00:01:06.500\nSo."));
    expect(one).to.deep.equal({ startMs: 250, endMs: 4_247, lines: ["What is a <b>", "and why?"] });
    expect(two).to.deep.equal({ startMs: 5_000, endMs: 66_500, lines: ["So."] });
  });

  it("finds captions that are missing, out of order, too large, fast or late", () => {
    const first = "00:00:00.000 --> 00:00:04.000\nA pipe hands it on.";
    expect(captionFaults(file(first), 5_000)).to.deep.equal([]);
    expect(captionFaults(file(first), 3_000)).to.deep.equal(["the captions end after the film"]);
    expect(captionFaults(file(first, "00:00:03.000 --> 00:00:05.000\nSo."), 5_000)).to.deep.equal(["caption 2 is out of order"]);
    expect(captionFaults(file("00:00:00.000 --> 00:00:04.000\none\ntwo\nthree"), 5_000)).to.deep.equal(["caption 1 is too large"]);
    expect(captionFaults(file("00:00:00.000 --> 00:00:00.500\nA pipe hands it on."), 5_000)).to.deep.equal([
      "captions of 38.0 characters a second",
    ]);
    expect(captionFaults("WEBVTT\n", 5_000)).to.deep.equal(["it has no captions"]);
  });
});
