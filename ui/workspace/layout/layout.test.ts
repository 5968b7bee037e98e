import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import fc from "fast-check";
import { isCoursePage, pathOf } from "../../courses/paths.ts";
import { place } from "./boxes.ts";
import {
  activate,
  close,
  focus,
  focusedPane,
  type Layout,
  type LayoutNode,
  layoutOf,
  move,
  neighbour,
  open,
  openBeside,
  paneOf,
  panesOf,
  paneWith,
  resize,
  retarget,
  split,
  type Tab,
  tabFor,
  tabsInView,
  tabsOf,
  toggle,
} from "./layout.ts";
import { MovedPages } from "./moved-pages.ts";
import { fromStored, layoutVersion, toStored } from "./stored.ts";
import { conversationTarget, ledgerTarget, newConversation, sameTarget, type Target } from "./target.ts";

const talk = (id: string): Tab => ({ id, target: conversationTarget(id) });
const page = (id: string, href = `/courses/shell/${id}`): Tab => ({ id, target: { kind: "page", href, title: id } });
const spare: Tab = { id: "spare", target: newConversation };
/** The tabs of each pane, the shown one first marked by a star. */
const drawn = (layout: Layout) =>
  panesOf(layout.root).map(({ tabs, active }) => tabs.map(({ id }) => (id === active ? `${id}*` : id)).join(" "));

const one = layoutOf(talk("a"), "p1");
const two = openBeside(one, page("b"), "p1", "right", { pane: "p2", split: "s1" });

describe("a layout", () => {
  it("opens a tab after the shown one and shows it", () => {
    const three = open(open(one, talk("b")), talk("c"));
    expect(drawn(three)).to.deep.equal(["a b c*"]);
    expect(drawn(open(activate(three, "a"), talk("d")))).to.deep.equal(["a d* b c"]);
  });

  it("opens a tab beside in a new pane, which gets the focus", () => {
    expect(drawn(two)).to.deep.equal(["a*", "b*"]);
    expect(two.focused).to.equal("p2");
    expect(focusedPane(two).id).to.equal("p2");
  });

  it("opens a tab beside and leaves the other pane's shown tab", () => {
    const tabs = activate(open(one, talk("c")), "a");
    expect(drawn(openBeside(tabs, page("b"), "p1", "right", { pane: "p2", split: "s" }))).to.deep.equal(["a* c", "b*"]);
  });

  it("splits a tab off to a side", () => {
    const tabs = open(one, talk("b"));
    const ids = { pane: "p2", split: "s" };
    expect(drawn(split(tabs, "b", "p1", "right", ids))).to.deep.equal(["a*", "b*"]);
    expect(drawn(split(tabs, "b", "p1", "left", ids))).to.deep.equal(["b*", "a*"]);
    expect(split(tabs, "b", "p1", "down", ids).root).to.include({ direction: "column", share: 0.5 });
    expect(split(tabs, "b", "p1", "up", ids).root).to.include({ direction: "column" });
  });

  it("does not split a pane's only tab off its own pane", () => {
    expect(split(one, "a", "p1", "right", { pane: "p2", split: "s" })).to.equal(one);
  });

  it("removes a pane whose only tab moves away", () => {
    const joined = move(two, "b", "p1");
    expect(drawn(joined)).to.deep.equal(["a b*"]);
    expect(joined.focused).to.equal("p1");
    expect(joined.root.kind).to.equal("pane");
  });

  it("moves a tab within its pane", () => {
    const three = open(open(one, talk("b")), talk("c"));
    expect(drawn(move(three, "c", "p1", 0))).to.deep.equal(["c* a b"]);
    expect(drawn(move(three, "a", "p1", 1))).to.deep.equal(["b a* c"]);
  });

  it("splits another pane by a pane's only tab", () => {
    const below = split(two, "b", "p1", "down", { pane: "p3", split: "s2" });
    expect(drawn(below)).to.deep.equal(["a*", "b*"]);
    expect(below.root).to.include({ kind: "split", direction: "column" });
  });

  it("shows the next or the last tab after closing", () => {
    const three = activate(open(open(one, talk("b")), talk("c")), "b");
    expect(drawn(close(three, "b", spare))).to.deep.equal(["a c*"]);
    expect(drawn(close(activate(three, "c"), "c", spare))).to.deep.equal(["a b*"]);
    expect(drawn(close(three, "a", spare))).to.deep.equal(["b* c"]);
  });

  it("replaces the very last tab when it is closed", () => {
    expect(drawn(close(one, "a", spare))).to.deep.equal(["spare*"]);
  });

  it("resizes within limits, and folds the first pane without focus", () => {
    expect(resize(two, "s1", 0.7).root).to.include({ share: 0.7 });
    expect(resize(two, "s1", 0.01).root).to.include({ share: bounds.workspace.leastShare });
    expect(resize(two, "s1", 7).root).to.include({ share: 1 - bounds.workspace.leastShare });
    expect(resize(two, "s1", Number.NaN).root).to.include({ share: 0.5 });
    const folded = toggle(focus(two, "p1"), "s1");
    expect(folded.root).to.include({ collapsed: true });
    expect(folded.focused).to.equal("p2");
    expect(place(folded.root)[0]).to.deep.include({ box: null });
    expect(toggle(folded, "s1").root).to.include({ collapsed: false, share: 0.5 });
    expect(resize(folded, "s1", 0.4).root).to.include({ collapsed: false });
  });

  it("unfolds a pane when one of its tabs is shown", () => {
    expect(activate(toggle(two, "s1"), "a").root).to.include({ collapsed: false });
  });

  it("shows a pane that is split off beside a folded one", () => {
    const apart = split(toggle(open(two, talk("c"), "p2"), "s1"), "c", "p1", "left", { pane: "p3", split: "s2" });
    expect(apart.focused).to.equal("p3");
    expect(apart.root).to.include({ collapsed: false });
  });

  it("changes only a tab's target", () => {
    const claimed = retarget(layoutOf({ id: "a", target: newConversation }, "p1"), "a", conversationTarget("one"));
    expect(tabsOf(claimed)).to.deep.equal([{ id: "a", target: conversationTarget("one") }]);
  });

  it("lists shown tabs first, and each once", () => {
    const behind = open(two, talk("c"), "p1");
    expect(tabsOf(behind).map(({ id }) => id)).to.deep.equal(["a", "c", "b"]);
    expect(tabsInView(behind).map(({ id }) => id)).to.deep.equal(["c", "b", "a"]);
  });

  it("cycles through panes both ways", () => {
    expect(neighbour(two, "p1", 1).id).to.equal("p2");
    expect(neighbour(two, "p2", 1).id).to.equal("p1");
    expect(neighbour(two, "p1", -1).id).to.equal("p2");
  });

  it("finds the tab of a page by an address that the page had before", () => {
    const page = (href: string): Target => ({ kind: "page", href, title: "" });
    const moved = new MovedPages();
    moved.learn(page("/courses/shell/old?mark=x#y"), page("/courses/shell/new?mark=x#y"));
    moved.learn(page("/courses/shell/new"), page("/courses/shell/newest"));
    expect(moved.present(page("/courses/shell/old?mark=z#y"))).to.deep.equal(page("/courses/shell/newest?mark=z#y"));
    moved.learn(page("/courses/shell/newest"), page("/courses/shell/old"));
    expect(moved.present(page("/courses/shell/old#y"))).to.deep.equal(page("/courses/shell/old#y"));
    expect(moved.present(newConversation)).to.equal(newConversation);
  });

  it("finds a page by its path, at any place of it", () => {
    expect(tabFor(two, { kind: "page", href: "/courses/shell/b?mark=x#y", title: "" })?.id).to.equal("b");
    expect(sameTarget(newConversation, conversationTarget("a"))).to.equal(false);
    expect(sameTarget(ledgerTarget("a", 1), ledgerTarget("a", 2, "Pipes"))).to.equal(true);
    expect(sameTarget(ledgerTarget("a"), conversationTarget("a"))).to.equal(false);
    expect(pathOf("/courses/a/b/?x#y")).to.equal("/courses/a/b");
    expect(["/courses/a", "/courses", "/courses/", "/coursesx/a", "//courses/a"].map(isCoursePage)).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("limits tabs and panes", () => {
    let full = one;
    for (let count = 1; count < bounds.workspace.tabs; count += 1) full = open(full, talk(`t${count}`));
    expect(open(full, talk("more"))).to.equal(full);
    expect(openBeside(full, talk("more"), "p1", "right", { pane: "x", split: "y" })).to.equal(full);
    let wide = open(one, talk("rest"));
    for (let count = 1; count < bounds.workspace.panes; count += 1)
      wide = openBeside(wide, talk(`t${count}`), "p1", "right", { pane: `q${count}`, split: `s${count}` });
    expect(panesOf(wide.root)).to.have.length(bounds.workspace.panes);
    const more = openBeside(wide, talk("more"), "p1", "right", { pane: "x", split: "y" });
    expect(panesOf(more.root)).to.have.length(bounds.workspace.panes);
    expect(paneWith(more, "more")?.id).to.equal("p1");
  });
});

describe("any sequence of operations on a layout", () => {
  type Step = { kind: string; tab: number; pane: number; number: number; side: "left" | "right" | "up" | "down" };
  const step = fc.record<Step>({
    kind: fc.constantFrom("open", "beside", "close", "move", "split", "resize", "toggle", "focus", "activate"),
    tab: fc.nat(50),
    pane: fc.nat(10),
    number: fc.double({ min: -1, max: 2 }),
    side: fc.constantFrom("left", "right", "up", "down"),
  });
  const splitsOf = (node: LayoutNode): string[] =>
    node.kind === "pane" ? [] : [node.id, ...splitsOf(node.first), ...splitsOf(node.second)];

  function after(layout: Layout, { kind, tab, pane, number, side }: Step, serial: number): Layout {
    const tabs = tabsOf(layout);
    const tabId = tabs[tab % tabs.length]?.id ?? "";
    const panes = panesOf(layout.root);
    const paneId = panes[pane % panes.length]?.id ?? "";
    const splits = splitsOf(layout.root);
    const splitId = splits[pane % Math.max(1, splits.length)] ?? "none";
    const ids = { pane: `p-${serial}`, split: `s-${serial}` };
    if (kind === "open") return open(layout, tab % 3 ? talk(`t-${serial}`) : page(`t-${serial}`), paneId);
    if (kind === "beside") return openBeside(layout, page(`t-${serial}`), paneId, side, ids);
    if (kind === "close") return close(layout, tabId, talk(`t-${serial}`));
    if (kind === "move") return move(layout, tabId, paneId, number < 0 ? undefined : Math.round(number * 3));
    if (kind === "split") return split(layout, tabId, paneId, side, ids);
    if (kind === "resize") return resize(layout, splitId, number);
    if (kind === "toggle") return toggle(layout, splitId);
    return kind === "focus" ? focus(layout, paneId) : activate(layout, tabId);
  }

  function expectWhole(layout: Layout): void {
    const panes = panesOf(layout.root);
    for (const { tabs, active } of panes) {
      expect(tabs.length).to.be.greaterThan(0);
      expect(tabs.some(({ id }) => id === active)).to.equal(true);
    }
    expect(paneOf(layout, layout.focused)).not.to.equal(null);
    const ids = [...panes.map(({ id }) => id), ...splitsOf(layout.root), ...tabsOf(layout).map(({ id }) => id)];
    expect(new Set(ids).size).to.equal(ids.length);
    expect(panes.length).to.be.at.most(bounds.workspace.panes);
  }

  it("loses tabs only by closing, keeps panes non-empty and focus visible", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let layout = one;
        for (const [serial, each] of steps.entries()) {
          const before = tabsOf(layout).map(({ id }) => id);
          layout = after(layout, each, serial);
          const now = new Set(tabsOf(layout).map(({ id }) => id));
          expect(before.filter((id) => !now.has(id))).to.have.length(each.kind === "close" ? 1 : 0);
          expectWhole(layout);
          const shown = place(layout.root).filter(({ kind, box }) => kind === "pane" && box);
          expect(shown.some((entry) => entry.kind === "pane" && entry.pane.id === layout.focused)).to.equal(true);
          const room = shown.reduce((sum, { box }) => sum + (box ? box.width * box.height : 0), 0);
          expect(room).to.be.closeTo(1, 1e-9);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("survives storing", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const layout = steps.reduce((known, each, serial) => after(known, each, serial), one);
        expect(fromStored(structuredClone(toStored(layout)))).to.deep.equal(layout);
      }),
    );
  });

  it("is set aside or valid after damage", () => {
    const stored = JSON.stringify(toStored(openBeside(two, talk("c"), "p2", "down", { pane: "p3", split: "s2" })));
    fc.assert(
      fc.property(fc.nat(stored.length - 1), fc.nat(30), fc.string({ maxLength: 5 }), (at, count, text) => {
        let damaged: unknown;
        try {
          damaged = JSON.parse(stored.slice(0, at) + text + stored.slice(at + count));
        } catch {
          return;
        }
        const layout = fromStored(damaged);
        if (layout) expectWhole(layout);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a stored layout", () => {
  it("is null for a lone new conversation; others keep its place", () => {
    expect(toStored(layoutOf(spare, "p1"))).to.equal(null);
    const beside = openBeside(one, spare, "p1", "right", { pane: "p2", split: "s" });
    expect(toStored(beside)?.layout).to.deep.equal(beside);
    expect(toStored(open(one, spare))?.layout).to.deep.equal(open(one, spare));
  });

  it("is rejected by version, duplicate ids, addresses, sizes and kinds", () => {
    const stored = (tabs: unknown[], version: number = layoutVersion) => ({
      version,
      layout: { focused: "p1", root: { kind: "pane", id: "p1", active: "a", tabs } },
    });
    expect(fromStored(stored([talk("a")]))).to.deep.equal(one);
    const ledger: Tab = { id: "l", target: ledgerTarget("session-1", 4, "Pipes") };
    expect(tabsOf(fromStored(stored([talk("a"), ledger])) ?? one)).to.deep.equal([talk("a"), ledger]);
    expect(fromStored(stored([talk("a"), { ...ledger, target: { ...ledger.target, event: -1 } as Tab["target"] }]))).to.equal(null);
    const explainer: Tab = { id: "f", target: { kind: "explainer", of: "linear-maps.topic-0001", title: "Arrows", film: "job-film-0001" } };
    expect(tabsOf(fromStored(stored([talk("a"), explainer])) ?? one)).to.deep.equal([talk("a"), explainer]);
    for (const named of ["linear-maps", "linear-maps.", "../x.topic-0001", 'linear-maps.topic-0001"'])
      expect(
        fromStored(stored([talk("a"), { ...explainer, target: { ...explainer.target, of: named } as Tab["target"] }])),
        named,
      ).to.equal(null);
    for (const broken of [
      stored([talk("a")], 2),
      stored([talk("a"), talk("a")]),
      stored([]),
      stored([talk("b")]),
      stored([talk("a"), page("b", "https://elsewhere.test/courses/x")]),
      stored([talk("a"), page("b", "//elsewhere.test/courses/x")]),
      stored([talk("a"), { id: "c", target: { kind: "film" } }]),
      null,
      "text",
      { version: layoutVersion },
    ])
      expect(fromStored(broken), JSON.stringify(broken)).to.equal(null);
  });

  it("has a focused pane even if the former one is gone", () => {
    const stored = toStored(two);
    expect(fromStored({ ...stored, layout: { ...stored?.layout, focused: "gone" } })?.focused).to.equal("p1");
  });
});
