import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { realCourse } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { type CourseName, measure, ourSearch, plainSearch } from "./evaluation/measure.ts";

const indexed = async (importer: Importer, folder: string, courseId: string): Promise<SearchIndex> =>
  buildSearchIndex((await importer(folder, { courseId, previous: null })).course, "revision-1");

describe("passages found for questions", () => {
  const ours = new Map<CourseName, SearchIndex>();
  before(async () => {
    for (const { courseId, folder } of demonstrationCourses)
      ours.set(courseId as CourseName, await indexed(importNative, folder, courseId));
  });

  it("of the demonstration courses answer them, and better than plain BM25", async () => {
    const [quality, plain] = [measure(await ourSearch(ours), ours.keys()), measure(plainSearch(ours), ours.keys())];
    expect(quality.meanReciprocalRank, JSON.stringify({ quality, plain })).to.be.at.least(0.8);
    expect(quality.meanReciprocalRank).to.be.greaterThan(plain.meanReciprocalRank);
    expect(quality.firstTen).to.equal(1);
  });

  it("of two real courses as well answer them, and better than plain BM25", async function () {
    const [shell, lean] = [realCourse("shell-novice"), realCourse("theorem-proving-in-lean")];
    if (shell === null || lean === null) return this.skip();
    const all = new Map(ours)
      .set("shell-novice", await indexed(importCarpentries, shell, "shell-novice"))
      .set("theorem-proving-in-lean", await indexed(importMdBook, lean, "theorem-proving-in-lean"));
    const [quality, plain] = [measure(await ourSearch(all), all.keys()), measure(plainSearch(all), all.keys())];
    expect(quality.meanReciprocalRank, JSON.stringify({ quality, plain })).to.be.at.least(0.8);
    expect(quality.meanReciprocalRank).to.be.greaterThan(plain.meanReciprocalRank + 0.1);
    expect(quality.firstTen).to.be.at.least(0.93);
  });
});
