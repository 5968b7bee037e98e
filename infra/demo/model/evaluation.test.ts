import { fileURLToPath } from "node:url";
import { type CourseForBriefs, courseForBriefs } from "@colloquy/command-api/grounding/brief.fixture.ts";
import { makeBrief } from "@colloquy/command-api/grounding/brief.ts";
import { askSystemPrompt, conversationMessages } from "@colloquy/command-api/grounding/prompt.ts";
import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { realCourse } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { generationSchemas } from "@colloquy/schemas/generation/index.ts";
import { expect } from "chai";
import { answer } from "./answer.ts";
import { type EvaluationQuestion, evaluationQuestions } from "./evaluation/questions.ts";
import { makeObject } from "./objects/make.ts";
import { type Prompt, readPrompt } from "./prompt.ts";

type Course = EvaluationQuestion["course"];

const ours = (name: string) => fileURLToPath(new URL(`../courses/${name}`, import.meta.url));
const courses: Record<Course, () => { importer: Importer; folder: string | null }> = {
  shell: () => ({ importer: importCarpentries, folder: realCourse("shell-novice") }),
  lean: () => ({ importer: importMdBook, folder: realCourse("theorem-proving-in-lean") }),
  "linear-maps": () => ({ importer: importNative, folder: ours("linear-maps") }),
  "learning-to-learn": () => ({ importer: importNative, folder: ours("learning-to-learn") }),
};

/** The questions by way of the product's own parts: importer, search index, brief, prompt. Only the model's process is left out. */
describe("the demonstration model on real courses", function () {
  this.timeout(120_000);
  const libraries = new Map<Course, CourseForBriefs>();
  before(async () => {
    for (const name of Object.keys(courses) as Course[]) {
      const { importer, folder } = courses[name]();
      if (folder === null) continue;
      const { course } = await importer(folder, { courseId: `${name}-course`, previous: null });
      libraries.set(name, await courseForBriefs(course));
    }
  });

  async function promptFor(course: Course, question: string): Promise<Prompt | null> {
    const library = libraries.get(course);
    if (!library) return null;
    const brief = await makeBrief(library, { message: question, history: [], references: [] });
    return readPrompt({ messages: [{ role: "system", content: askSystemPrompt(brief, "en") }, ...conversationMessages([], question)] });
  }

  async function measure(set: EvaluationQuestion["set"]) {
    const counts = { answerable: 0, answered: 0, wronglyRefused: 0, unanswerable: 0, refused: 0, hedged: 0, words: 0 };
    const failed: string[] = [];
    for (const { course, question, must } of evaluationQuestions.filter((entry) => entry.set === set)) {
      const prompt = await promptFor(course, question);
      if (!prompt) continue;
      const text = answer(prompt);
      const refused = /do not answer this\.|No passage of a published course/.test(text);
      checkMarkers(text, prompt);
      if (must.length) {
        counts.answerable += 1;
        counts.wronglyRefused += Number(refused);
        counts.words += text.split(/\s+/).length;
        if (!refused && must.every((pattern) => pattern.test(text))) counts.answered += 1;
        else failed.push(question);
      } else {
        counts.unanswerable += 1;
        counts.refused += Number(refused);
        counts.hedged += Number(text.startsWith("This may not answer your question directly."));
        if (!refused) failed.push(question);
      }
    }
    console.log(
      `      ${set}: ${counts.answered} of ${counts.answerable} answered (${counts.wronglyRefused} wrongly refused), ` +
        `${counts.refused} of ${counts.unanswerable} unanswerable refused and ${counts.hedged} answered with a warning, ${Math.round(counts.words / Math.max(1, counts.answerable))} words on average` +
        `${failed.length ? `; failed: ${failed.join(" | ")}` : ""}`,
    );
    return counts;
  }

  it("answers what the courses answer and refuses what they do not", async () => {
    const tuned = await measure("tuning");
    expect(tuned.answered / tuned.answerable).to.be.at.least(0.8);
    expect(tuned.refused / tuned.unanswerable).to.be.at.least(0.9);
  });

  it("does so on questions it was not tuned on", async () => {
    const held = await measure("held-out");
    expect(held.answered / held.answerable).to.be.at.least(0.65);
    expect(held.refused / held.unanswerable).to.be.at.least(0.85);
  });

  it("does not pretend to answer what is of the subject but not in the course", async () => {
    const near = await measure("near");
    expect((near.refused + near.hedged) / near.unanswerable).to.be.at.least(0.8);
  });

  it("refuses what is far from every course, and offers no section that has not a word of it", async () => {
    for (const course of libraries.keys())
      for (const question of ["How do I bake sourdough bread?", "Explain photosynthesis", "how do I invest in stocks"]) {
        const prompt = await promptFor(course, question);
        const text = prompt ? answer(prompt) : "";
        expect(text, `${course}: ${question}`).to.match(/do not answer this\.|No passage of a published course/);
        expect(text, `${course}: ${question}`).to.not.match(/\[s\d+\]/);
      }
  });

  it("says of passages that hold nothing to ask about that they give no question", () => {
    const listing = { id: "s1", title: "Pipes and Filters", trail: ["The Unix Shell"], text: "```\n$ ls\n```", kind: "code" };
    expect(makeObject("quiz", { passages: [listing], history: [], question: "/quiz", whole: "" })).to.deep.include({ questions: [] });
  });

  it("makes every kind of object from them", async () => {
    for (const [course, topic] of [
      ["shell", "Pipes and filters"],
      ["lean", "Tactics"],
      ["linear-maps", "Eigenvectors and eigenvalues"],
      ["learning-to-learn", "Spacing and recall"],
    ] as const) {
      const prompt = await promptFor(course, topic);
      if (!prompt) continue;
      const texts = new Map(prompt.passages.map((passage) => [passage.id, passage.text]));
      for (const name of ["quiz", "probe", "plan", "teachingStep", "check", "storyboard"] as const) {
        const made = makeObject(name, prompt);
        expect(made, `${name} of ${course}`).to.not.equal(null);
        for (const id of JSON.stringify(made).matchAll(/"(s\d+)"/g)) expect(texts.has(id[1] ?? "")).to.equal(true);
      }
      const quiz = generationSchemas.quiz.parse(makeObject("quiz", prompt));
      expect(quiz.questions.length, `questions of ${course}`).to.be.at.least(3);
      const board = generationSchemas.storyboard.parse(makeObject("storyboard", prompt));
      if (board.refusal) continue;
      for (const scene of board.scenes)
        for (const { passage, quote } of scene.quotes)
          expect(texts.get(passage)?.replace(/\s+/g, " ")).to.contain(quote.replace(/\s+/g, " "));
      const scenes = board.scenes.map(({ layout, heading, points, narration, passages, quotes }) => ({
        layout,
        shows: { heading, points: points ?? [] },
        narration,
        passages,
        quotes,
      }));
      const whole = `<proposal>${JSON.stringify({ title: board.title, scenes, key: null })}</proposal>`;
      const review = makeObject("review", { ...prompt, whole });
      expect(review).to.deep.include({ approved: true, findings: [] });
    }
  });
});

/** Every marker names a passage of the prompt, and none stands in code. */
function checkMarkers(text: string, prompt: Prompt): void {
  const known = new Set(prompt.passages.map((passage) => passage.id));
  for (const [, id = ""] of text.matchAll(/\[(s\d+)\]/g)) expect(known.has(id), text).to.equal(true);
  for (const [code] of text.matchAll(/```[\s\S]*?```|`[^`\n]*`/g)) expect(code).to.not.match(/\[s\d+\]/);
}
