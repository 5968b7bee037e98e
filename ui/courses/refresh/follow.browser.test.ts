import { expect } from "chai";
import { until } from "../../workspace/testing/browser.ts";
import { showPinned } from "./follow.ts";
import { pinRevision } from "./pinned.ts";

describe("an open page", () => {
  const { fetch } = window;
  const address = location.href;
  let root: HTMLElement;
  let asked: string[];
  let courseId = "";

  /** A page of the service with one topic. */
  const page = (topic: string, sequence: number, text: string) =>
    new Response(
      `<html><head><title>T</title></head><body><main><article data-course="${courseId}" data-topic="${topic}" data-sequence="${sequence}"><p>${text}</p></article></main></body></html>`,
    );
  beforeEach(() => {
    courseId = `course-${crypto.randomUUID()}`;
    asked = [];
    const main = document.body.appendChild(document.createElement("main"));
    root = main.appendChild(document.createElement("article"));
    Object.assign(root.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    root.innerHTML = "<p>Old words.</p>";
  });
  afterEach(() => {
    window.fetch = fetch;
    document.querySelector("main")?.remove();
    document.querySelector(".cited-note")?.remove();
    history.replaceState(null, "", address);
  });
  /** Publishes revision 2 and has the page follow it. */
  const follow = async (answers: {
    here: () => Response;
    renames?: object[];
    deleted?: string[];
    contents?: object[];
    there?: () => Response;
    /** The sequence of the contents; that of the identity is 2. */
    contentsOf?: () => number;
  }): Promise<void> => {
    window.fetch = async (input) => {
      const path = String(input);
      asked.push(path);
      const { here, renames = [], deleted = [], contents = [], there, contentsOf = () => 2 } = answers;
      if (path.endsWith("/identity")) return Response.json({ renames, deleted, sequence: 2 });
      if (path.startsWith("/api/courses/")) return Response.json({ course: { contents, sequence: contentsOf() } });
      return path === location.pathname || !there ? here() : there();
    };
    pinRevision(courseId, { sequence: 2, revisionId: "revision-2" });
    await showPinned(root);
  };
  const note = () => document.querySelector(".cited-note span")?.textContent ?? "";

  it("shows its new text after its id was changed", async () => {
    await follow({ here: () => page("topic-first", 2, "New words."), renames: [{ from: "topic-one", to: "topic-first" }] });
    expect([root.textContent, root.dataset.topic, root.dataset.sequence, note()]).to.deep.equal(["New words.", "topic-first", "2", ""]);
  });

  it("moves to its new address when another page took the old one", async () => {
    const contents = [
      { kind: "collection", id: "part", href: "/p", children: [{ kind: "topic", id: "topic-one", href: "/courses/c/new", children: [] }] },
    ];
    const there = () => page("topic-one", 2, "New words.");
    await follow({ here: () => page("topic-other", 2, "Other words."), contents, there });
    expect([root.textContent, asked.at(-1), note()]).to.deep.equal(["New words.", "/courses/c/new", ""]);
  });

  it("asks again while the service answers from two revisions", async () => {
    let sequence = 1;
    await follow({
      here: () => (sequence === 1 ? new Response(null, { status: 404 }) : page("topic-first", 2, "New words.")),
      renames: [{ from: "topic-one", to: "topic-first" }],
      // The former contents, once: they know no topic of that id.
      contentsOf: () => sequence++,
    });
    expect([root.textContent, note()]).to.deep.equal(["New words.", ""]);
  });

  it("says that it was taken out only when it was", async () => {
    await follow({ here: () => new Response(null, { status: 404 }), deleted: ["topic-one"] });
    await until(() => note().includes("was removed from its course"), "the note");
    expect(root.textContent).to.equal("Old words.");
  });
});
