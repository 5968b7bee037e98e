import { addTopic, deleteContained } from "@colloquy/schemas/courses/editing/edit.ts";
import { expect } from "chai";
import { threePages } from "../testing/three-pages.ts";
import { withTitle } from "./retitle.ts";

const baseCourse = threePages();
const id = "topic-fresh-01";
const fresh = (title: string, slug: string) => addTopic(baseCourse, "coll-basics-1", 2, { id, slug, title, objectives: [], blocks: [] });
const given = (title: string, slug: string) => {
  let course = fresh(title, slug);
  return (...titles: string[]): string => {
    for (const next of titles) course = withTitle(course, { baseCourse, renamedIds: [] }, id, next);
    return course.topics.find((topic) => topic.id === id)?.slug ?? "";
  };
};

describe("the slug of an unpublished page", () => {
  it("follows its title, also through an empty one", () => {
    expect(given("New page", "new-page")("F", "Fi", "Filters", "", "Sort & filter")).to.equal("sort-filter");
  });

  it("stays unique among its siblings", () => {
    expect(given("New page", "new-page")("Pipes")).to.equal("pipes-2");
    expect(given("New page", "new-page")("Pipes", "Pipes and filters")).to.equal("pipes-and-filters");
  });

  it("transliterates Latin letters and has a fallback for others", () => {
    expect(given("New page", "new-page")("Собственные числа")).to.equal("sobstvennye-chisla");
    expect(given("صفحة جديدة", "sfha-jdyda")("الأعداد الذاتية ٢")).to.equal("alaadad-aldhatya-2");
    expect(given("New page", "new-page")("Ιδιοτιμές")).to.equal("idiotimes");
    expect(given("New page", "new-page")("固有値")).to.equal("page");
  });

  it("stays once its author has written one", () => {
    expect(given("New page", "my-own-words")("Filters")).to.equal("my-own-words");
  });

  it("stays once the page was published under any id", () => {
    const published = withTitle(baseCourse, { baseCourse, renamedIds: [] }, "topic-small-1", "Filters");
    expect(published.topics[0]).to.deep.include({ title: "Filters", slug: "pipes" });
    const renamed = { baseCourse, renamedIds: [{ from: "topic-small-1", to: id }] };
    const draft = deleteContained(fresh("Tees", "tees"), "topic-small-1");
    expect(withTitle(draft, renamed, id, "Filters").topics.at(-1)?.slug).to.equal("tees");
  });
});
