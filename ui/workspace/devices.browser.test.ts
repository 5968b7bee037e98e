import type { OpenSessionEntry } from "@colloquy/schemas/accounts/account.ts";
import { expect } from "chai";
import { html } from "lit";
import type { SignedIn } from "../accounts/signed-in.ts";
import { RequestFailed } from "../api/problems.ts";
import "./devices.ts";
import type { SignedInDevices } from "./devices.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "./testing/browser.ts";

describe("the devices of an account", () => {
  before(loadTheme);
  afterEach(unmountAll);

  const signedIn = {
    flush: async () => undefined,
    leave: () => undefined,
    store: { remove: async () => undefined },
    watch: { broadcastSignOut: () => undefined },
  } as unknown as SignedIn;
  const times = { signedInAt: "2026-11-21T08:00:00.000Z", until: "2026-11-28T08:00:00.000Z" };
  const own: OpenSessionEntry = { sessionId: "session-0001", current: true, browser: "Firefox", system: "Linux", ...times };
  const phone: OpenSessionEntry = { sessionId: "session-0002", current: false, browser: "Safari", system: "iOS", ...times };
  const nameless: OpenSessionEntry = { sessionId: "session-0003", current: false, browser: null, system: null, ...times };
  const working = {
    signOut: async () => "/gone",
    sessions: async () => [own, phone, nameless],
    endSession: async () => [own, nameless],
  };
  const shown = async (api: object, leaveFor: (href: string) => void = () => undefined): Promise<SignedInDevices> => {
    const element = await mount<SignedInDevices>(
      html`<colloquy-devices .api=${{ ...working, ...api }} .signedIn=${signedIn} .leaveFor=${leaveFor}></colloquy-devices>`,
    );
    element.load();
    return element;
  };
  const button = (element: Element, words: string) => {
    const found = [...element.querySelectorAll("button")].find((one) => (one.ariaLabel ?? one.textContent)?.trim() === words);
    if (!found) throw new Error(`no button ${words}`);
    return found;
  };
  const names = (element: Element): string[] => [...element.querySelectorAll(".device")].map(({ textContent }) => textContent ?? "");

  it("are listed with browser and system, and the own one cannot be ended there", async () => {
    const element = await shown({});
    await until(() => element.querySelector("li"), "the list");
    expect(names(element)).to.deep.equal(["Firefox on Linux", "Safari on iOS", "Unknown browser"]);
    expect(element.querySelector("li")?.textContent).to.include("This browser");
    expect(element.querySelector("li button")).to.equal(button(element, "Sign out Safari on iOS"));
    await expectAccessible(element);
  });

  it("are signed out one by one", async () => {
    const ended: string[] = [];
    const element = await shown({
      async endSession(sessionId: string) {
        ended.push(sessionId);
        return [own, nameless];
      },
    });
    await until(() => element.querySelector("li"), "the list");
    button(element, "Sign out Safari on iOS").click();
    await until(() => names(element).length === 2, "the shorter list");
    expect(ended).to.deep.equal(["session-0002"]);
    expect(document.activeElement).to.equal(element.querySelector("h3"));
  });

  it("stay where they are when one could not be signed out, and it is said", async () => {
    const endSession = () => Promise.reject(new RequestFailed({ code: "unavailable", title: "", status: 503, requestId: "r" } as never));
    const element = await shown({ endSession });
    await until(() => element.querySelector("li"), "the list");
    button(element, "Sign out Safari on iOS").click();
    await until(() => element.querySelector("li [role=alert]"), "the failure");
    expect(names(element)).to.have.length(3);
  });

  it("are asked for again after a failure", async () => {
    let calls = 0;
    const element = await shown({ sessions: () => (calls++ === 0 ? Promise.reject(new Error("gone")) : Promise.resolve([own])) });
    await until(() => element.querySelector("[role=alert]"), "the failure");
    button(element, "Try again").click();
    await until(() => element.querySelector("li"), "the list");
  });

  it("are all signed out after a question, assistants kept only if told to", async () => {
    const sent: object[] = [];
    const left: string[] = [];
    const element = await shown(
      {
        async signOut(choice = {}) {
          sent.push(choice);
          return "/gone";
        },
      },
      (href) => left.push(href),
    );
    button(element, "Sign out everywhere").click();
    await until(() => element.querySelector("input"), "the question");
    await expectAccessible(element);
    expect(sent).to.deep.equal([]);
    element.querySelector("input")?.click();
    button(element, "Sign out everywhere").click();
    await until(() => left.length > 0, "the way out");
    expect(sent).to.deep.equal([{ everywhere: true, keepAssistants: true }]);
    expect(left).to.deep.equal(["/gone"]);
  });
});
