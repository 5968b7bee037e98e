import type { Assistant } from "@colloquy/schemas/assistants/assistant.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { clientProblem, RequestFailed } from "../api/problems.ts";
import { setLanguageAttributes, setPageLanguage } from "../messages/load.ts";
import { rerender } from "../messages/rerender.ts";
import type { ConnectedAssistants } from "./assistants.ts";
import "./settings.ts";
import type { Settings } from "./settings.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "./testing/browser.ts";

const address = "https://learn.example/mcp";
const robin: Assistant = {
  clientId: "client-robin",
  name: "Robin",
  scopes: ["sources:read", "tutor:answer"],
  connectedAt: "2026-11-02T09:00:00.000Z",
  disconnectedAt: null,
};
const wren: Assistant = {
  clientId: "https://wren.example/client.json",
  name: "Wren, whoseNameIsOneVeryLongWordThatNeverBreaksAnywhereAtAll",
  scopes: ["tutor:read"],
  connectedAt: "2026-11-04T09:00:00.000Z",
  disconnectedAt: "2026-11-05T09:00:00.000Z",
};

describe("connected assistants", () => {
  let assistants: Assistant[];
  let open: string | null;
  let fails: ErrorCode | null;
  let sent: [string, boolean][];
  before(loadTheme);
  beforeEach(() => {
    assistants = [wren, robin];
    open = address;
    fails = null;
    page = 100;
    sent = [];
  });
  afterEach(async () => {
    unmountAll();
    await setPageLanguage("en", "all");
    setLanguageAttributes(document.documentElement, "en");
    await setViewport({ width: 1280, height: 800 });
  });

  const answer = () => {
    if (fails) throw new RequestFailed(clientProblem(fails));
    return { schemaVersion: 1 as const, assistants, next: null as string | null, address: open };
  };
  /** At most so many at once. */
  let page: number;
  const api = {
    async assistants(_signal?: AbortSignal, after?: string) {
      const from = assistants.findIndex(({ clientId }) => clientId === after) + 1;
      const some = assistants.slice(from, from + page);
      return { ...answer(), assistants: some, next: from + page < assistants.length ? (some.at(-1)?.clientId ?? null) : null };
    },
    async allowAssistant(clientId: string, allowed: boolean) {
      answer();
      sent.push([clientId, allowed]);
      const disconnectedAt = allowed ? null : "2026-11-21T09:00:00.000Z";
      assistants = assistants.map((one) => (one.clientId === clientId ? { ...one, disconnectedAt } : one));
      const assistant = assistants.find((one) => one.clientId === clientId);
      if (!assistant) throw new RequestFailed(clientProblem("not_found"));
      return { schemaVersion: 1 as const, assistant };
    },
  };
  const opened = async (): Promise<ConnectedAssistants> => {
    const settings = await mount<Settings>(html`<colloquy-settings .api=${api}></colloquy-settings>`);
    settings.open = true;
    await settings.updateComplete;
    const element = settings.querySelector("colloquy-assistants") as ConnectedAssistants;
    await until(() => !element.querySelector('[role="status"]'), "the list");
    return element;
  };
  it("are listed page by page, and old ones can be disconnected", async () => {
    page = 2;
    const many = (n: number): Assistant => ({ ...robin, clientId: `client-${n}`, name: `Assistant ${n}` });
    assistants = [1, 2, 3, 4, 5].map(many);
    const element = await opened();
    expect(element.querySelectorAll("li")).to.have.lengthOf(2);
    fails = "unavailable";
    button(element, "Show more assistants").click();
    await until(() => element.querySelector('[role="alert"]'), "what went wrong");
    expect(element.querySelectorAll("li")).to.have.lengthOf(2);
    fails = null;
    button(element, "Show more assistants").click();
    await until(() => element.querySelectorAll("li").length === 4, "two more");
    await until(() => row(element, "Assistant 3").contains(document.activeElement), "the focus on the first that came");
    await expectAccessible(element);
    button(element, "Show more assistants").click();
    await until(() => element.querySelectorAll("li").length === 5, "the last");
    expect(element.querySelector("button.more")).to.equal(null);
    row(element, "Assistant 5").querySelector("button")?.click();
    await element.updateComplete;
    button(element, "Disconnect").click();
    await until(() => row(element, "Assistant 5").textContent?.includes("It has no access"), "the end of it");
    expect(sent).to.deep.equal([["client-5", false]]);
    expect(element.querySelectorAll("li")).to.have.lengthOf(5);
  });

  const row = (element: Element, name: string) => {
    const found = [...element.querySelectorAll("li")].find((one) => one.querySelector(".name")?.textContent?.startsWith(name));
    if (!found) throw new Error(`no row of ${name}`);
    return found;
  };
  const button = (element: Element, words: string) => {
    const found = [...element.querySelectorAll("button")].find((one) => one.textContent?.trim() === words);
    if (!found) throw new Error(`no button ${words} in ${element.textContent}`);
    return found;
  };

  it("show name, date and scopes, disconnected ones last", async () => {
    const element = await opened();
    expect([...element.querySelectorAll(".name")].map((name) => name.textContent)).to.deep.equal([robin.name, wren.name]);
    expect(row(element, "Robin").textContent)
      .to.include("May read the courses and submit answers on your behalf.")
      .and.match(/2 Nov 2026|Nov 2, 2026/);
    expect(row(element, "Wren").textContent).to.match(/Disconnected on (5 Nov|Nov 5,) 2026/);
    expect(element.querySelector("code")?.textContent).to.equal(address);
    await expectAccessible(element);
  });

  it("are disconnected after confirmation and allowed again", async () => {
    const element = await opened();
    button(row(element, "Robin"), "Disconnect…").click();
    await until(() => document.activeElement?.textContent === "Keep it connected", "the question");
    await expectAccessible(element);
    button(row(element, "Robin"), "Keep it connected").click();
    await until(() => document.activeElement?.textContent === "Disconnect…", "the row as it was");
    expect(sent).to.deep.equal([]);
    button(row(element, "Robin"), "Disconnect…").click();
    await element.updateComplete;
    const end = button(row(element, "Robin"), "Disconnect");
    end.click();
    end.click();
    await until(() => document.activeElement?.textContent === "Allow again", "the change");
    expect(row(element, "Robin").textContent).to.include("Disconnected on");
    button(row(element, "Robin"), "Allow again").click();
    await until(() => row(element, "Robin").textContent?.includes("Connected on"), "access again");
    expect(sent).to.deep.equal([
      [robin.clientId, false],
      [robin.clientId, true],
    ]);
  });

  it("show a failed disconnection in their row", async () => {
    const element = await opened();
    button(row(element, "Robin"), "Disconnect…").click();
    await element.updateComplete;
    fails = "unavailable";
    button(row(element, "Robin"), "Disconnect").click();
    const told = await until(() => row(element, "Robin").querySelector('[role="alert"]'), "the failure");
    expect(told.textContent).to.not.equal("");
    fails = null;
    button(row(element, "Robin"), "Disconnect").click();
    await until(() => row(element, "Robin").textContent?.includes("Disconnected on"), "the second try");
    expect(element.querySelector('[role="alert"]')).to.equal(null);
  });

  it("show a failed list and retry on request or when online", async () => {
    fails = "unavailable";
    const element = await opened();
    await until(() => element.querySelector('[role="alert"]'), "the failure");
    await expectAccessible(element);
    fails = null;
    button(element, "Try again").click();
    await until(() => element.querySelector("li"), "the list");
    fails = "unavailable";
    element.load();
    await until(() => element.querySelector('[role="alert"]'), "the next failure");
    fails = null;
    dispatchEvent(new Event("online"));
    await until(() => element.querySelector("li"), "the list once more");
  });

  it("explain how to connect one, or are hidden", async () => {
    assistants = [];
    const element = await opened();
    expect(element.textContent).to.include("No assistant has access").and.include(address);
    await expectAccessible(element);
    open = null;
    element.load();
    await until(() => !element.querySelector("section"), "nothing");
    assistants = [robin];
    element.load();
    await until(() => element.querySelector("li"), "an earlier one");
    expect(element.textContent).to.include("turned off");
  });

  it("are translated and fit a narrow page", async () => {
    await setViewport({ width: 320, height: 640 });
    const element = await opened();
    for (const [language, words] of [
      ["de", "Verbundene Assistenten"],
      ["ar", "المساعدون المتصلون"],
    ] as const) {
      await setPageLanguage(language, "all");
      setLanguageAttributes(document.documentElement, language);
      rerender(document.body);
      await element.updateComplete;
      expect(element.querySelector("h3")?.textContent).to.equal(words);
      const dialog = element.closest("dialog");
      expect(dialog?.scrollWidth).to.be.at.most(dialog?.clientWidth ?? 0);
      for (const one of element.querySelectorAll("button")) expect(one.getBoundingClientRect().height).to.be.at.least(44);
      await expectAccessible(element);
    }
  });
});
