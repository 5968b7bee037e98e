import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { emulateMedia, sendKeys, setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import type { AnswerView } from "../answers/answer-view.ts";
import { sampleQuiz } from "../quiz/quiz.fixture.ts";
import { deep, expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { answerText, citations, followUps, pipesPage } from "../workspace/testing/fixtures.ts";
import { toAttachedReference } from "./attached.ts";
import type { TranscriptAction } from "./events.ts";
import { answer, exchange, frame, loadEngines, running, settle, show, written } from "./testing/transcripts.ts";
import type { Transcript } from "./transcript.ts";

/** What the theme says for fingers. */
const coarseRules = (): CSSMediaRule[] =>
  [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .flatMap((rule) => (rule instanceof CSSImportRule ? [...(rule.styleSheet?.cssRules ?? [])] : [rule]))
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter(({ media }) => media.mediaText === "(pointer: coarse)");
const problem = {
  schemaVersion: 1,
  status: 503,
  code: "ai_unavailable",
  title: "No model can answer right now.",
  requestId: "r",
  retryable: true,
} as const;

describe("a transcript", () => {
  before(async () => {
    await loadTheme();
    await loadEngines();
  });
  beforeEach(() => setViewport({ width: 1000, height: 800 }));
  afterEach(unmountAll);

  it("contains no live region, is busy, and is focusable", async () => {
    const transcript = await show([exchange("a", { answers: [running("a", "So far")] })], true);
    expect(transcript.querySelector("[aria-live]:not(button), [role=log], [role=status]")).to.equal(null);
    expect(transcript.getAttribute("aria-busy")).to.equal("true");
    transcript.focus();
    expect(document.activeElement).to.equal(transcript);
  });

  for (const [name, exchanges] of [
    ["finished", [exchange("a", { references: [toAttachedReference(pipesPage)] })]],
    ["being written", [exchange("a", { answers: [running("a", answerText.slice(0, 200))] })]],
    ["stopped", [exchange("a", { answers: [answer("a", { state: "stopped", citations: [] })] })]],
    ["failed", [exchange("a", { answers: [answer("a", { state: "failed", text: "", problem })] })]],
    ["broken off", [exchange("a", { answers: [answer("a", { state: "stopped", citations: [], problem })] })]],
    ["regenerated", [exchange("a", { answers: [answer("a"), answer("b")] })]],
  ] as const)
    it(`is accessible when an answer is ${name}`, async () => {
      const transcript = await show([...exchanges]);
      if (exchanges[0]?.answers.at(-1)?.text) await written(transcript);
      await expectAccessible(transcript);
    });

  it("shows the trace, which expands to the steps", async () => {
    const transcript = await show([exchange("a")]);
    const trace = deep(transcript, "colloquy-trace");
    expect(trace.shadowRoot?.querySelector("summary")?.textContent?.replace(/\s+/g, " ").trim()).to.equal(
      "Read 6 passages, wrote from 2 4.1 s Reader Large",
    );
    expect(trace.shadowRoot?.querySelector("dl")?.textContent).to.contain("1 model that was asked before it could not answer");
  });

  it("counts a source once that is quoted twice", async () => {
    const [first, second] = citations;
    if (!first || !second) return expect.fail("no citations");
    const quoted = answer("a", { citations: [first, second, { ...first, number: 3, quote: "The shell" }] });
    const transcript = await show([exchange("a", { answers: [quoted] })]);
    expect(deep(transcript, "colloquy-trace").shadowRoot?.querySelector("summary")?.textContent).to.contain("wrote from 2");
  });

  it("says that a question in another language was searched as it is", async () => {
    const { trace } = answer("a");
    const asked = answer("a", { trace: { ...trace, otherLanguage: { question: "de", courses: ["en"] } } });
    const transcript = await show([exchange("a", { answers: [asked] })]);
    expect(deep(transcript, "colloquy-trace", ".note").textContent).to.contain("You asked in German, but the course is in English.");
    await expectAccessible(transcript);
  });

  it("reports a lost connection", async () => {
    const transcript = await show([exchange("a", { answers: [{ ...running("a", "So far"), lost: true }] })]);
    expect(deep(transcript, "colloquy-trace", ".what").textContent).to.equal("The connection broke. Trying again…");
  });

  it("shows the running time", async () => {
    const transcript = await show([exchange("a", { answers: [running("a", "So far")] })]);
    const time = () => deep(transcript, "colloquy-trace", ".time").textContent ?? "";
    const first = time();
    await until(() => time() !== first, "the time to go on");
    expect(time()).to.match(/^\d+\.\d s$/);
  });

  it("emits actions for follow-ups, copying and regenerating", async () => {
    const transcript = await show([exchange("a")]);
    const actions: TranscriptAction[] = [];
    transcript.addEventListener("colloquy-transcript-action", (event) => actions.push(event.action));
    const press = (text: string) =>
      [...transcript.querySelectorAll("button")].find((button) => button.textContent?.trim() === text)?.click();
    press(followUps[0] ?? "");
    press("Regenerate");
    expect(actions).to.deep.equal([
      { kind: "ask", text: followUps[0] },
      { kind: "regenerate", turnId: "a" },
    ]);
  });

  it("copies Markdown with sources, and HTML", async () => {
    const transcript = await show([exchange("a")]);
    await written(transcript);
    const copied: ClipboardItem[] = [];
    const { write } = navigator.clipboard;
    navigator.clipboard.write = async (items) => void copied.push(...items);
    try {
      [...transcript.querySelectorAll<HTMLButtonElement>(".acts .word")][0]?.click();
      await until(() => transcript.querySelector(".acts .word")?.textContent === "Copied", "the word");
    } finally {
      navigator.clipboard.write = write;
    }
    expect(await (await copied[0]?.getType("text/plain"))?.text()).to.contain(`${answerText}\n\n[^1]:`);
    const look = await (await copied[0]?.getType("text/html"))?.text();
    expect(look).to.contain("<p>They start together").and.to.contain(`href="${location.origin}/courses/`);
    expect(look).not.to.contain("<button");
  });

  it("names the model that wrote if it is not the requested one", async () => {
    const wrote = (transcript: Element) => transcript.querySelector(".wrote")?.textContent ?? "";
    const { trace } = answer("a");
    const asked = { provider: "p2", model: "not-listed" } as const;
    const other = await show([exchange("a", { answers: [answer("a", { fallbackDepth: 1, trace: { ...trace, asked } })] })]);
    expect(wrote(other)).to.match(/^not-listed could not answer; .+ did\.$/);
    await expectAccessible(other);
    const elsewhere = await show([exchange("b", { answers: [answer("b", { fallbackDepth: 1 })] })]);
    expect(wrote(elsewhere)).to.match(/^Answered by .+, because another model could not\.$/);
    const twice = await show([exchange("e", { answers: [answer("e", { fallbackDepth: 2 })] })]);
    expect(wrote(twice)).to.contain("because 2 other models could not.");
    const named = await show([exchange("c", { answers: [answer("c", { trace: { ...trace, reportedModel: "small-0711" } })] })]);
    expect(wrote(named)).to.contain("reports that small-0711 answered");
    expect(wrote(await show([exchange("d", { answers: [answer("d", { fallbackDepth: 0 })] })]))).to.equal("");
  });

  it("keeps the former answer a step away", async () => {
    const transcript = await show([exchange("a", { answers: [answer("a", { text: "Former." }), answer("b", { text: "Newer." })] })]);
    await written(transcript);
    expect(transcript.querySelector("colloquy-answer")?.textContent).to.contain("Newer.");
    expect(transcript.querySelector(".versions")?.textContent?.replace(/\s+/g, " ").trim()).to.equal("2 / 2");
    let asked: TranscriptAction | null = null;
    transcript.addEventListener("colloquy-transcript-action", (event) => {
      asked = event.action;
    });
    const said: string[] = [];
    transcript.addEventListener("colloquy-announce", (event) => said.push(event.text));
    const button = (name: string) => transcript.querySelector<HTMLButtonElement>(`[aria-label='${name}']`);
    button("Previous answer")?.focus();
    button("Previous answer")?.click();
    expect(asked).to.deep.equal({ kind: "show", exchangeKey: "a", turnId: "a" });
    transcript.shown = new Map([["a", "a"]]);
    await transcript.updateComplete;
    await until(() => transcript.querySelector("colloquy-answer p")?.textContent === "Former.", "the former answer");
    expect(said).to.deep.equal(["Answer 1 of 2"]);
    // There is none before it: the keyboard stands on the way back.
    await until(() => document.activeElement === button("Next answer"), "the focus");
  });

  it("says how an answer ended and what to do about a failure", async () => {
    const failed = await show([exchange("a", { answers: [answer("a", { state: "failed", text: "", problem })] })]);
    expect(failed.querySelector(".problem")?.textContent)
      .to.contain("No model can answer right now.")
      .and.to.contain("choose another model");
    let action: TranscriptAction | null = null;
    failed.addEventListener("colloquy-transcript-action", (event) => {
      action = event.action;
    });
    failed.querySelector<HTMLButtonElement>(".problem button")?.click();
    expect(action).to.deep.equal({ kind: "retry", turnId: "a" });
    const long = await show([exchange("b", { answers: [answer("b", { trace: { ...answer("b").trace, finishReason: "length" } })] })]);
    expect(long.querySelector(".ended")?.textContent).to.contain("reached the length limit");
  });

  it("says that the connection broke in the middle of an answer, and offers to continue", async () => {
    const partial = answer("b", { state: "stopped", text: "Half an answer", citations: [], problem });
    const broken = await show([exchange("a"), exchange("b", { answers: [partial] })]);
    const words = broken.querySelector(".problem")?.textContent;
    expect(words).to.contain("The connection to the model broke before the answer was finished.");
    expect(words).not.to.contain("No model can answer");
    const actions: TranscriptAction[] = [];
    broken.addEventListener("colloquy-transcript-action", (event) => actions.push(event.action));
    const buttons = [...broken.querySelectorAll<HTMLButtonElement>(".problem button")];
    expect(buttons.map(({ textContent }) => textContent)).to.deep.equal(["Continue", "Regenerate"]);
    for (const button of buttons) button.click();
    expect(actions).to.deep.equal([
      { kind: "ask", text: "Continue from there." },
      { kind: "retry", turnId: "b" },
    ]);
    // Of an earlier answer there is nothing to continue: the conversation went on.
    const earlier = await show([exchange("b", { answers: [partial] }), exchange("a")]);
    expect([...earlier.querySelectorAll(".problem button")].map(({ textContent }) => textContent)).to.deep.equal(["Regenerate"]);
  });

  describe("with a citation", () => {
    const card = (transcript: Transcript) => deep(transcript, "colloquy-citation-card");
    const open = (transcript: Transcript) => card(transcript).matches(":popover-open");

    it("shows its card on hover without moving the page, and hides it", async () => {
      const transcript = await show([exchange("a")]);
      const chip = await until(() => transcript.querySelector<HTMLElement>("a.cite"), "the citation");
      // The conversation opens at its end; scrolling would rightly take a card away.
      await settle(transcript);
      const { scrollTop } = transcript;
      chip.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true, pointerType: "mouse" }));
      await until(() => open(transcript), "the card");
      expect(card(transcript).textContent).to.contain(citations[0]?.quote).and.to.contain("Pipes and Filters");
      expect(deep<HTMLAnchorElement>(card(transcript), "a").getAttribute("href"))
        .to.contain("?mark=")
        .and.to.contain("#block-pipe-1");
      expect(chip.getAttribute("aria-describedby")).to.equal(card(transcript).id);
      expect(transcript.scrollTop).to.equal(scrollTop);
      transcript.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true, pointerType: "mouse" }));
      await until(() => !open(transcript), "the card to go");
    });

    it("does not show its card after a click that follows at once, or once the page was left", async () => {
      const transcript = await show([exchange("a")]);
      const chip = await until(() => transcript.querySelector<HTMLElement>("a.cite"), "the citation");
      await settle(transcript);
      const shows: boolean[] = [];
      card(transcript).addEventListener("beforetoggle", (event) => shows.push((event as ToggleEvent).newState === "open"));
      const over = () => chip.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true, pointerType: "mouse" }));
      transcript.addEventListener("click", (event) => event.preventDefault());
      over();
      chip.dispatchEvent(new PointerEvent("click", { bubbles: true, composed: true, cancelable: true, pointerType: "mouse" }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(shows).to.deep.equal([]);
      over();
      await until(() => open(transcript), "the card");
      window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      expect(open(transcript)).to.equal(false);
    });

    it("marks the unsupported mention and says what is missing", async () => {
      const [first, ...others] = citations;
      const doubted = [{ ...(first as Citation), unsupported: [{ mark: 2, missing: ["sum", "slowest"] }] }, ...others];
      const transcript = await show([exchange("a", { answers: [answer("a", { citations: doubted })] })]);
      const marked = await until(() => transcript.querySelector<HTMLElement>("[data-unsupported]"), "the mark");
      const chips = [...transcript.querySelectorAll<HTMLElement>('a.cite[data-citation="1"]')];
      expect(chips.indexOf(marked)).to.equal(1);
      expect(transcript.querySelectorAll("[data-unsupported]")).to.have.length(1);
      expect(marked.getAttribute("aria-label")).to.match(/^Source 1: .*, not supported by it$/);
      await settle(transcript);
      const rest = async (chip: HTMLElement | undefined) => {
        chip?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, composed: true, pointerType: "mouse" }));
        await until(() => chip?.getAttribute("aria-describedby") && open(transcript), "the card");
        return card(transcript).textContent ?? "";
      };
      expect(await rest(marked)).to.contain("does not say: sum, slowest");
      expect(await rest(chips[0])).not.to.contain("does not say");
    });

    it("shows it on the first tap and follows the link on the second", async () => {
      const transcript = await show([exchange("a")]);
      const chip = await until(() => transcript.querySelector<HTMLElement>("a.cite"), "the citation");
      // The conversation opens at its end; scrolling would rightly take a card away.
      await settle(transcript);
      const tap = () => {
        const event = new PointerEvent("click", { bubbles: true, composed: true, cancelable: true, pointerType: "touch" });
        chip.dispatchEvent(event);
        const prevented = event.defaultPrevented;
        event.preventDefault();
        return prevented;
      };
      // The page must not go anywhere while it is being tested.
      transcript.addEventListener("click", (event) => event.preventDefault());
      expect(tap()).to.equal(true);
      await until(() => open(transcript), "the card");
    });

    it("hides it before Tab could enter it", async () => {
      const transcript = await show([exchange("a", { answers: [answer("a", { text: "They start together[^1]." })] })]);
      const chip = await until(() => transcript.querySelector<HTMLElement>("a.cite"), "the citation");
      await settle(transcript);
      transcript.focus();
      while (document.activeElement !== chip) await sendKeys({ press: "Tab" });
      await until(() => open(transcript), "the card");
      await sendKeys({ press: "Tab" });
      expect(open(transcript)).to.equal(false);
    });

    it("closes on Escape and handles the key alone", async () => {
      const transcript = await show([exchange("a")]);
      const chip = await until(() => transcript.querySelector<HTMLElement>("a.cite"), "the citation");
      // The conversation opens at its end; scrolling would rightly take a card away.
      await settle(transcript);
      chip.dispatchEvent(new PointerEvent("click", { bubbles: true, composed: true, cancelable: true, pointerType: "touch" }));
      await until(() => open(transcript), "the card");
      let reached = false;
      document.addEventListener("keydown", () => (reached = true), { once: true });
      chip.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
      expect(open(transcript)).to.equal(false);
      expect(reached).to.equal(false);
    });
  });

  describe("while an answer grows", () => {
    // Without motion, so that a place is a place at once.
    before(() => emulateMedia({ reducedMotion: "reduce" }));
    after(() => emulateMedia({ reducedMotion: "no-preference" }));
    const former = [exchange("a"), exchange("b"), exchange("c")];
    /** With all of it drawn: what stands above is drawn when there is time for it, and the place that is read moves down with it. */
    const whole = async (transcript: Transcript) => {
      await until(() => !transcript.querySelector("colloquy-exchange[waiting]"), "all to be drawn");
      await written(transcript);
      return transcript;
    };
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `Paragraph number ${index}.`).join("\n\n");
    const grow = async (transcript: Transcript, count: number) => {
      transcript.exchanges = [...former, exchange("n", { answers: [running("n", lines(count))] })];
      await transcript.updateComplete;
      await until(
        () => transcript.querySelector("colloquy-exchange:last-of-type colloquy-answer")?.textContent?.includes(`number ${count - 1}.`),
        "the text",
      );
      await frame();
    };
    const top = (transcript: Transcript) => {
      const said = transcript.querySelector("colloquy-exchange:last-of-type .said");
      return (said?.getBoundingClientRect().top ?? 0) - transcript.getBoundingClientRect().top;
    };
    it("scrolls the question near the top and moves nothing below", async () => {
      const transcript = await whole(await show(former));
      await grow(transcript, 2);
      await settle(transcript);
      expect(top(transcript)).to.be.within(0, 60);
      const { scrollTop } = transcript;
      await grow(transcript, 40);
      expect(transcript.scrollTop).to.equal(scrollTop);
      await until(() => transcript.querySelector(".jump button"), "the way to the end");
    });

    it("shows the way to the end beside the text, where there is room", async () => {
      await setViewport({ width: 1280, height: 800 });
      const transcript = await whole(await show(former));
      await grow(transcript, 40);
      const jump = await until(() => transcript.querySelector(".jump button"), "the way to the end");
      const text = transcript.querySelector("colloquy-exchange:last-of-type") ?? expect.fail("no text");
      expect(jump.getBoundingClientRect().left).to.be.at.least(text.getBoundingClientRect().right);
    });

    it("follows the end only for a reader there, until they scroll up", async () => {
      const transcript = await whole(await show(former));
      await grow(transcript, 40);
      await settle(transcript);
      (await until(() => transcript.querySelector<HTMLButtonElement>(".jump button"), "the way to the end")).click();
      await until(() => !transcript.querySelector(".jump button"), "the end");
      await settle(transcript);
      const end = () =>
        (transcript.querySelector("colloquy-exchange:last-of-type .end")?.getBoundingClientRect().bottom ?? 0) -
        transcript.getBoundingClientRect().bottom;
      await grow(transcript, 80);
      await until(() => end() < 30, "the end is followed");
      transcript.dispatchEvent(new WheelEvent("wheel"));
      transcript.scrollTop -= 200;
      await frame();
      const { scrollTop } = transcript;
      await grow(transcript, 120);
      expect(transcript.scrollTop).to.equal(scrollTop);
      expect(end()).to.be.greaterThan(200);
    });

    const shownIn = (transcript: Transcript) => {
      const [problem, view] = [transcript.querySelector(".problem")?.getBoundingClientRect(), transcript.getBoundingClientRect()];
      return problem !== undefined && problem.top >= view.top && problem.bottom <= view.bottom;
    };
    const broken = (transcript: Transcript) => {
      transcript.exchanges = transcript.exchanges.map((one) =>
        one.key === transcript.exchanges.at(-1)?.key
          ? { ...one, answers: one.answers.map((last) => ({ ...last, state: "stopped" as const, problem })) }
          : one,
      );
      transcript.busy = false;
    };

    it("reveals a failure to a reader who stayed", async () => {
      const transcript = await whole(await show(former));
      await grow(transcript, 120);
      await settle(transcript);
      broken(transcript);
      await until(() => shownIn(transcript), "what went wrong, in view");
      await settle(transcript);
      expect(shownIn(transcript)).to.equal(true);
    });

    it("moves nothing for a reader elsewhere, until they ask again", async () => {
      const transcript = await whole(await show(former));
      await grow(transcript, 120);
      await settle(transcript);
      transcript.dispatchEvent(new WheelEvent("wheel"));
      transcript.scrollTop -= 300;
      await settle(transcript);
      const place = top(transcript);
      broken(transcript);
      await until(() => transcript.querySelector(".problem"), "what went wrong");
      await settle(transcript);
      expect(shownIn(transcript)).to.equal(false);
      expect(top(transcript)).to.be.closeTo(place, 1);
      transcript.busy = true;
      transcript.exchanges = transcript.exchanges.map((one) => ({
        ...one,
        answers: one.answers.map((last) => (last.problem ? { ...last, state: "running" as const, problem: null } : last)),
      }));
      await transcript.updateComplete;
      broken(transcript);
      await until(() => shownIn(transcript), "what went wrong, in view");
    });

    it("shows a quiz from its beginning and stays while it is answered", async () => {
      const quizzed = (state: AnswerView["state"], questions: number) => [
        ...former,
        exchange("q", {
          answers: [answer("q", { state, text: "", artifact: { ...sampleQuiz, questions: sampleQuiz.questions.slice(0, questions) } })],
        }),
      ];
      const drawn = (transcript: Transcript, questions: number) =>
        until(() => transcript.querySelectorAll("colloquy-quiz fieldset").length === questions, "the questions");
      const transcript = await show([...former, exchange("q", { answers: [running("q", "")] })]);
      transcript.exchanges = quizzed("running", 1);
      await drawn(transcript, 1);
      transcript.exchanges = quizzed("finished", 3);
      await drawn(transcript, 3);
      await settle(transcript);
      expect(top(transcript)).to.be.within(0, 60);
      const again = await whole(await show(quizzed("finished", 3)));
      await drawn(again, 3);
      await settle(again);
      expect(top(again)).to.be.within(0, 60);
      again.querySelector<HTMLElement>("colloquy-quiz input")?.click();
      await until(() => again.querySelector<HTMLButtonElement>("colloquy-quiz .check:not(:disabled)"), "the check");
      const { scrollTop } = again;
      again.querySelector<HTMLButtonElement>("colloquy-quiz .check")?.click();
      await until(() => again.querySelector("colloquy-quiz .outcome"), "the outcome");
      await settle(again);
      expect(again.scrollTop).to.equal(scrollTop);
      await expectAccessible(again);
    });
  });

  it("gives every citation a 44 px touch target without taller lines", async () => {
    const text = "One[^1][^2] and one[^1].\n\n| a | b |\n|---|---|\n| c[^1] | d[^2] |";
    const look = async () => {
      const transcript = await mount<Transcript>(html`<colloquy-transcript style="block-size: 600px"
        .exchanges=${[exchange("a", { answers: [answer("a", { text })] })]}></colloquy-transcript>`);
      await until(() => transcript.querySelectorAll("a.cite").length === 5, "the numbers");
      return transcript;
    };
    const heights = (transcript: Element) => [...transcript.querySelectorAll("colloquy-answer p, tr")].map((line) => line.clientHeight);
    const fine = await look();
    const before = heights(fine);
    unmountAll();
    const touch = coarseRules();
    for (const { media } of touch) media.mediaText = "all";
    try {
      const transcript = await look();
      expect(heights(transcript)).to.deep.equal(before);
      const chips = [...transcript.querySelectorAll<HTMLElement>("a.cite")];
      for (const chip of chips) {
        const { width, height } = getComputedStyle(chip, "::before");
        expect(Math.min(Number.parseFloat(width), Number.parseFloat(height))).to.be.at.least(44);
        const box = chip.getBoundingClientRect();
        for (const [x, y] of [
          [box.left + 3, box.top + 3],
          [box.right - 3, box.bottom - 3],
        ] as const)
          expect(document.elementFromPoint(x, y)).to.equal(chip);
        expect(document.elementFromPoint(box.left + 5, box.bottom + 8), "below a number").to.equal(chip);
      }
      const scroller = transcript.querySelector(".table-scroll") as Element;
      expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
    } finally {
      for (const { media } of touch) media.mediaText = "(pointer: coarse)";
    }
  });
});
