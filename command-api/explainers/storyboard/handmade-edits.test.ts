import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { GeneratedReview } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import { artifacts, completed, last, type ServedStoryboards, serveStoryboards } from "./storyboard.fixture.ts";

const films = await demonstrationFilms();

type Words = readonly [from: string, to: string];
/** What a learner does to a scene, which its heading names. */
interface Edit {
  film: string;
  scene: string;
  heading?: string;
  words?: Words;
}

const inOtherWords: readonly Edit[] = [
  { film: "Adding arrows", scene: "Scaling by a number", heading: "Stretching an arrow by a number" },
  { film: "The determinant as area", scene: "A minus sign for a flip", heading: "Why a flip gives a minus sign" },
  { film: "Directions that stay", scene: "Two arrows stay on their own line", heading: "Which arrows stay on their line" },
  { film: "Finding eigenvalues, step by step", scene: "The picture agrees", heading: "The picture says the same" },
  { film: "A narrow door to a large house", scene: "Where things go", heading: "What becomes of what we meet" },
  { film: "Mixed or in blocks", scene: "The usual mistake", heading: "How practice usually goes" },
  { film: "Kernel and image", scene: "Points that fall together", heading: "Points that land together" },
  { film: "Least squares, seen", scene: "Each error as a square", heading: "A square for each error" },
  { film: "What linear looks like", scene: "A shear leans the grid", heading: "What a map keeps" },
  { film: "Multiplying two matrices", scene: "The two products differ", heading: "Two different products" },
  { film: "One map after another", scene: "Undo the last one first", heading: "Undoing starts with the last" },
  { film: "Recall beats rereading", scene: "Two ways to spend four rounds", heading: "Four rounds, two ways" },
  { film: "Why gaps help", scene: "Each recall flattens the curve", heading: "Every recall makes the curve flatter" },
  { film: "Why the weather settles", scene: "The steady state", heading: "The state that stays steady" },

  { film: "Adding arrows", scene: "Scaling by a number", words: ["at zero nothing is left", "at zero there is nothing left"] },
  { film: "The determinant as area", scene: "A minus sign for a flip", words: ["A reflection F flips", "The reflection F flips"] },
  { film: "Directions that stay", scene: "A map moves every arrow", words: ["Here are three arrows", "You see three arrows"] },
  {
    film: "Finding eigenvalues, step by step",
    scene: "The eigenvalues of A",
    words: ["one of them must be zero", "one of them has to be zero"],
  },
  { film: "A narrow door to a large house", scene: "Where things go", words: ["Recalling brings it back", "Recalling it brings it back"] },
  { film: "Mixed or in blocks", scene: "The usual mistake", words: ["practice is usually blocked", "practice usually is blocked"] },
  { film: "Kernel and image", scene: "Sent to zero, or not", words: ["it lies in the kernel", "it is in the kernel"] },
  { film: "Least squares, seen", scene: "Each error as a square", words: ["how badly this line fits", "how badly the line fits"] },
  {
    film: "What linear looks like",
    scene: "Two arrows tell everything",
    words: ["leaves e1 alone and sends", "leaves e1 alone, and it sends"],
  },
  {
    film: "Multiplying two matrices",
    scene: "S applied to the columns of R",
    words: ["Now the other order", "Now do it in the other order"],
  },
  { film: "One map after another", scene: "Undo the last one first", words: ["turns w back to the right", "turns w to the right again"] },
  { film: "Recall beats rereading", scene: "A feeling that misleads", words: ["The readers expected", "The readers had expected"] },
  { film: "Why gaps help", scene: "Forgetting as a curve", words: ["has dropped to about", "has dropped to roughly"] },
  { film: "Why the weather settles", scene: "Day after day", words: ["most of it is dry", "most of it is dry again"] },
];

const madeFalse: readonly Edit[] = [
  { film: "Directions that stay", scene: "Two arrows stay on their own line", heading: "No arrows stay on their own line" },
  { film: "Directions that stay", scene: "Two arrows stay on their own line", words: ["three times as long", "four times as long"] },
  { film: "Directions that stay", scene: "Some maps keep no direction", words: ["has no real", "has a real"] },
  { film: "The determinant as area", scene: "Zero means collapsed", words: ["determinant is zero", "determinant is not zero"] },
  { film: "The determinant as area", scene: "From the square to a parallelogram", words: ["from one to five", "from one to seven"] },
  { film: "Finding eigenvalues, step by step", scene: "The direction that belongs to 3", heading: "The direction that belongs to 1" },
  { film: "Finding eigenvalues, step by step", scene: "The eigenvalues of A", words: ["The trace is four", "The trace is five"] },
  { film: "Recall beats rereading", scene: "Who remembers more?", words: ["far more", "far less"] },
  { film: "Mixed or in blocks", scene: "What mixing costs and brings", words: ["slower", "faster"] },
  { film: "A narrow door to a large house", scene: "Where things go", heading: "Bananas ripen beside apples" },
  { film: "One map after another", scene: "Read from right to left", words: ["from right to left", "from left to right"] },
  { film: "Why gaps help", scene: "Forgetting as a curve", words: ["37 %", "73 %"] },
  { film: "Why the weather settles", scene: "The steady state", words: ["five of six", "four of six"] },
];

describe("edited films written by hand", function () {
  this.timeout(300_000);
  let served: ServedStoryboards;
  const boards = new Map<string, { account: string; jobId: string; version: number; first: readonly Scene[]; scenes: readonly Scene[] }>();
  before(async () => {
    served = await serveStoryboards({ handmade: films, checkLayout, filmed: ["linear-maps", "learning-to-learn"], triesPerDay: 100 });
    for (const [index, { courseId, topicId, emphasis, title }] of films.entries()) {
      // Requests are limited for each account.
      const account = `acc_learner_${String(index).padStart(2, "0")}`;
      const frames = await served.frames(await served.draw({ courseId, topicId, emphasis }, { account }));
      const { jobId, version } = completed(frames);
      const scenes = artifacts(frames)[0]?.scenes ?? [];
      boards.set(title, { account, jobId, version, first: scenes, scenes });
    }
  });
  after(() => served.close());

  const boardOf = (film: string) => boards.get(film) ?? expect.fail(`no film “${film}”`);
  /** Sends scenes in the place of those of a film; they stay as they were if they are refused. */
  async function send(film: string, scenes: readonly Scene[]): Promise<StoryboardFrame> {
    const board = boardOf(film);
    const end = last(await served.frames(await served.edit(board.jobId, board.version, scenes, board.account)));
    if (end.kind === "complete") Object.assign(board, { version: end.version, scenes });
    return end;
  }
  function edited({ film, scene: named, heading, words }: Edit): Scene[] {
    const { first, scenes } = boardOf(film);
    const place = first.findIndex((one) => sceneTitle(one) === named);
    const scene = scenes[place] ?? expect.fail(`“${film}” has no scene “${named}”`);
    const narration = words ? scene.narration.replace(...words) : scene.narration;
    const content = heading ? { ...scene.content, heading } : scene.content;
    const changed = { ...scene, narration, content } as Scene;
    expect(changed).to.not.deep.equal(scene);
    return scenes.map((one) => (one === scene ? changed : one));
  }
  const what = ({ scene, heading, words }: Edit): string => `${scene}: ${heading ?? words?.join(" → ")}`;

  for (const { title: film } of films)
    it(`“${film}” is approved with a few words changed, without a finding`, async () => {
      const edits = inOtherWords.filter((one) => one.film === film);
      expect(edits.map(({ heading }) => heading !== undefined)).to.deep.equal([true, false]);
      const found: unknown[] = [];
      for (const edit of edits) {
        const end = await send(film, edited(edit));
        const findings = end.kind === "complete" ? end.review.findings : end.kind === "error" ? end.findings : [end];
        found.push(...(findings ?? [end]).map((finding) => [what(edit), end.kind, finding]));
      }
      expect(found).to.deep.equal([]);
    });

  for (const edit of madeFalse)
    it(`“${edit.film}” is refused when it is made false (${what(edit)})`, async () => {
      const scenes = edited(edit);
      const changed = scenes.find((scene, index) => scene !== boardOf(edit.film).scenes[index]);
      const end = await send(edit.film, scenes);
      expect(end.kind === "error" && [end.code, ...new Set(end.findings?.map(({ sceneId }) => sceneId))]).to.deep.equal([
        "storyboard_rejected",
        changed?.sceneId,
      ]);
    });

  it("refuses an arrow that is turned round", async () => {
    const film = "A narrow door to a large house";
    const { scenes } = boardOf(film);
    const turned = scenes.map((scene) =>
      scene.layout === "build" && scene.content.edges.length > 0
        ? { ...scene, content: { ...scene.content, edges: scene.content.edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from })) } }
        : scene,
    );
    expect(turned).to.not.deep.equal(scenes);
    const end = await send(film, turned);
    expect(end.kind === "error" && [end.code, end.findings?.[0]?.problem]).to.deep.equal(["storyboard_rejected", "unsupported"]);
  });

  it("accepts nothing of a storyboard that was refused before", async () => {
    const lie: Edit = { film: "Kernel and image", scene: "Sent to zero, or not", words: ["is sent to zero", "is not sent to zero"] };
    const before = await send(lie.film, edited(lie));
    const after = await send(lie.film, edited({ ...lie, heading: "Not sent to zero" }));
    expect([before.kind, after.kind]).to.deep.equal(["error", "error"]);
  });

  describe("by a model that finds fault", () => {
    const film = "The determinant as area";
    const renamed: Edit = { film, scene: "Every region grows by five", heading: "Each region grows by five" };
    const reworded: Edit = { film, scene: "Every region grows by five", words: ["every region grows", "each region grows"] };
    /** Sends an edit to a model that finds a problem with a scene, counted from 1; `told` is what the model is told of each scene. */
    async function judged(scenes: readonly Scene[], scene: number, problem: GeneratedReview["findings"][number]["problem"]) {
      let told: unknown[] = [];
      served.between = async (request, on) => {
        const proposal = /<proposal>([\s\S]*?)<\/proposal>/.exec(request.system)?.[1] ?? "{}";
        told = (JSON.parse(proposal) as { scenes: { accepted?: unknown }[] }).scenes.map(({ accepted }) => accepted);
        const answer = await on();
        const findings = [{ scene, problem, detail: "No passage says so." }];
        return { ...answer, object: { ...(answer.object as GeneratedReview), approved: false, findings } };
      };
      const { kind } = await send(film, scenes).finally(() => {
        served.between = null;
      });
      return { kind, told };
    }

    it("are refused for the scene that was changed, whatever little changed", async () => {
      const { first } = boardOf(film);
      const { kind, told } = await judged(edited(renamed), 3, "unsupported");
      expect(kind).to.equal("error");
      expect(told[1]).to.deep.equal({ scene: 2 });
      expect(told[2]).to.deep.equal({ scene: 3, shows: { heading: first[2] && sceneTitle(first[2]) } });
    });

    it("are refused for the order only when more than a heading changed", async () => {
      expect((await judged(edited(reworded), 5, "prerequisite")).kind).to.equal("error");
      expect((await judged(edited(renamed), 5, "prerequisite")).kind).to.equal("complete");
      const [title, one, two, ...rest] = boardOf(film).scenes;
      const swapped = title && one && two ? [title, two, one, ...rest] : [];
      expect((await judged(swapped, 3, "order")).kind).to.equal("error");
    });

    it("are refused for a scene whose sources changed, though its words did not", async () => {
      const { scenes } = boardOf(film);
      const other = scenes[1];
      const moved = scenes.map((scene, index) =>
        index === 2 && other ? { ...scene, sourceIds: other.sourceIds, quotes: other.quotes } : scene,
      );
      const { kind, told } = await judged(moved, 3, "unsupported");
      expect([kind, told[1], told[2]]).to.deep.equal(["error", { scene: 2 }, undefined]);
    });
  });
});
