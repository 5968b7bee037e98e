import type { CoursePublished, PublicationEvent } from "@colloquy/schemas/publication/events.ts";
import { expect } from "chai";
import { givenFor } from "../given.fixture.ts";
import { type PublishCommand, publicationDecider, settledBy } from "./decider.ts";

const hash = (letter: string): string => letter.repeat(64);
const command = (more: Partial<PublishCommand> = {}): PublishCommand => ({
  courseId: "course-01",
  requestId: "request-1",
  base: null,
  contentHash: hash("a"),
  revisionId: "revision-a",
  title: "Course",
  summary: "",
  language: "en",
  origin: "object-store",
  topics: 1,
  publishedBy: "acc_owner",
  ...more,
});
/** A revision that `request-<sequence>` published. */
const published = (sequence: number, letter: string, more: Partial<CoursePublished> = {}): PublicationEvent & { metadata: object } => {
  const { requestId: _, ...facts } = command({ contentHash: hash(letter), revisionId: `revision-${letter}` });
  const data: CoursePublished = { schemaVersion: 1, ...facts, sequence, ...more };
  return { type: "CoursePublished", data, metadata: { requestId: `request-${sequence}` } };
};
/** As the decider makes it. */
const event = (data: Partial<CoursePublished>): PublicationEvent => ({
  type: "CoursePublished",
  data: { ...published(1, "a").data, ...data },
});
const baseOf = (sequence: number, letter: string) => ({ sequence, revisionId: `revision-${letter}` });
const given = givenFor(publicationDecider);

describe("deciding on a publication", () => {
  it("gives the first revision sequence 1 and no base", () => {
    given()
      .when(command())
      .then(event({ sequence: 1, base: null }));
  });

  it("gives the next revision the next sequence", () => {
    const next = { contentHash: hash("b"), revisionId: "revision-b", base: baseOf(1, "a") };
    given(published(1, "a"))
      .when(command({ requestId: "request-9", ...next }))
      .then(event({ sequence: 2, ...next }));
  });

  it("rejects a base that is not live", () => {
    const change = { requestId: "request-9", contentHash: hash("c"), revisionId: "revision-c" };
    for (const base of [null, baseOf(1, "a"), baseOf(2, "a"), baseOf(1, "b"), baseOf(3, "b")])
      given(published(1, "a"), published(2, "b"))
        .when(command({ ...change, base }))
        .thenRejected("stale_base");
  });

  it("rejects a base of a course that was never published", () => {
    given()
      .when(command({ base: baseOf(1, "a") }))
      .thenRejected("stale_base");
  });

  it("tells with a stale base which revision is live", () => {
    const { state } = given(published(1, "a"), published(2, "b"));
    const rejection = publicationDecider.decide(command({ requestId: "request-9", contentHash: hash("c") }), state);
    expect(rejection).to.have.deep.nested.property("options.live", baseOf(2, "b"));
  });

  it("publishes content that is live already by no event, whatever the base", () => {
    for (const base of [null, baseOf(1, "a"), baseOf(2, "b")])
      given(published(1, "a"), published(2, "b"))
        .when(command({ requestId: "request-9", contentHash: hash("b"), base }))
        .then();
  });

  it("publishes live content again when its objects are lost", () => {
    const lost = { requestId: "request-9", base: baseOf(1, "a"), lost: true };
    given(published(1, "a")).when(command(lost)).then("CoursePublished");
  });

  it("answers a repeated request with its own revision", () => {
    const { state, when } = given(published(1, "a"), published(2, "b"), published(3, "c"));
    expect(settledBy({ requestId: "request-2", contentHash: hash("b") }, state)).to.include({ sequence: 2, position: "10" });
    when(command({ requestId: "request-2", contentHash: hash("b"), base: baseOf(1, "a") })).then();
  });

  it("folds a very long history and still answers its first request", () => {
    // A fold that copied its history for each revision would exceed the time limit of a test.
    let state = publicationDecider.initialState;
    for (let sequence = 1; sequence <= 60_000; sequence += 1) {
      const metadata = { id: "", revision: sequence, position: String(sequence), requestId: `request-${sequence}` };
      state = publicationDecider.evolve(state, { ...published(sequence, "a"), metadata });
    }
    expect(settledBy(command(), state)).to.include({ sequence: 1 });
  });

  it("rejects a request id that was used for other content", () => {
    given(published(1, "a"))
      .when(command({ requestId: "request-1", contentHash: hash("z") }))
      .thenRejected("request_id_reused");
  });

  it("publishes earlier content again as a new revision", () => {
    const again = { revisionId: "revision-a2", base: baseOf(2, "b") };
    given(published(1, "a"), published(2, "b"))
      .when(command({ requestId: "request-9", ...again }))
      .then(event({ sequence: 3, ...again }));
  });

  it("rejects a revision of another origin", () => {
    const change = command({ requestId: "request-9", contentHash: hash("b"), base: baseOf(1, "a") });
    given(published(1, "a", { origin: "compiled" }))
      .when(change)
      .thenRejected("course_not_editable");
    given(published(1, "a"))
      .when({ ...change, origin: "compiled" })
      .thenRejected("course_not_editable");
  });
});
