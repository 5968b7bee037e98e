import { html, render } from "lit";
import { createApi } from "../../api/client.ts";
import { uuidv7 } from "../../api/uuid.ts";
import type { Composer } from "../../composer/composer.ts";
import type { Transcript } from "../../conversations/transcript.ts";
import { answerText, citations } from "./fixtures.ts";
import { record } from "./history-seed.ts";
import { PlayedService } from "./service.ts";
import type { KeyCost } from "./typing-page.ts";
import "../../shell/shell.ts";

let costs: KeyCost[] = [];
let control = false;

/** Queried once, because searching a long page with each key would distort the measurement. */
let composer: Composer | null = null;
let transcript: Transcript | null = null;

addEventListener(
  "keydown",
  ({ timeStamp }) => {
    const started = performance.now();
    addEventListener(
      "input",
      async () => {
        if (control && transcript) {
          transcript.exchanges = transcript.exchanges.map((exchange) => ({ ...exchange }));
          await transcript.updateComplete;
        }
        await composer?.updateComplete;
        // Forces layout here, so that nothing of it is missed in the frame.
        composer?.getBoundingClientRect();
        const work = performance.now() - started;
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => costs.push({ toFrame: performance.now() - timeStamp, work });
          port2.postMessage(null);
        });
      },
      { once: true },
    );
  },
  { capture: true },
);

window.typing = {
  async openConversation(exchanges, options) {
    control = options.control;
    const service = new PlayedService();
    if (service.account) service.account = { ...service.account, accountId: `acc_${uuidv7()}` };
    const at = new Date().toISOString();
    const conversationId = record(service, "Question 1 of a long conversation?", answerText, at);
    for (let turn = 2; turn <= exchanges; turn += 1)
      service.receive({
        changeId: uuidv7(),
        deviceId: null,
        domain: "conversation",
        entityId: conversationId,
        type: "turn_recorded",
        at,
        data: {
          turnId: uuidv7(),
          question: `Question ${turn} of a long conversation?`,
          answer: answerText,
          citations,
          outcome: "finished",
          provider: "p1",
          model: "reader-large",
          fallbackDepth: 0,
        },
      });
    history.replaceState(null, "", `/ai?conversation=${conversationId}`);
    render(html``, document.body);
    render(html`<colloquy-shell .api=${createApi(service.fetch)}></colloquy-shell>`, document.body);
    const wanted = options.early ? 1 : exchanges;
    while (document.querySelectorAll("colloquy-exchange:has(colloquy-answer p)").length < wanted)
      await new Promise((resolve) => setTimeout(resolve, 50));
    composer = document.querySelector("colloquy-composer");
    transcript = document.querySelector("colloquy-transcript");
    composer?.focus();
    costs = [];
  },
  takeKeys: () => costs.splice(0),
};
