import { html, render } from "lit";
import { createApi } from "../../api/client.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { openAccountStore } from "../../store/account-store.ts";
import { Library } from "../../store/library.ts";
import { answerText, citations } from "./fixtures.ts";
import { record } from "./history-seed.ts";
import "./opening-page.ts";
import { PlayedService } from "./service.ts";
import "../workspace.ts";

let service = new PlayedService();

const until = async <Value>(found: () => Value | null | undefined): Promise<Value> => {
  for (;;) {
    const value = found();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
/** After the frame that shows what stands now. */
const painted = (): Promise<number> =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    }),
  );

window.opening = {
  async keep(turns) {
    service = new PlayedService();
    if (service.account) service.account = { ...service.account, accountId: `acc_${uuidv7()}` };
    const at = new Date().toISOString();
    const entityId = record(service, "Question 1 of a kept conversation?", answerText, at);
    for (let turn = 2; turn <= turns; turn += 1)
      service.receive({
        ...{ changeId: uuidv7(), deviceId: null, domain: "conversation", entityId, type: "turn_recorded", at },
        data: {
          ...{ turnId: uuidv7(), question: `Question ${turn}?`, answer: answerText, citations, outcome: "finished" },
          ...{ provider: "p1", model: "reader-large", fallbackDepth: 0 },
        },
      });
    const store = await openAccountStore(service.account?.accountId ?? "");
    const library = await Library.open(createApi(service.fetch), store);
    await library.start();
    await until(() => library.loaded);
    library.stop();
    store.close();
  },
  async open() {
    render(html``, document.body);
    sessionStorage.clear();
    history.replaceState(null, "", "/ai");
    render(html`<colloquy-workspace .api=${createApi(service.fetch)}></colloquy-workspace>`, document.body);
    const row = await until(() => document.querySelector("colloquy-history")?.shadowRoot?.querySelector("a"));
    await new Promise((resolve) => setTimeout(resolve, 400));
    // Only what this browser keeps can be shown.
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
    service.unreachable = false;
    return took;
  },
};
