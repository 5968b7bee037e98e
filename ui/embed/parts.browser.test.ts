import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { setPageLanguage } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { sampleQuiz } from "../quiz/quiz.fixture.ts";
import { expectAccessible, until } from "../workspace/testing/browser.ts";
import {
  beginStage,
  buttonOf,
  endStage,
  parts,
  type StageElement,
  service,
  show,
  signedIn,
  stateOf,
  textOf,
  windows,
} from "./testing/stage.ts";

const names = Object.keys(parts) as (keyof typeof parts)[];
const never = () => new Promise<undefined>(() => undefined);
const away = () => {
  throw new TypeError("Failed to fetch");
};
const course = {
  courseId: "shell",
  revisionId: "r1",
  sequence: 1,
  origin: "imported",
  title: "The shell",
  summary: "Talk to the machine.",
  language: "en",
  license: "CC BY 4.0",
  contents: [{ kind: "topic", id: "pipes", title: "Pipes", href: "/courses/shell/pipes", children: [] }],
  topics: [
    {
      id: "pipes",
      title: "Pipes",
      summary: "Join programs.",
      href: "/courses/shell/pipes",
      blocks: [{ id: "b1", type: "core.theory", source: "A **pipe** joins two programs." }],
    },
  ],
  assets: [],
};
const withCourse = ({ path }: { path: string }) => (path === "/api/courses/shell" ? { schemaVersion: 1, course } : undefined);

/** A quiz with one question, and the frames in which the service sends it. */
const quiz: Quiz = { ...sampleQuiz, questions: sampleQuiz.questions.slice(0, 1) };
const frames = () => {
  const who = { provider: "p1", model: "one", fallbackDepth: 0, finishReason: "stop", elapsedMs: 3 };
  const lines = [
    { kind: "artifact", seq: 1, artifact: quiz },
    { kind: "complete", seq: 2, citations: [], followUps: [], ...who },
  ];
  return new Response(lines.map((line) => `${JSON.stringify({ schemaVersion: 1, ...line })}\n`).join(""), {
    headers: { "content-type": "application/x-ndjson" },
  });
};

describe("an element in a page of another site", function () {
  this.timeout(120_000);
  beforeEach(() => {
    document.documentElement.lang = "en";
    beginStage();
  });
  afterEach(async () => {
    endStage();
    document.documentElement.removeAttribute("dir");
    await setPageLanguage("en", "all");
  });

  async function says(element: StageElement, words: string): Promise<void> {
    await until(() => textOf(element).includes(words), `${words} (${textOf(element)})`).catch(() => {
      throw new Error(`${words} is not said: ${textOf(element)}`);
    });
  }
  /** Axe, in light and in dark: colours are checked as they are drawn. */
  async function passes(element: StageElement): Promise<void> {
    for (const theme of ["light", "dark"]) {
      element.setAttribute("theme", theme);
      document.body.style.background = theme === "dark" ? "#111" : "#fff";
      await element.part_shown.updateComplete;
      await expectAccessible(element);
    }
    const [light, dark] = ["light", "dark"].map((theme) => {
      element.part_shown.dataset.theme = theme;
      return getComputedStyle(element.part_shown).backgroundColor;
    });
    expect(light).not.to.equal(dark);
  }

  for (const name of names)
    describe(name, () => {
      it("passes axe while loading, refused and unreachable", async () => {
        const opening = await show(name, service(never).origin);
        await says(opening, "Opening…");
        await passes(opening);
        const refused = await show(
          name,
          service(({ path }) => (path === "/api/embed" ? { allowed: false, offers: [] } : undefined)).origin,
        );
        await says(refused, "Not available on this page");
        expect(stateOf(refused)).to.equal("refused");
        await passes(refused);
        let there = false;
        const offline = await show(name, service(() => (there ? undefined : away())).origin);
        await says(offline, "The service does not respond");
        await passes(offline);
        there = true;
        buttonOf(offline, "Try again").click();
        await until(() => stateOf(offline) === "signed-out", "asked again");
      });
    });

  for (const [name, words] of [
    ["ask", "Sign in to ask"],
    ["tutor", "Sign in to use the tutor"],
    ["quiz", "Sign in to take a quiz"],
  ] as const)
    it(`invites to sign in (${name}), by the keyboard alone, and says so when the window was closed to it`, async () => {
      const { origin } = service();
      const element = await show(name, origin);
      await says(element, words);
      await passes(element);
      buttonOf(element, "Sign in").focus();
      await sendKeys({ press: "Enter" });
      await says(element, "Continue in the window that opened.");
      expect(windows.at(-1)?.address.pathname).to.equal("/embed/sign-in");
      await passes(element);
      window.open = () => null;
      buttonOf(element, "Open the window again").click();
      await says(element, "Your browser did not open the window.");
      await passes(element);
      expect(element.part_shown.querySelector("[role=alert] a")?.getAttribute("href")).to.contain(`${origin}/embed/sign-in`);
    });

  it("asks by keyboard once signed in: empty, running and failed", async () => {
    let failing = true;
    const { origin, asked } = service(({ path }) => {
      if (path !== "/api/ai/ask") return undefined;
      return failing ? away() : never();
    });
    const element = await show("ask", origin);
    await until(() => stateOf(element) === "signed-out", "asked whether it may");
    element.part_shown.signIn();
    signedIn(origin);
    await says(element, "What would you like to know?");
    await passes(element);
    const field = await until(
      () =>
        element.part_shown
          .querySelector("colloquy-composer")
          ?.shadowRoot?.querySelector<HTMLElement>("[role=textbox], textarea, [contenteditable]"),
      "the field",
    );
    field.focus();
    await sendKeys({ type: "What is a pipe?" });
    await sendKeys({ press: "Enter" });
    await until(() => asked.some(({ path }) => path === "/api/ai/ask"), "the question was sent");
    expect(asked.find(({ path }) => path === "/api/ai/ask")?.authorization).to.equal("Bearer token-one");
    await until(() => element.part_shown.querySelector(".problem"), "the error");
    await passes(element);
    // It was tried more than once.
    const tries = asked.length;
    failing = false;
    field.focus();
    await sendKeys({ type: "And a loop?" });
    await sendKeys({ press: "Enter" });
    await until(() => asked.slice(tries).some(({ path }) => path === "/api/ai/ask"), "the next question was sent");
    await until(() => element.part_shown.querySelector("colloquy-transcript")?.hasAttribute("busy"), "at work");
    await passes(element);
  });

  it("makes a quiz, and resends an attempt that could not be recorded", async () => {
    let refused = true;
    const { origin, asked } = service(({ path, body }) => {
      if (path === "/api/ai/ask") return frames();
      if (path !== "/api/embed/record") return undefined;
      const { changeId } = (body as { changes: { changeId: string }[] }).changes[0] ?? expect.fail("no change");
      const result = refused ? { changeId, outcome: "refused", code: "conflict" } : { changeId, outcome: "accepted" };
      return { schemaVersion: 1, results: [result], position: "1" };
    });
    const element = await show("quiz", origin);
    await until(() => stateOf(element) === "signed-out", "asked whether it may");
    element.part_shown.signIn();
    signedIn(origin);
    await says(element, "Test yourself");
    buttonOf(element, "Make a quiz").focus();
    await sendKeys({ press: "Enter" });
    const choice = await until(() => element.part_shown.querySelector<HTMLInputElement>("fieldset input"), "the quiz");
    await passes(element);
    choice.focus();
    await sendKeys({ press: "Space" });
    await until(() => choice.checked, "chosen");
    await sendKeys({ press: "Enter" });
    await says(element, "Your answers could not be saved to your history.");
    await passes(element);
    refused = false;
    buttonOf(element, "Try again").focus();
    await sendKeys({ press: "Enter" });
    await until(() => !element.part_shown.querySelector(".colloquy-unkept"), "the line is gone");
    const sent = asked.filter(({ path }) => path === "/api/embed/record").map(({ body }) => JSON.stringify(body));
    expect(sent).to.have.length(2);
    expect(sent[1]).to.equal(sent[0]);
  });

  it("shows a course without sign-in, by keyboard, or that it is missing", async () => {
    const { origin } = service(withCourse);
    const element = await show("course", origin, { course: "shell" });
    await says(element, "Talk to the machine.");
    await passes(element);
    buttonOf(element, "Pipes").focus();
    await sendKeys({ press: "Enter" });
    await says(element, "A pipe joins two programs.");
    await until(
      () => document.activeElement === element && element.shadowRoot?.activeElement?.textContent === "Pipes",
      "the focus follows",
    );
    await passes(element);
    element.setAttribute("course", "none");
    await says(element, "Course not found");
    await passes(element);
  });

  it("shows the page that its attribute names, and says what is wrong with an attribute", async () => {
    const { origin } = service(withCourse);
    const written: unknown[] = [];
    const { error } = console;
    console.error = (...words) => written.push(words.join(" "));
    try {
      const element = await show("course", origin, { page: "/courses/shell/pipes" });
      await says(element, "A pipe joins two programs.");
      expect(element.part_shown.querySelector(".colloquy-attributes")).to.equal(null);
      element.setAttribute("page", "/courses/shell");
      await says(element, "Talk to the machine.");
      element.setAttribute("page", "/courses/shell/nothing");
      element.setAttribute("theme", "blue");
      await says(element, "page: The service has no page “/courses/shell/nothing”.");
      await says(element, "theme: “blue” is neither light nor dark.");
      await passes(element);
      expect(written.filter((words) => String(words).includes("theme: “blue”"))).to.have.length(1);
      const without = await show("course", origin);
      await says(without, "course: Set the attribute course or page.");
      expect(without.shadowRoot?.textContent).not.to.contain("Course not found");
    } finally {
      console.error = error;
    }
  });

  it("makes no quiz of a page that the service does not have", async () => {
    const { origin } = service(() => undefined);
    const element = await show("quiz", origin, { page: "/courses/shell/nothing" });
    await says(element, "page: The service has no page “/courses/shell/nothing”.");
    element.part_shown.signIn();
    signedIn(origin);
    await says(element, "Test yourself");
    expect(buttonOf(element, "Make a quiz").disabled).to.equal(true);
    element.removeAttribute("page");
    await until(() => !buttonOf(element, "Make a quiz").disabled, "the button without a page");
  });

  it("shows the page that a former address leads to, and a collection", async () => {
    const [pipes] = course.contents;
    const basics = { kind: "collection", id: "basics", title: "Basics", href: "/courses/shell/basics", children: [pipes] };
    const deep = { ...course, contents: [basics, { ...pipes, id: "loops", title: "Loops", href: "/courses/shell/loops" }] };
    let isReachable = true;
    const { origin } = service(({ path }) => {
      if (path === "/api/courses/shell") return { schemaVersion: 1, course: deep };
      if (!path.startsWith("/api/courses/source") || !path.endsWith("old")) return undefined;
      if (!isReachable) return away();
      const source = { sourceId: "source-1", kind: "topic", href: "/courses/shell/pipes", title: "Pipes", trail: [], excerpt: "" };
      return { schemaVersion: 1, source: { ...source, courseId: "shell-course", revisionId: "revision-1" } };
    });
    const element = await show("course", origin, { page: "/courses/shell/old" });
    await says(element, "A pipe joins two programs.");
    expect(element.part_shown.querySelector(".colloquy-attributes")).to.equal(null);
    element.setAttribute("page", "/courses/shell/basics");
    await says(element, "BasicsPipes");
    expect(textOf(element)).to.not.contain("Loops");
    await passes(element);
    element.setAttribute("page", "/courses/shell");
    await says(element, "Loops");
    isReachable = false;
    element.setAttribute("page", "/courses/shell/very-old");
    await says(element, "The service does not respond");
    isReachable = true;
    buttonOf(element, "Try again").click();
    await says(element, "A pipe joins two programs.");
  });

  it("says that there are no videos, and links to the page", async () => {
    const { origin } = service();
    const element = await show("explainer", origin, { page: "/courses/shell/pipes" });
    await says(element, "No videos on this server");
    expect(element.part_shown.querySelector<HTMLAnchorElement>(".colloquy-note a")?.href).to.equal(`${origin}/courses/shell/pipes`);
    await passes(element);
  });

  it("shows its page's videos, or asks for a topic of the course", async () => {
    const films = ({ path }: { path: string }) => {
      if (path === "/api/embed") return { schemaVersion: 1, allowed: true, offers: ["explainer"] };
      if (path.startsWith("/api/visual-explainers/offer")) return { schemaVersion: 1, offered: true, left: 3, voices: false };
      if (path.startsWith("/api/visual-explainers/jobs")) return { schemaVersion: 1, jobs: [] };
      return withCourse({ path });
    };
    const { origin } = service(films);
    const element = await show("explainer", origin, { page: "/courses/shell" });
    await says(element, "Sign in to watch");
    buttonOf(element, "Sign in").click();
    signedIn(origin);
    await says(element, "Pipes");
    await passes(element);
    buttonOf(element, "Pipes").click();
    await says(element, msg("explainer.chooseFocus"));
    expect(element.part_shown.querySelectorAll("[data-emphasis]")).to.have.length(4);
    await passes(element);
  });

  describe("its language", () => {
    const german = "Auf dieser Seite nicht verfügbar";
    const refusing = () => service(({ path }) => (path === "/api/embed" ? { allowed: false, offers: [] } : undefined)).origin;
    const languageOf = ({ part_shown }: StageElement) => [part_shown.lang, part_shown.dir, getComputedStyle(part_shown).direction];

    it("is its own, else the nearest, else the browser's supported one", async () => {
      const { origin } = service();
      const element = document.createElement("stage-element") as StageElement;
      element.setAttribute("service", origin);
      const around = Object.assign(document.createElement("div"), { lang: "ar-EG" });
      around.append(element);
      document.body.append(around);
      expect(element.language).to.equal("ar");
      element.lang = "de-AT";
      expect(element.language).to.equal("de");
      element.lang = "tlh";
      expect(element.language).to.equal("ar");
      around.lang = "";
      expect(element.language).to.equal("en");
      document.documentElement.lang = "";
      const own = Object.getOwnPropertyDescriptor(navigator, "languages");
      Object.defineProperty(navigator, "languages", { value: ["fr", "de"], configurable: true });
      expect(element.language).to.equal("de");
      if (own) Object.defineProperty(navigator, "languages", own);
      else Reflect.deleteProperty(navigator, "languages");
    });

    it("applies from the first render and changes in place", async () => {
      const element = await show("ask", refusing(), { lang: "de" });
      const seen: string[] = [];
      const watch = new MutationObserver(() => seen.push(textOf(element)));
      watch.observe(element.part_shown, { subtree: true, childList: true, characterData: true });
      const { part_shown } = element;
      await until(() => textOf(element).includes("EMBED_ORIGINS"), "refused");
      expect(textOf(element)).not.to.match(/Not available|Opening/);
      expect(languageOf(element)).to.deep.equal(["de", "ltr", "ltr"]);
      element.lang = "ar";
      await until(() => part_shown.dir === "rtl", "Arabic");
      await part_shown.updateComplete;
      expect(part_shown.querySelector("h2")?.textContent).to.match(/[\u0600-\u06ff]/);
      expect(languageOf(element)).to.deep.equal(["ar", "rtl", "rtl"]);
      await passes(element);
      element.removeAttribute("lang");
      document.documentElement.dir = "rtl";
      await says(element, "Not available on this page");
      expect(languageOf(element), "whichever way the page runs").to.deep.equal(["en", "ltr", "ltr"]);
      document.documentElement.lang = "ar";
      await until(() => part_shown.lang === "ar", "the page's own");
      expect(element.part_shown).to.equal(part_shown);
      expect(seen.filter((text) => text.includes("Opening…"))).to.deep.equal([]);
      watch.disconnect();
    });

    it("is independent for each element", async () => {
      const origin = refusing();
      const [one, two] = [await show("ask", origin, { lang: "de" }), await show("quiz", origin, { lang: "ar" })];
      await until(() => one.part_shown.lang === "de" && two.part_shown.lang === "ar", "both");
      for (const { part_shown } of [one, two]) part_shown.requestUpdate();
      await Promise.all([one.part_shown.updateComplete, two.part_shown.updateComplete]);
      await says(one, german);
      expect(textOf(two))
        .to.match(/[\u0600-\u06ff]/)
        .and.not.to.contain(german);
    });
  });
});
