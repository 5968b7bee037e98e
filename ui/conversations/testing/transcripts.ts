import { html } from "lit";
import type { AnswerView } from "../../answers/answer-view.ts";
import { mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { answerText, citations, followUps, models, question } from "../../workspace/testing/fixtures.ts";
import type { ReadingPlace } from "../events.ts";
import type { Exchange } from "../exchanges.ts";
import "../transcript.ts";
import type { Transcript } from "../transcript.ts";

/** Exchanges to be shown, and a transcript that shows them. */
export const answer = (turnId: string, more: Partial<AnswerView> = {}): AnswerView => ({
  turnId,
  state: "finished",
  text: answerText,
  citations,
  artifact: null,
  provider: "p1",
  model: "reader-large",
  fallbackDepth: 1,
  trace: {
    phases: [
      { phase: "retrieving", atMs: 0 },
      { phase: "writing", atMs: 300 },
    ],
    sources: 6,
    elapsedMs: 4_100,
    startedAt: null,
    followUps,
    finishReason: "stop",
  },
  problem: null,
  ...more,
});
export const running = (turnId: string, text: string): AnswerView =>
  answer(turnId, {
    state: "running",
    text,
    citations: [],
    model: "",
    provider: null,
    trace: { ...answer(turnId).trace, elapsedMs: null, startedAt: performance.now() },
  });
export const exchange = (key: string, more: Partial<Exchange> = {}): Exchange => ({
  key,
  question,
  references: [],
  answers: [answer(key)],
  ...more,
});
export const show = (exchanges: Exchange[], busy = false, place: ReadingPlace | null = null) =>
  mount<Transcript>(
    html`<colloquy-transcript style="block-size:600px;background:var(--paper)" .exchanges=${exchanges} .models=${models} .place=${place} ?busy=${busy}></colloquy-transcript>`,
  );
/** Loads what draws formulas and code: an exchange whose formulas come late gets another height late. */
export async function loadEngines(): Promise<void> {
  const transcript = await show([exchange("engines")]);
  await until(() => transcript.querySelector("colloquy-answer .katex") && !transcript.querySelector("[data-pending]"), "formulas and code");
  unmountAll();
}
export const written = (transcript: Transcript) => until(() => transcript.querySelector("colloquy-answer p"), "the answer");
export const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

export const settle = async (transcript: Transcript) => {
  let last = -1;
  await until(() => {
    const same = transcript.scrollTop === last;
    last = transcript.scrollTop;
    return same;
  }, "the scrolling to end");
  await frame();
};
