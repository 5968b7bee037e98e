import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { Emitter } from "../store/emitter.ts";
import type { LocalPersonalChange } from "../store/library.ts";
import { type PersonalStates, personalAfter } from "../store/personal-fold.ts";
import { PageInk } from "./page-ink.ts";

type Annotation = PersonalStates["annotation"];
const at = "2026-11-21T08:00:00Z";
const changesOfDrawing = bounds.annotation.changes / 2;
const bare: Omit<Stroke, "strokeId"> = { blockId: null, tool: "pen", colour: "ink", width: 4, points: [0, 0, 128] };
const stroke = (strokeId: string): Stroke => ({ strokeId, ...bare });

/** The account's annotations, played, with what was changed in them. */
function account() {
  const states = new Map<string, Annotation>();
  const events = new Emitter<{ personal: { domains: ReadonlySet<"annotation"> } }>();
  const commits: LocalPersonalChange[][] = [];
  const take = (change: LocalPersonalChange): void => {
    const { entityId, type } = change;
    const data = change.data as Record<string, unknown>;
    const state = personalAfter("annotation", states.get(entityId) ?? null, { changeId: "change-0001", type, at, data });
    if (state) states.set(entityId, state);
    else states.delete(entityId);
    events.emit("personal", { domains: new Set(["annotation"]) });
  };
  const library = {
    events,
    replica: { allPersonal: () => states },
    commitPersonal: async (changes: LocalPersonalChange[]) => {
      commits.push(changes);
      for (const change of changes) take(change);
      return [];
    },
  };
  const open = () =>
    new PageInk({ library, courseId: "course-1", topicId: "topic-1" } as unknown as ConstructorParameters<typeof PageInk>[0]);
  /** Another device, or another page, has drawn. */
  const elsewhere = (entityId: string, strokes: Stroke[], topicId = "topic-1") =>
    take({ domain: "annotation", entityId, type: "drawn", data: { courseId: "course-1", topicId, strokes } });
  return { states, commits, open, elsewhere, take };
}
const ids = ({ strokes }: PageInk) => strokes.map(({ strokeId }) => strokeId);

describe("PageInk", () => {
  it("collects the drawings of a page, also under former ids", () => {
    const { open, elsewhere } = account();
    elsewhere("drawing-1", [stroke("one")]);
    elsewhere("drawing-2", [stroke("two")]);
    elsewhere("drawing-3", [stroke("former")], "topic-0");
    elsewhere("drawing-4", [stroke("other")], "topic-9");
    const ink = open();
    expect(ids(ink)).to.deep.equal(["one", "two"]);
    let told = 0;
    ink.events.on("change", () => (told += 1));
    ink.follow([
      { from: "topic-0", to: "topic-1" },
      { from: "topic-9", to: "topic-8" },
      { from: "block-0", to: "block-1" },
    ]);
    expect([ids(ink), told]).to.deep.equal([["one", "two", "former"], 1]);
    expect(["block-0", "block-2"].map(ink.currentId)).to.deep.equal(["block-1", "block-2"]);
  });

  it("erases and restores strokes under a former id and draws under the present", async () => {
    const { open, elsewhere, commits } = account();
    elsewhere("drawing-3", [stroke("former")], "topic-0");
    const ink = open();
    ink.follow([{ from: "topic-0", to: "topic-1" }]);
    await ink.clear();
    expect(ids(ink)).to.deep.equal([]);
    await ink.undo();
    expect(ids(ink)).to.deep.equal(["former"]);
    const [erased, drawn] = commits.flat();
    expect([erased?.entityId, erased?.type]).to.deep.equal(["drawing-3", "strokes_erased"]);
    expect(drawn?.data).to.include({ topicId: "topic-1" });
  });

  it("shows a stroke at once and adds it to a drawing with space", async () => {
    const { open, elsewhere, commits } = account();
    elsewhere("drawing-1", [stroke("one")]);
    const ink = open();
    let told = 0;
    ink.events.on("change", () => (told += 1));
    const kept = ink.draw(bare);
    expect([ink.strokes.length, told, commits.length]).to.deep.equal([2, 1, 0]);
    await kept;
    expect(commits.flat().map(({ entityId, type }) => [entityId, type])).to.deep.equal([["drawing-1", "drawn"]]);
  });

  it("shows pending steps while earlier ones are stored", async () => {
    const { open, elsewhere, take } = account();
    elsewhere("drawing-1", [stroke("one")]);
    const ink = open();
    const seen: number[] = [];
    ink.events.on("change", () => seen.push(ink.strokes.length));
    const work = [ink.draw(bare), ink.draw(bare), ink.erase(ink.strokes.slice(0, 1))];
    take({
      domain: "annotation",
      entityId: "drawing-2",
      type: "drawn",
      data: { courseId: "course-1", topicId: "topic-1", strokes: [stroke("theirs")] },
    });
    await Promise.all(work);
    expect(seen).to.deep.equal([2, 3, 2, 3, 3, 3, 3]);
    expect(ink.strokes).to.have.length(3);
  });

  it("never undoes strokes of another device", async () => {
    const { open, elsewhere } = account();
    const ink = open();
    await ink.draw(bare);
    elsewhere("drawing-there", [stroke("theirs")]);
    await ink.undo();
    expect([ids(ink), ink.canUndo, ink.canRedo]).to.deep.equal([["theirs"], false, true]);
    await ink.undo();
    expect(ids(ink)).to.deep.equal(["theirs"]);
    await ink.redo();
    expect(ink.strokes).to.have.length(2);
  });

  it("erases strokes in their own drawings, each only once", async () => {
    const { open, elsewhere, commits, take } = account();
    elsewhere("drawing-1", [stroke("one"), stroke("two")]);
    elsewhere("drawing-2", [stroke("three")]);
    const ink = open();
    const [one, two, three] = ink.strokes as [Stroke, Stroke, Stroke];
    take({ domain: "annotation", entityId: "drawing-1", type: "strokes_erased", data: { strokeIds: ["two"] } });
    await ink.erase([one, two, three]);
    expect(commits.flat().map(({ entityId, data }) => [entityId, data])).to.deep.equal([
      ["drawing-1", { strokeIds: ["one"] }],
      ["drawing-2", { strokeIds: ["three"] }],
    ]);
    await ink.undo();
    expect(new Set(ids(ink))).to.deep.equal(new Set(["one", "three"]));
    const before = commits.length;
    await ink.erase([two]);
    expect(commits.length).to.equal(before);
  });

  it("clears and restores strokes in changes within the bounds", async () => {
    const { open, elsewhere, commits, states } = account();
    const count = changesOfDrawing * bounds.annotation.strokesPerChange + 1;
    elsewhere(
      "drawing-1",
      Array.from({ length: count }, (_, index) => stroke(`stroke-${index}`)),
    );
    const ink = open();
    await ink.clear();
    expect(ink.strokes).to.deep.equal([]);
    await ink.undo();
    expect(ink.strokes).to.have.length(count);
    const all = commits.flat();
    expect(all.filter(({ type }) => type === "strokes_erased")).to.have.length(Math.ceil(count / bounds.annotation.strokesErased));
    for (const { type, data } of all) {
      const most = type === "drawn" ? bounds.annotation.strokesPerChange : bounds.annotation.strokesErased;
      expect(((data as { strokes?: unknown[] }).strokes ?? (data as { strokeIds: unknown[] }).strokeIds).length).to.be.at.most(most);
    }
    expect(states.size).to.equal(2);
  });

  it("starts another drawing before the limit of changes", async () => {
    const { open, states, commits } = account();
    const ink = open();
    for (let turn = 0; turn < bounds.annotation.changes; turn += 1) {
      await ink.draw(bare);
      await ink.clear();
    }
    const perDrawing = Map.groupBy(commits.flat(), ({ entityId }) => entityId);
    for (const changes of perDrawing.values()) expect(changes.length).to.be.at.most(bounds.annotation.changes);
    expect(states.size).to.be.greaterThan(1);
  });
});
