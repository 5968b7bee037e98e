import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import { expect } from "chai";
import type { AuthoredCourse } from "../courses/authored.ts";
import { checkCourse } from "../courses/check-course.ts";
import { editBlockSource, editCollection, editManifest, editTopic } from "../courses/editing/edit.ts";
import { followRenames } from "../courses/identity.ts";
import { validateCourse } from "../courses/validate.ts";
import { type CourseDraft, receiptIsSettled, requestIdFor, withSourcePaths } from "./draft.ts";
import { placeOfError } from "./places.ts";
import { publishRequest } from "./requests.ts";
import { readStoredDraft } from "./stored-draft.ts";

const draftOf = (course: AuthoredCourse, more: Partial<CourseDraft> = {}): CourseDraft => ({
  draftVersion: 1,
  courseId: "sample-course",
  accountId: "acc_owner",
  base: { sequence: 1, revisionId: "revision-1" },
  course,
  renamedIds: [],
  savedAt: "2026-11-21T07:00:00Z",
  version: 3,
  requestId: null,
  receipt: null,
  ...more,
});

describe("a draft", () => {
  it("keeps its request id while its content is the same", () => {
    const course = sampleCourse();
    const draft = draftOf(course, { requestId: "request-1" });
    expect(requestIdFor(draft, structuredClone(course), () => "request-2")).to.equal("request-1");
    expect(requestIdFor(draft, editTopic(course, "topic-pipes", { title: "Other" }), () => "request-2")).to.equal("request-2");
    expect(requestIdFor(draftOf(course), course, () => "request-2")).to.equal("request-2");
  });

  it("is a receipt until a page shows its revision or a later one", () => {
    const receipt = draftOf(sampleCourse(), { receipt: { sequence: 4, revisionId: "revision-4" } });
    expect([3, 4, 5].map((sequence) => receiptIsSettled(receipt, { sequence }))).to.deep.equal([false, true, true]);
    expect(receiptIsSettled(draftOf(sampleCourse()), { sequence: 9 })).to.equal(false);
  });

  it("of an older editor gets its source paths back", () => {
    const course = sampleCourse();
    const [asset] = course.assets;
    const wrong = `/api/courses/sample-course/assets/${asset?.sha256}`;
    const mixed = editBlockSource(
      course,
      "block-loops-theory",
      `![A](${wrong}) and ![B](https://site.example${wrong}), /api/courses/other-course/assets/${asset?.sha256}`,
    );
    expect(withSourcePaths(mixed).topics[1]?.blocks[0]?.source).to.equal(
      `![A](assets/tree.svg) and ![B](assets/tree.svg), /api/courses/other-course/assets/${asset?.sha256}`,
    );
    expect(withSourcePaths(course)).to.equal(course);
    expect(readStoredDraft(draftOf(mixed))?.course).to.deep.equal(withSourcePaths(mixed));
  });

  it("is read back as it was left, also in the middle of a title, an address, a language or an objective", () => {
    const course = sampleCourse();
    const [topic, collection] = [course.topics[0]?.id ?? "", course.collections[0]?.id ?? ""];
    const written = editCollection(
      editTopic(editManifest(course, { title: "", language: "engl" }), topic, {
        title: " ",
        slug: "Pipes!",
        objectives: [{ id: "objective-new-1", text: "" }],
      }),
      collection,
      { title: "", slug: "" },
    );
    expect(readStoredDraft(structuredClone(draftOf(written)))).to.deep.equal(draftOf(written));
  });

  it("is read back from what was stored, and from nothing else", () => {
    const draft = draftOf(sampleCourse());
    expect(readStoredDraft(JSON.parse(JSON.stringify(draft)))).to.deep.equal(draft);
    for (const wrong of [
      null,
      [],
      { ...draft, draftVersion: 2 },
      { ...draft, course: {} },
      { ...draft, courseId: "other-course" },
      { ...draft, more: 1 },
    ])
      expect(readStoredDraft(wrong)).to.equal(null);
  });
});

describe("the place an error names", () => {
  it("is the block, with its line", () => {
    const course = editBlockSource(sampleCourse(), "block-loops-math", "---\nlabel: a\n---\n$$\n{\n$$");
    const [error] = checkCourse(course);
    expect(placeOfError(error?.path ?? "", course)).to.deep.include({
      kind: "block",
      id: "block-loops-math",
      topicId: "topic-loops",
      field: "source",
    });
    expect(placeOfError(error?.path ?? "", course).line).to.be.greaterThan(1);
  });

  it("is the thing whose field is wrong, also as the service writes it", () => {
    const course = sampleCourse();
    expect(placeOfError("course.topics.0.objectives.1.text", course)).to.deep.include({
      kind: "objective",
      id: "objective-count",
      topicId: "topic-pipes",
      field: "text",
    });
    expect(placeOfError("topics.1.slug", course)).to.deep.include({ kind: "topic", id: "topic-loops", field: "slug", line: null });
    expect(placeOfError("collections.0.children.3", course)).to.deep.include({ kind: "collection", id: "coll-basics", field: "children" });
    expect(placeOfError("assets.0", course)).to.deep.include({ kind: "asset", id: "assets/tree.svg", field: null });
    expect(placeOfError("manifest.title", course)).to.deep.include({ kind: "course", id: null, field: "title" });
    expect(placeOfError("topics", course)).to.deep.include({ kind: "course", field: "topics" });
  });

  it("is found for every error of a broken course", () => {
    const course = sampleCourse((made) => {
      made.manifest.root.push({ kind: "topic", id: "topic-gone" });
      for (const topic of made.topics) for (const block of topic.blocks) block.source = "---\nno end";
    });
    const result = validateCourse(course);
    for (const { path } of result.ok ? [] : result.fields) expect(placeOfError(path, course).kind, path).to.match(/^(?:block|course)$/);
  });
});

describe("what is kept with a course", () => {
  it("follows renames", () => {
    const present = followRenames([{ from: "block-old-1", to: "block-new-1" }]);
    expect(["block-old-1", "block-other"].map(present)).to.deep.equal(["block-new-1", "block-other"]);
  });
});

describe("a request to publish", () => {
  const request = {
    schemaVersion: 1,
    requestId: "request-1",
    courseId: "sample-course",
    base: { sequence: 1, revisionId: "revision-1" },
    course: sampleCourse(),
    renamedIds: [],
    aliases: [{ from: "basics/pipes", to: "topic-pipes" }],
  };
  it("has every field, and no other", () => {
    expect(publishRequest.safeParse(request).success).to.equal(true);
    for (const wrong of [
      { ...request, more: 1 },
      { ...request, base: null },
      { ...request, course: { ...request.course, more: 1 } },
      { ...request, aliases: [{ from: "../../etc", to: "topic-pipes" }] },
      { ...request, aliases: [{ from: "a//b", to: "topic-pipes" }] },
      { ...request, renamedIds: [{ from: "a b", to: "topic-pipes" }] },
    ])
      expect(publishRequest.safeParse(wrong).success).to.equal(false);
  });
});
