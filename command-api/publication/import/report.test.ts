import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import { reportText } from "./report.ts";

const published = { sequence: 1, revisionId: "revision-1", position: "1", changed: true, restored: 0 };

function courseWith(place: string): AuthoredCourse {
  const source = `---\nkind: single\nabout: block-text\n${place}---\nWhich sign joins programs?\n\n- [x] one\n- [ ] two\n\n::: explanation\nSo it is.\n:::`;
  const objectives = [{ id: "objective-one", text: "Join programs." }];
  const blocks = [
    { id: "block-text", type: "core.theory", source: "A pipe joins two programs." },
    { id: "block-asked", type: "core.question", source },
  ];
  const topics = [{ id: "topic-pipes", slug: "pipes", title: "Pipes", objectives, blocks }];
  return { manifest: { title: "Pipes" }, topics, collections: [], assets: [] } as unknown as AuthoredCourse;
}
const reportOf = (course: AuthoredCourse): string => reportText({ format: "Colloquy", course, report: [], published }, "/courses/pipes");

describe("the report of an import", () => {
  it("counts the questions that can show mastery", () => {
    expect(reportOf(courseWith("place: bank\n"))).to.include("question bank: 1 question, which can show mastery");
  });

  it("says what is missing where the questions stand on pages alone", () => {
    expect(reportOf(courseWith(""))).to.include("question bank: empty. In Tutor only questions with “place: bank” can show mastery");
  });
});
