import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { expect } from "chai";
import { html } from "lit";
import { drawFigure } from "../rendering/diagram.ts";
import { loadHighlighter, loadMath } from "../rendering/engines.ts";
import { hostile, hostileTexts } from "../rendering/hostile-texts.fixture.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { upgrade } from "../rendering/upgrade.ts";
import { loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import "../workspace/history.ts";
import { AnswerWriter } from "../answers/answer-writer.ts";
import "./transcript.ts";
import type { AnswerView } from "../answers/answer-view.ts";
import type { Exchange } from "./exchanges.ts";

// The test server does not bundle, so the library's own bundle stands in for the split one of the build.
const bundle = "/node_modules/mermaid/dist/mermaid.esm.min.mjs";
const load = async () => (await import(bundle)).default;

declare global {
  interface Window {
    __xss?: (...given: unknown[]) => void;
  }
}

/** What ran or was fetched, and what could have been. */
const seen: string[] = [];
const live = /^(?:script|iframe|frame|object|embed|form|base|meta|link|template|foreignobject|animate|set|use|image|feimage)$/i;
const address = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#|\?)/i;

function dangers(root: ParentNode): string[] {
  return [...root.querySelectorAll("*")].flatMap((element) => [
    ...(live.test(element.localName) ? [element.outerHTML] : []),
    ...[...element.attributes].flatMap(({ name, value }) =>
      name.startsWith("on") || (/^(?:xlink:)?href$|^src$|^action$|^formaction$/.test(name) && !address.test(value))
        ? [`${element.localName} ${name}=${value}`]
        : [],
    ),
    ...(element instanceof HTMLImageElement && !element.src.startsWith(location.origin) ? [element.outerHTML] : []),
  ]);
}

/** What a reader's pointer and keyboard may set off. */
function touch(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>("*")) {
    for (const type of ["pointerenter", "mouseover", "focus", "animationstart", "toggle"]) element.dispatchEvent(new Event(type));
    // A click on what stands in a link follows it too; a tab that opened would keep the next test file from being drawn.
    const link = element.closest<HTMLAnchorElement | SVGAElement>("a");
    const leadsTo = link instanceof SVGAElement ? link.href.baseVal : link?.href;
    if (!leadsTo || !/^(?:https?|mailto):/.test(new URL(leadsTo, location.href).protocol))
      element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}

const citation = (text: string): Citation => ({
  number: 1,
  sourceId: "source-0001",
  href: `/courses/c/t#${text}`,
  title: text,
  trail: [text],
  revisionId: "revision-1",
  quote: text,
});

function exchange(text: string, index: number): Exchange {
  const answer: AnswerView = {
    turnId: `turn-${index}`,
    state: "finished",
    text: `${text}\n\nso[^1]`,
    citations: [citation(text), { ...citation(text), number: 2, href: "javascript:__xss(2)" }],
    artifact: null,
    provider: "p1",
    model: text,
    fallbackDepth: 1,
    trace: { phases: [], sources: 1, elapsedMs: 1, startedAt: null, followUps: [text], finishReason: "stop" },
    problem: null,
  };
  const artifact = {
    type: "quiz" as const,
    quizId: "quiz-0001",
    title: text,
    questions: [
      {
        questionId: "question-1",
        kind: "single" as const,
        prompt: text,
        choices: [
          { choiceId: "choice-1", text },
          { choiceId: "choice-2", text: `b ${text}` },
        ],
        correct: ["choice-1"],
        explanation: text,
        sourceIds: ["source-0001"],
      },
    ],
    sources: [citation(text)],
  };
  return {
    key: `turn-${index}`,
    question: text,
    references: [{ href: "javascript:__xss(3)", title: text }],
    answers: [answer, { ...answer, turnId: `quiz-${index}`, text: "", artifact }],
  };
}

describe("hostile texts in a browser", function () {
  this.timeout(180_000);
  const dialogs = { alert: window.alert, confirm: window.confirm, prompt: window.prompt, open: window.open };
  const requests = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) if (new URL(name).origin !== location.origin) seen.push(`fetched ${name}`);
  });
  before(async () => {
    await Promise.all([loadTheme(), loadMath(), loadHighlighter()]);
    window.__xss = (...given) => seen.push(`ran ${given.join()}`);
    for (const name of ["alert", "confirm", "prompt", "open"] as const) Object.assign(window, { [name]: () => seen.push(name) });
    requests.observe({ entryTypes: ["resource"] });
  });
  beforeEach(() => seen.splice(0));
  afterEach(unmountAll);
  after(() => {
    requests.disconnect();
    Object.assign(window, dialogs);
    delete window.__xss;
  });

  it("include one that does run, to prove the canary", async () => {
    expect(hostileTexts.length).to.be.greaterThan(500);
    const stage = await mount<HTMLElement>(html`<div></div>`);
    stage.innerHTML = '<img src="/nothing-here" onerror="__xss(1)"><a href="javascript:__xss(2)">x</a>';
    await until(() => seen.length > 0, "the canary");
    expect(dangers(stage)).to.have.length(2);
  });

  for (const [kind, texts] of Object.entries(hostile))
    it(`do nothing in answers that grow and end: ${kind}`, async () => {
      const stage = await mount<HTMLElement>(html`<div></div>`);
      for (const text of texts) {
        const holder = document.createElement("div");
        stage.append(holder);
        const writer = new AnswerWriter(holder);
        const half = Math.ceil(text.length / 2);
        for (const at of [half, half + 7, text.length]) writer.write({ text: text.slice(0, at), citations: null });
        writer.write({ text, citations: [citation(text), { ...citation(text), number: 2, href: "javascript:__xss(2)" }] });
        await upgrade(holder);
        writer.end();
        expect(dangers(holder), text).to.deep.equal([]);
        touch(holder);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(seen).to.deep.equal([]);
    });

  it("do nothing in diagrams, drawn or refused", async () => {
    const stage = await mount<HTMLElement>(html`<div></div>`);
    for (const text of hostile.mermaid) {
      const writer = new AnswerWriter(stage.appendChild(document.createElement("div")));
      writer.write({ text, citations: [] });
      writer.end();
    }
    for (const figure of stage.querySelectorAll<HTMLElement>("figure.diagram")) await drawFigure(figure, { load });
    expect(stage.querySelectorAll("figure svg").length).to.be.greaterThan(10);
    expect(dangers(stage)).to.deep.equal([]);
    expect([...stage.querySelectorAll("style")].filter((style) => /evil|@import/.test(style.textContent ?? ""))).to.deep.equal([]);
    touch(stage);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen).to.deep.equal([]);
  });

  it("do nothing past the second line of defence", async () => {
    const stage = await mount<HTMLElement>(html`<div></div>`);
    for (const text of hostileTexts) {
      const holder = stage.appendChild(document.createElement("div"));
      holder.append(sanitizedFragment(text));
      expect(dangers(holder), text).to.deep.equal([]);
      touch(holder);
      holder.remove();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen).to.deep.equal([]);
  });

  it("do nothing in questions, source names, quotes, quizzes and titles", async () => {
    const texts = [...hostile.titles, ...hostile.quiz, ...hostile.citations];
    const attempt = { quizId: "quiz-0001", answers: { "question-1": ["choice-2"] }, score: 0, at: new Date().toISOString() };
    const quizzes = new Map([["quiz-0001", { attempts: [attempt], draft: null }]]);
    const transcript = await mount(html`<colloquy-transcript .exchanges=${texts.map(exchange)} .quizzes=${quizzes}></colloquy-transcript>`);
    await until(() => transcript.querySelectorAll("colloquy-quiz .outcome colloquy-quiz-text *").length >= texts.length, "the quizzes");
    const chip = transcript.querySelector<HTMLElement>("a.cite");
    chip?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true }));
    const summaries = texts.map((title, index) => ({
      conversationId: `conversation-${index}`,
      title,
      mode: "ask" as const,
      state: "active" as const,
      pinned: false,
      updatedAt: new Date().toISOString(),
      turns: 1,
    }));
    const history = await mount(html`<colloquy-history .conversations=${summaries}></colloquy-history>`);
    for (const root of [transcript, history, history.shadowRoot ?? history]) {
      expect(dangers(root)).to.deep.equal([]);
      touch(root);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen).to.deep.equal([]);
  });
});
