import { expect } from "chai";
import { html } from "lit";
import type { SignedIn } from "../accounts/signed-in.ts";
import "./sign-out-everywhere.ts";
import type { SignOutEverywhere } from "./sign-out-everywhere.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "./testing/browser.ts";

describe("signing out everywhere", () => {
  before(loadTheme);
  afterEach(unmountAll);

  const signedIn = {
    flush: async () => undefined,
    leave: () => undefined,
    store: { remove: async () => undefined },
    watch: { broadcastSignOut: () => undefined },
  } as unknown as SignedIn;
  const button = (element: Element, words: string) => {
    const found = [...element.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === words);
    if (!found) throw new Error(`no button ${words}`);
    return found;
  };

  it("asks first, keeps assistants only if told to, and leaves for where the service says", async () => {
    const sent: object[] = [];
    const left: string[] = [];
    const api = {
      async signOut(choice = {}) {
        sent.push(choice);
        return "/gone";
      },
    };
    const element = await mount<SignOutEverywhere>(
      html`<colloquy-sign-out-everywhere .api=${api} .signedIn=${signedIn} .leaveFor=${(href: string) => left.push(href)}></colloquy-sign-out-everywhere>`,
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
