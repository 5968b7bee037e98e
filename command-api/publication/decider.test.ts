import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { CoursePublished } from "@colloquy/schemas/publication/events.ts";
import { expect } from "chai";
import { decide, evolve, initial, type PublicationState, type PublishCommand, settledBy } from "./decider.ts";

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
const published = (sequence: number, letter: string, more: Partial<CoursePublished> = {}): CoursePublished => {
  const { requestId: _, ...facts } = command({ contentHash: hash(letter), revisionId: `revision-${letter}` });
  return { schemaVersion: 1, ...facts, sequence, ...more };
};
const given = (...events: CoursePublished[]): PublicationState =>
  events.reduce((state, data, index) => evolve(state, { data, requestId: `request-${index + 1}`, position: String(index * 10) }), initial);
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
  return undefined;
};
const baseOf = (sequence: number, letter: string) => ({ sequence, revisionId: `revision-${letter}` });

describe("publishing, decided", () => {
  it("a first revision has sequence 1 and no base", () => {
    expect(decide(command(), initial)).to.deep.equal([{ type: "CoursePublished", data: published(1, "a") }]);
  });

  it("a change over the live revision follows it", () => {
    const [event] = decide(
      command({ requestId: "request-9", contentHash: hash("b"), revisionId: "revision-b", base: baseOf(1, "a") }),
      given(published(1, "a")),
    );
    expect(event?.data).to.include({ sequence: 2, revisionId: "revision-b" });
  });

  it("a base that is not live any more is stale", () => {
    const state = given(published(1, "a"), published(2, "b"));
    const change = { requestId: "request-9", contentHash: hash("c"), revisionId: "revision-c" };
    for (const base of [null, baseOf(1, "a"), baseOf(2, "a"), baseOf(1, "b"), baseOf(3, "b")])
      expect(
        codeOf(() => decide(command({ ...change, base }), state)),
        JSON.stringify(base),
      ).to.equal("stale_base");
    expect(codeOf(() => decide(command({ ...change, base: baseOf(1, "a") }), initial))).to.equal("stale_base");
  });

  it("what is live already is published by no event, whatever its base", () => {
    const state = given(published(1, "a"), published(2, "b"));
    for (const base of [null, baseOf(1, "a"), baseOf(2, "b")])
      expect(decide(command({ requestId: "request-9", contentHash: hash("b"), base }), state)).to.deep.equal([]);
  });

  it("a request sent twice gives what it gave, even when others published since", () => {
    const state = given(published(1, "a"), published(2, "b"), published(3, "c"));
    expect(settledBy({ requestId: "request-2", contentHash: hash("b") }, state)).to.include({ sequence: 2, position: "10" });
    expect(decide(command({ requestId: "request-2", contentHash: hash("b"), base: baseOf(1, "a") }), state)).to.deep.equal([]);
  });

  it("a course of very many revisions is read to its end, and its first request is still answered alike", () => {
    // So many that a fold that copies what it has for each would take longer than any test may.
    let state = initial;
    for (let sequence = 1; sequence <= 60_000; sequence += 1)
      state = evolve(state, { data: published(sequence, "a"), requestId: `request-${sequence}`, position: String(sequence) });
    expect(settledBy(command(), state)?.sequence).to.equal(1);
  });

  it("a request id stands for one content", () => {
    expect(codeOf(() => decide(command({ requestId: "request-1", contentHash: hash("z") }), given(published(1, "a"))))).to.equal(
      "request_id_reused",
    );
  });

  it("an earlier content may be published again, as a new revision", () => {
    const state = given(published(1, "a"), published(2, "b"));
    const [event] = decide(
      command({ requestId: "request-9", contentHash: hash("a"), revisionId: "revision-a2", base: baseOf(2, "b") }),
      state,
    );
    expect(event?.data).to.include({ sequence: 3, revisionId: "revision-a2" });
  });

  it("a compiled course is not replaced by a published one, nor the other way round", () => {
    const change = { requestId: "request-9", contentHash: hash("b"), base: baseOf(1, "a") };
    expect(codeOf(() => decide(command(change), given(published(1, "a", { origin: "compiled" }))))).to.equal("course_not_editable");
    expect(codeOf(() => decide(command({ ...change, origin: "compiled" }), given(published(1, "a"))))).to.equal("course_not_editable");
  });
});
