import { sceneFindings } from "@colloquy/command-api/explainers/storyboard/checks/scenes.ts";
import { passagesFor } from "@colloquy/command-api/explainers/storyboard/choose-passages.ts";
import { boardFor, type DraftedScene } from "@colloquy/command-api/explainers/storyboard/drafts.fixture.ts";
import { fillScenes } from "@colloquy/command-api/explainers/storyboard/fill.ts";
import { draftPrompt } from "@colloquy/command-api/explainers/storyboard/prompts.ts";
import type { FilmTopic } from "@colloquy/command-api/explainers/storyboard/topics.ts";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { emptyScene } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import { filmedTopics } from "./drawn.fixture.ts";

const tree = "sub-directories titled bin, data, users, and tmp";
const figure = (part: string, label: string): DraftedScene => ({
  layout: "figure",
  heading: "One root",
  narration: "The root directory contains bin, data, users and tmp.",
  quotes: [tree],
  figure: { passage: tree, drawnCue: "", zooms: [], callouts: [{ part, label, cue: "bin" }] },
});
const left = "use the output of the command on the left as the input to the command on the right";
const build = (from: string, to: string): DraftedScene => ({
  layout: "build",
  heading: "What a pipe does",
  narration: "A pipe hands the output of one command to the next one.",
  quotes: [left],
  diagram: "flow",
  nodes: [
    { key: "a", label: "command on the left", cue: "" },
    { key: "b", label: "command on the right", cue: "the next" },
  ],
  edges: [{ from, to, label: "", cue: "", quote: left }],
});
const propositions = "propositions as types";
const onLean = (scene: Partial<DraftedScene>): DraftedScene => ({
  layout: "plot",
  heading: "A curve",
  narration: "Look at this.",
  quotes: [propositions],
  ...scene,
});

describe("drafts on courses that nobody here wrote", function () {
  this.timeout(120_000);
  let topics: FilmTopic[] = [];
  before(async function () {
    topics = [...(await filmedTopics("shell-novice")), ...(await filmedTopics("theorem-proving"))];
    if (topics.length === 0) skipTest(this, "the courses are not at hand");
  });

  /** What is found with a scene itself on a topic. */
  function found(title: string, drafted: DraftedScene): string {
    const topic = topics.find((one) => one.title === title) ?? expect.fail(`no topic ${title}`);
    const passages = passagesFor(topic, "intuition");
    const question: DraftedScene = {
      layout: "question",
      narration: "Which?",
      question: "Which?",
      quotes: drafted.quotes,
      choices: ["a", "b"].map((text) => ({ text, correct: text === "a" })),
      explanation: "So.",
    };
    let ids = 0;
    const board = boardFor(draftPrompt(topic, "intuition", passages), "A film", [drafted, question]);
    const made = fillScenes(board, { passages, newId: () => `scene-00000${++ids}` });
    const all = made.ok ? sceneFindings(made.scenes, topic.passages) : made.findings;
    return all.flatMap(({ sceneId, detail }) => (sceneId === "scene-000001" ? detail : [])).join(" ");
  }

  it("point at words that a picture has", () => {
    expect(found("Navigating Files and Directories", figure("bin", "bin"))).to.equal("");
    expect(found("Navigating Files and Directories", figure("etc", "etc"))).to.match(/“etc” is no part of the picture/);
    expect(found("Navigating Files and Directories", figure("bin", "tmp"))).to.match(/points at “bin”, and does not say so/);
    expect(found("Navigating Files and Directories", figure("bin", "bin, where music is kept"))).to.match(
      /stands neither in the description/,
    );
  });

  it("draw arrows in the direction of the words", () => {
    expect(found("Pipes and Filters", build("a", "b"))).to.equal("");
    expect(found("Pipes and Filters", build("b", "a"))).to.match(/in this direction/);
  });

  it("draw no curve and derive no formula that a page does not write", () => {
    const curve = { ...emptyScene.plot, from: -2, to: 2, functions: [{ expression: "x^2", label: "y = x^2" }] };
    expect(found("Propositions and Proofs", onLean({ plot: curve }))).to.match(/none that the passages of the scene write/);
    const derivation = ["p", "p^2"].map((tex) => ({ tex, reason: "", cue: "" }));
    expect(found("Propositions and Proofs", onLean({ layout: "derive", derivation }))).to.match(/does not follow|neither stands/);
  });

  it("place no time that a page does not have", () => {
    const timeline = {
      unit: "days",
      until: 40,
      kinds: [],
      lanes: [{ label: "The command", gaps: true }],
      marks: [0, 37].map((at) => ({ lane: 0, at, kind: 0, cue: "" })),
    };
    const scene: DraftedScene = { layout: "timeline", heading: "When", narration: "The command runs.", quotes: [left], timeline };
    expect(found("Pipes and Filters", scene)).to.match(/do not have the number 37/);
  });
});
