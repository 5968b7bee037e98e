import type { StudiedQuestion, StudiedSession } from "@colloquy/projections/review/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import { reviewResponse } from "@colloquy/schemas/review/requests.ts";
import { expect } from "chai";
import { canAnswer, cardsOf } from "./cards.ts";
import type { LiveCourse } from "./live-course.ts";

const courseId = "course-shell";
const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, "0")}:00:00.000Z`;
const cited = { sourceId: "s_pipes", href: `/courses/${courseId}/pipes#block-theory`, quote: "joins   two programs" };
const question = (more: Partial<StudiedQuestion> = {}): StudiedQuestion => ({
  objectiveId: "objective-1",
  prompt: "What does a pipe join?",
  sources: [cited],
  digests: { s_pipes: "digest-1" },
  choices: [
    { text: "Programs", right: true },
    { text: "Files", right: false },
  ],
  answered: true,
  disputed: false,
  ...more,
});
const objective = (
  objectiveId: string,
  more: Partial<StudiedSession["objectives"][number]> = {},
): StudiedSession["objectives"][number] => ({
  objectiveId,
  title: `Do ${objectiveId}`,
  topicId: "topic-pipes",
  topicTitle: "Pipes",
  href: `/courses/${courseId}/pipes`,
  derived: false,
  metAt: at(10),
  taughtAt: at(10),
  sources: [cited],
  ...more,
});
const session = (more: Partial<StudiedSession> = {}): StudiedSession => ({
  courseId,
  courseTitle: "The Shell",
  language: "en",
  objectives: [objective("objective-1")],
  questions: { "item-0001": question() },
  steps: {},
  ...more,
});

interface Place {
  topic?: Partial<Topic>;
  renames?: Record<string, string>;
  digest?: string;
}
/** A course of one topic, with what a publication may have changed of it. */
function live({ topic: changed = {}, renames = {}, digest = "digest-1" }: Place = {}): LiveCourse {
  const topic = {
    id: "topic-pipes",
    slug: "pipes",
    title: "Pipes",
    href: `/courses/${courseId}/pipes`,
    objectives: [{ id: "objective-1", text: "Join two programs with a pipe." }],
    blocks: [
      { id: "block-theory", type: "core.theory" as const, source: "A pipe joins two programs." },
      {
        id: "block-keys",
        type: "core.key-points" as const,
        source: "---\ntitle: Remember\n---\n- A filter reads *lines*.\n- A pipe joins $n$ filters.",
      },
    ],
    ...changed,
  };
  const source = {
    sourceId: "s_pipes",
    kind: "block" as const,
    entityId: "block-theory",
    topicId: topic.id,
    title: "Pipes",
    trail: [],
    href: `${topic.href}#block-theory`,
  };
  const passage = {
    passageId: "passage-1",
    sourceId: "s_pipes",
    heading: "Pipes",
    role: "prose" as const,
    source,
    courseId,
    revisionId: "revision-1",
    score: 0,
  };
  return {
    courseId,
    title: "The Shell",
    language: "en",
    topics: new Map([[topic.id, topic]]),
    topicOfObjective: new Map(topic.objectives.map(({ id }) => [id, topic.id])),
    currentId: (id) => renames[id] ?? id,
    formerIds: (id) => Object.entries(renames).flatMap(([from, to]) => (to === id ? [from] : [])),
    source: ({ sourceId }) => (sourceId === "s_pipes" ? source : null),
    passages: () => [
      { ...passage, text: "Something else first." },
      { ...passage, text: "A pipe joins two\nprograms." },
    ],
    digest: () => digest,
    hrefOfBlock: (id) => `${topic.href}#${id}`,
    questions: [],
  };
}
const cards = (sessions: StudiedSession[], course: LiveCourse | null) => {
  const made = cardsOf(sessions, new Map([[courseId, course]]));
  reviewResponse.parse({ schemaVersion: 1, ...made });
  return made;
};

describe("review cards", () => {
  it("are studied objectives and taught key points with links to blocks", () => {
    const made = cards(
      [session({ objectives: [objective("objective-1"), objective("objective-2", { metAt: null, taughtAt: null })] })],
      live(),
    );
    expect(made.retired).to.deep.equal([]);
    expect(made.cards.map(({ kind, title }) => [kind, title])).to.deep.equal([
      ["objective", "Join two programs with a pipe."],
      ["key-point", "Remember"],
      ["key-point", "Remember"],
    ]);
    const [first, point] = made.cards;
    expect(first?.questions).to.deep.equal([{ prompt: "What does a pipe join?", choices: question().choices }]);
    expect(first?.answer).to.deep.equal([
      { href: `/courses/${courseId}/pipes#block-theory`, title: "Pipes", text: "A pipe joins two\nprograms.", format: "plain" },
    ]);
    expect(point?.answer[0]).to.deep.equal({
      href: `/courses/${courseId}/pipes#block-keys`,
      title: "Remember",
      text: "A filter reads *lines*.",
      format: "markdown",
    });
    expect(point?.place).to.deep.equal({ number: 1, of: 2 });
  });

  it("have no key points of a topic that was only checked", () => {
    expect(
      cards([session({ objectives: [objective("objective-1", { taughtAt: null })] })], live()).cards.map(({ kind }) => kind),
    ).to.deep.equal(["objective"]);
  });

  it("leave out disputed questions and those with changed sources", () => {
    const asked = (place: Place, more: Partial<StudiedQuestion> = {}) =>
      cards([session({ questions: { "item-0001": question(more) } })], live(place)).cards[0]?.questions;
    expect(asked({}, { disputed: true })).to.deep.equal([]);
    expect(asked({ digest: "digest-2" })).to.deep.equal([]);
    expect(asked({}, { sources: [], digests: { s_gone: "digest-1" } })).to.deep.equal([]);
    expect(asked({})).to.have.length(1);
  });

  it("are one per objective over all sessions, latest question first", () => {
    const later = session({
      objectives: [objective("objective-1", { metAt: at(12) })],
      questions: { "item-0002": question({ prompt: "And then?" }) },
    });
    const [card] = cards([session(), later], live()).cards;
    expect(card?.questions.map(({ prompt }) => prompt)).to.deep.equal(["And then?", "What does a pipe join?"]);
    expect(card?.metAt).to.equal(at(10));
    const many = Array.from({ length: 20 }, (_, index) => [`item-${index}`, question({ prompt: `Question ${index}` })] as const);
    expect(cards([session({ questions: Object.fromEntries(many) })], live()).cards[0]?.questions).to.have.length(
      bounds.review.questionsPerCard,
    );
  });

  it("keep their ids through renames and changes of format", () => {
    const before = cards([session()], live()).cards;
    const moved = live({
      topic: {
        objectives: [{ id: "objective-9", text: "Join programs." }],
        blocks: [{ id: "block-moved", type: "core.key-points", source: "- A filter  reads **lines**.\n- Something new." }],
      },
      renames: { "objective-1": "objective-9", "block-keys": "block-moved" },
    });
    const after = cards([session()], moved).cards;
    expect(after[0]).to.deep.include({ itemId: "objective-9", formerIds: ["objective-1"], title: "Join programs." });
    expect(after[1]?.formerIds).to.deep.equal([before[1]?.itemId]);
    expect(before.map(({ itemId }) => itemId)).to.not.include(after[2]?.formerIds[0]);
  });

  it("are scoped by block: the same text in a copy is another card", () => {
    const copied = live({
      topic: { blocks: ["block-keys", "block-copy"].map((id) => ({ id, type: "core.key-points" as const, source: "- One." })) },
    });
    const ids = cards([session()], copied).cards.map(({ itemId }) => itemId);
    expect(new Set(ids).size).to.equal(3);
  });

  it("follow a derived objective when its topic is renamed", () => {
    const derived = (topicId: string, metAt: string) =>
      session({ objectives: [objective(`derived-of-${topicId}`, { topicId, derived: true, metAt })], questions: {} });
    const topic = { id: "topic-tubes", objectives: [], blocks: [] };
    const made = cards(
      [derived("topic-pipes", at(9)), derived("topic-tubes", at(11))],
      live({ topic, renames: { "topic-pipes": "topic-tubes" } }),
    );
    expect(made.cards).to.have.length(1);
    expect(made.cards[0]?.formerIds).to.have.length(1);
  });

  it("retire removed and reworded key points with their former text", () => {
    const before = live().topics.get("topic-pipes");
    const source = "- A **filter** reads *lines*.\n- A pipe joins many filters.";
    const now = live({ topic: { blocks: [{ id: "block-new", type: "core.key-points", source }] }, renames: { "block-keys": "block-new" } });
    const former = (_course: string, revision: string) => (revision === "revision-0" ? before : undefined);
    const made = cardsOf([session({ courseRevisionId: "revision-0" })], new Map([[courseId, now]]), former);
    const about = { kind: "key-point", topicTitle: "Pipes", courseTitle: "The Shell", reason: "deleted" };
    expect(made.retired.map(({ itemId: _, ...one }) => one)).to.deep.equal([{ ...about, title: "A pipe joins $n$ filters." }]);
    reviewResponse.parse({ schemaVersion: 1, ...made });
    const moved = session({ courseRevisionId: "revision-1", objectives: [objective("objective-1", { taughtOn: "revision-0" })] });
    expect(cardsOf([moved], new Map([[courseId, now]]), former).retired, "of the revision it was taught on").to.deep.equal(made.retired);
    expect(cardsOf([session()], new Map([[courseId, now]]), former).retired, "a session without its revision").to.deep.equal([]);
  });

  it("answer with text about the subject, not about the lesson", () => {
    const told = (text: string, more: object = {}) => ({
      role: "prose" as const,
      heading: "Pipes",
      text,
      source: { title: "Pipes" } as never,
      ...more,
    });
    expect(canAnswer(told("A pipe joins two programs."))).to.equal(true);
    expect(canAnswer(told("10 minutes of teaching, 5 minutes of exercises."))).to.equal(false);
    expect(canAnswer(told("**Teaching:** 15 min\n**Exercises:** 20 min"))).to.equal(false);
    expect(canAnswer(told("What is a pipe?\nHow do I join programs?"))).to.equal(false);
    expect(canAnswer(told("Join programs.", { role: "objectives" }))).to.equal(false);
    expect(canAnswer(told("A pipe joins two programs.", { heading: "Instructor notes" }))).to.equal(false);
  });

  it("are retired when their text or course is removed", () => {
    const title = "Do objective-1";
    expect(cards([session()], live({ topic: { objectives: [] } }))).to.deep.include({
      cards: [],
      retired: [{ itemId: "objective-1", kind: "objective", title, topicTitle: "Pipes", courseTitle: "The Shell", reason: "deleted" }],
    });
    expect(cards([session()], null).retired[0]).to.deep.include({ reason: "unpublished" });
  });
});
