import { readConfig } from "@colloquy/infra/config.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { type ObjectStore, ObjectStoreUnavailable } from "@colloquy/infra/object-store/store.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { revisionChanges } from "./revision-changes.ts";

const courseId = "course-0001";

/** A revision of blocks that each are one text. */
const indexOf = (revisionId: string, texts: Record<string, string>): SearchIndex => ({
  schemaVersion: 1,
  courseId,
  revisionId,
  language: "en",
  audienceMarked: true,
  sources: Object.keys(texts).map((name) => ({
    sourceId: `source-${name}`,
    kind: "block",
    entityId: `block-${name}`,
    topicId: "topic-0001",
    href: `/courses/x#${name}`,
    title: name,
    trail: [],
  })),
  passages: Object.entries(texts).map(([name, text]) => ({
    passageId: `passage-${name}`,
    sourceId: `source-${name}`,
    heading: name,
    text,
    role: "prose",
  })),
});

describe("changed sources of a revision", function () {
  this.timeout(120_000);
  let double: S3Double;
  let store: ObjectStore;
  const put = (revisionId: string, text: string) => store.put(courseKeys.search(courseId, revisionId), new TextEncoder().encode(text));
  beforeEach(async () => {
    double = await startS3Double();
    store = openObjectStore(readConfig(double.environment));
    await put("revision-01", JSON.stringify(indexOf("revision-01", { same: "as it was", other: "before", gone: "for good" })));
    await put("revision-02", JSON.stringify(indexOf("revision-02", { same: "as it was", other: "after", more: "new" })));
  });
  afterEach(() => double.close());

  it("contains sources with other text and removed sources", async () => {
    const changed = await revisionChanges(store)(courseId, "revision-01", "revision-02");
    expect(changed).to.deep.equal(new Set(["source-other", "source-gone"]));
  });

  it("is null if a revision is missing or damaged", async () => {
    const changes = revisionChanges(store);
    expect(await changes(courseId, "revision-01", "revision-03")).to.equal(null);
    await put("revision-03", "{}");
    expect(await changes(courseId, "revision-03", "revision-02")).to.equal(null);
  });

  it("rejects while the object store is down, and recovers", async () => {
    const changes = revisionChanges(store);
    await double.kill();
    const error = await changes(courseId, "revision-01", "revision-02").catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ObjectStoreUnavailable);
    await double.start();
    expect(await changes(courseId, "revision-01", "revision-02")).to.have.length(2);
  });
});
