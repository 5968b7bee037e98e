import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { showNote } from "../courses/note.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { courseDigest } from "./publishing/course-digest.ts";
import { ownPublication } from "./source.ts";
import "./return-offer.ts";
import type { ReturnOffer } from "./return-offer.ts";
import { threePages } from "./testing/three-pages.ts";

const course = threePages();
const draft: CourseDraft = {
  draftVersion: 1,
  courseId: "small-course",
  accountId: "account-1",
  base: { sequence: 1, revisionId: "revision-1" },
  course,
  renamedIds: [],
  savedAt: new Date().toISOString(),
  version: 1,
  requestId: null,
  receipt: null,
};
const offer = (more: Partial<ReturnOffer>) =>
  mount<ReturnOffer>(
    html`<colloquy-return-offer .draft=${draft} .live=${more.live ?? 2} .own=${more.own ?? null} .difference=${more.difference ?? null} .baseLost=${more.baseLost ?? false}></colloquy-return-offer>`,
  );

describe("the offer of a stored draft", () => {
  const { fetch } = window;
  before(loadTheme);
  afterEach(() => {
    window.fetch = fetch;
    unmountAll();
  });

  it("names the base and announces a choice only if others published", async () => {
    for (const [own, live, words] of [
      [false, 1, "It is based on revision 1, which is the published one."],
      [false, 2, "It is based on revision 1. Revision 2 is published now: before you publish, you choose what to keep."],
      [null, 2, "It is based on revision 1. Revision 2 is published now."],
      [true, 2, "It is based on revision 1. Revision 2, which is published now, is what you published from this draft."],
    ] as const) {
      const element = await offer({ own, live });
      expect([...element.querySelectorAll("p")].map(({ textContent }) => textContent)).to.include(words);
      await expectAccessible(element);
      unmountAll();
    }
  });

  it("reports a lost base without listing changes", async () => {
    const element = await offer({ own: false, live: 2, baseLost: true, difference: [{ title: "Pipes", what: "new" }] });
    expect(element.textContent)
      .to.include("revision 1, which is no longer stored. Before you publish, you choose part by part.")
      .and.not.include("It changes");
    await expectAccessible(element);
  });

  it("explains a copy: its tab, its reason and its base", async () => {
    const element = await mount<ReturnOffer>(
      html`<colloquy-return-offer .draft=${null} .live=${2} .copies=${[{ key: "small-course copy 1", draft }]}></colloquy-return-offer>`,
    );
    expect(element.textContent)
      .to.include("A copy from another tab, just now. It was saved separately because two tabs wrote at the same time.")
      .and.include("It is based on revision 1. Revision 2 is published now: before you publish, you choose what to keep.")
      .and.not.include("You have a draft");
    await expectAccessible(element);
  });

  it("does not cover a note in narrow and wide windows", async () => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/ui/courses/topic.css" });
    const loaded = new Promise((resolve) => sheet.addEventListener("load", resolve, { once: true }));
    document.head.append(sheet);
    await loaded;
    const element = await offer({ own: false, live: 2 });
    const removeNote = showNote(document.body, "This page was removed from its course. You still see its last text.");
    const note = await until(() => document.querySelector(".cited-note button")?.closest(".cited-note"), "the note");
    const isOver = (one: Element) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    };
    try {
      for (const [width, height] of [
        [390, 844],
        [1440, 900],
      ] as const) {
        await setViewport({ width, height });
        await until(() => note.getBoundingClientRect().bottom <= element.getBoundingClientRect().top, `${width}: one above the other`);
        await until(
          () => [...element.querySelectorAll("button"), ...note.querySelectorAll("button")].every(isOver),
          `${width}: all pressed`,
        );
      }
      unmountAll();
      await until(() => note.getBoundingClientRect().bottom > innerHeight - 40, "the note at the foot");
    } finally {
      removeNote();
      sheet.remove();
      await setViewport({ width: 800, height: 600 });
    }
  });

  it("reports that everything in it is published", async () => {
    const element = await offer({ own: true, difference: [] });
    expect(element.textContent).to.include("Everything in it is published.").and.not.include("It changes");
  });

  it("recognises its own publication and sends no request without one", async () => {
    let asked = 0;
    window.fetch = async () => {
      asked += 1;
      return Response.json({ schemaVersion: 1, course, sequence: 2, revisionId: "revision-2" });
    };
    expect(await ownPublication(draft)).to.equal(null);
    expect(asked).to.equal(0);
    expect(await ownPublication({ ...draft, sent: ["another"] })).to.equal(null);
    const own = await ownPublication({ ...draft, sent: ["another", await courseDigest(course)] });
    expect(own?.base).to.deep.equal({ sequence: 2, revisionId: "revision-2" });
  });
});
