import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { html, render } from "lit";
import { createApi } from "../../api/client.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { RenderQueue } from "../../conversations/render-queue.ts";
import { openAccountStore } from "../../store/account-store.ts";
import { Library } from "../../store/library.ts";
import { answerText, citations } from "./fixtures.ts";
import { record } from "./history-seed.ts";
import "./opening-page.ts";
import { PlayedService } from "./service.ts";
import "../../shell/shell.ts";

let service = new PlayedService();

const until = async <Value>(found: () => Value | null | undefined): Promise<Value> => {
  for (;;) {
    const value = found();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
/** Resolves after the next painted frame. */
const painted = (): Promise<number> =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    }),
  );

/** The visible exchanges. */
function screenful(): Element[] {
  const view = document.querySelector("colloquy-transcript")?.getBoundingClientRect();
  return [...document.querySelectorAll("colloquy-exchange")].filter((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return view && bottom > view.top && top < view.bottom;
  });
}

window.opening = {
  async keep(turns) {
    service = new PlayedService();
    if (service.account) service.account = { ...service.account, accountId: `acc_${uuidv7()}` };
    const at = new Date().toISOString();
    const entityId = record(service, "Question 1 of a kept conversation?", answerText, at);
    for (let turn = 2; turn <= turns; turn += 1)
      service.receive({
        changeId: uuidv7(),
        deviceId: null,
        domain: "conversation",
        entityId,
        type: "turn_recorded",
        at,
        data: {
          turnId: uuidv7(),
          question: `Question ${turn}?`,
          answer: answerText,
          citations,
          outcome: "finished",
          provider: "p1",
          model: "reader-large",
          fallbackDepth: 0,
        },
      });
    const store = await openAccountStore(service.account?.accountId ?? "");
    const library = await Library.open(createApi(service.fetch), store);
    await library.start();
    await until(() => library.loaded);
    library.stop();
    store.close();
  },
  async open({ control } = { control: false }) {
    render(html``, document.body);
    sessionStorage.clear();
    history.replaceState(null, "", "/ai");
    const { isDeferred: waits } = RenderQueue.prototype;
    if (control) RenderQueue.prototype.isDeferred = () => false;
    render(html`<colloquy-shell .api=${createApi(service.fetch)}></colloquy-shell>`, document.body);
    const row = await until(() => document.querySelector("colloquy-history")?.shadowRoot?.querySelector("a"));
    await new Promise((resolve) => setTimeout(resolve, 400));
    // Only stored data can be shown.
    service.unreachable = true;
    const began = performance.now();
    const shown = new Promise<number>((resolve) => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector("colloquy-answer p")) return;
        seen.disconnect();
        void painted().then(resolve);
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    row.click();
    const took = (await shown) - began;
    if (screenful().some((part) => !part.querySelector("colloquy-answer p"))) throw new Error("not all in view was painted");
    await until(() => !document.querySelector("colloquy-exchange[waiting]"));
    const drawn = performance.now() - began;
    RenderQueue.prototype.isDeferred = waits;
    service.unreachable = false;
    return { painted: took, drawn };
  },
  async takeIn(changes) {
    const store = await openAccountStore(`acc_${uuidv7()}`);
    const library = await Library.open(createApi(service.fetch), store);
    const { replica } = library;
    // Reads the history after every change, as its element does.
    library.events.on("summaries", () => void library.summaries);
    const pages: number[] = [];
    for (let from = 0; from < changes; from += pageSize) {
      const page = Array.from({ length: Math.min(pageSize, changes - from) }, (_, index) => pastChange(from + index));
      const began = performance.now();
      await replica.receive(page, String(from + page.length));
      pages.push(performance.now() - began);
    }
    await store.remove();
    return pages;
  },
};

const pageSize = 500;
const changesEach = 10;
/** Conversations are interleaved, as on several devices. */
const besides = 50;

/** The change at a position of a generated history. */
function pastChange(at: number): RemoteChange {
  const round = Math.floor(at / (besides * changesEach));
  const number = round * besides + (at % besides);
  const index = Math.floor((at % (besides * changesEach)) / besides);
  const base = {
    cursor: String(at + 1),
    changeId: `change-past-${at}`,
    deviceId: null,
    domain: "conversation" as const,
    entityId: `conversation-past-${number}`,
    at: new Date(1_700_000_000_000 + at * 1_000).toISOString(),
  };
  if (index === 0)
    return {
      ...base,
      type: "started",
      data: { mode: "ask", model: { choice: "automatic" }, references: [], title: `Conversation ${number}` },
    };
  return {
    ...base,
    type: "turn_recorded",
    data: {
      turnId: `turn-past-${at}`,
      question: `Question ${index} of ${number}?`,
      answer: answerText.slice(0, 300),
      citations: [],
      outcome: "finished",
      provider: "p1",
      model: "reader-large",
      fallbackDepth: 0,
    },
  };
}
