import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { openAccountStore } from "../store/account-store.ts";
import { deep, expectAccessible, unmountAll, until } from "./testing/browser.ts";
import { pipesPage, question } from "./testing/fixtures.ts";
import { seedHistory } from "./testing/history-seed.ts";
import { accountItem, ask, field, live, shellOf, wholeWorkspace, write } from "./testing/whole.ts";

describe("the workspace's account", () => {
  const whole = wholeWorkspace();

  describe("for a visitor", () => {
    beforeEach(() => {
      whole.service.account = null;
    });

    it("invites to sign in and return, with the attached page", async () => {
      const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".ways .button-primary"), "the invitation");
      const target = new URL(way.href);
      expect(target.pathname).to.equal("/auth/demo");
      expect(target.searchParams.get("as")).to.equal("learner");
      expect(target.searchParams.get("return")).to.equal(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      expect(workspace.querySelector("h2")?.textContent).to.contain("Pipes and Filters");
      await expectAccessible(workspace);
    });

    it("offers no demo account where there are none", async () => {
      const workspace = await whole.open("/ai", false);
      const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".ways .button-primary"), "the invitation");
      expect(new URL(way.href).pathname).to.equal("/auth/login");
      expect(workspace.querySelector("[href*='/auth/demo']")).to.equal(null);
    });

    it("restores what was written after signing in", async () => {
      const workspace = await whole.open();
      await until(() => workspace.querySelector(".invite"), "the invitation");
      await write(workspace, "What I wanted to know");
      unmountAll();
      whole.service.account = { accountId: `acc_${uuidv7()}`, name: "Mira", roles: ["learner"] };
      const later = await whole.open();
      await until(() => later.querySelector("colloquy-composer")?.text === "What I wanted to know", "the draft");
    });

    it("focuses the composer; Enter leads to sign-in with the text", async () => {
      const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      const went: string[] = [];
      shellOf(workspace).leaveFor = (href) => went.push(href);
      await until(() => workspace.querySelector("colloquy-composer")?.matches(":focus"), "the focus");
      await ask(workspace, "What I wanted to know");
      await until(() => went.length, "the way to sign in");
      expect(went).to.deep.equal([`/sign-in?return=${encodeURIComponent(`/ai?page=${encodeURIComponent(pipesPage.href)}`)}`]);
      expect(workspace.querySelector("colloquy-composer")?.text).to.equal("What I wanted to know");
      unmountAll();
      const back = await whole.open();
      await until(() => back.querySelector("colloquy-composer")?.text === "What I wanted to know", "the text after a reload");
    });
  });

  it("keeps the conversation when the session expires, and says what to do", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    whole.service.account = null;
    whole.service.cutStreams();
    const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".notice a"), "the way to sign in");
    expect(new URL(way.href).searchParams.get("return")).to.equal(`/ai?conversation=${newest}`);
    expect(workspace.querySelector("colloquy-answer")).not.to.equal(null);
    expect(deep<HTMLButtonElement>(workspace, "colloquy-composer", ".send").ariaDisabled).to.equal("true");
  });

  it("shows and writes nothing under another account", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    let left = 0;
    shellOf(workspace).reloadPage = () => {
      left += 1;
    };
    whole.service.account = { accountId: `acc_${uuidv7()}`, name: "Tomas", roles: ["learner"] };
    await ask(workspace, "Whose question is this?");
    await until(() => left > 0, "the page to be left");
    expect(whole.service.asked).to.deep.equal([]);
    expect(whole.service.pushed).to.deep.equal([]);
    const before = left;
    document.dispatchEvent(new Event("visibilitychange"));
    await until(() => left > before, "another look when the tab is shown");
  });

  it("is left when the account signs out in another tab while it opens", async () => {
    const workspace = await whole.open();
    const leaving = new Promise<void>((resolve) => {
      shellOf(workspace).reloadPage = resolve;
    });
    await until(() => (workspace as unknown as { account: unknown }).account, "the account");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId: whole.service.account?.accountId, from: "another-tab" });
    await leaving;
    other.close();
  });

  it("asks before signing out with unsaved changes; deletes the database", async () => {
    whole.service.pushFails = true;
    const workspace = await whole.open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-tab-strip small")?.textContent === "Only in this browser", "the unsaved turn");
    (await accountItem(workspace, "Sign out")).click();
    const dialog = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.leaving[open]"), "the question");
    expect(dialog.textContent).to.contain("2 unsaved changes");
    await expectAccessible(dialog);
  });

  it('asks before signing out with a draft, which "Stay" keeps', async () => {
    const workspace = await whole.open();
    await live(workspace);
    await write(workspace, "Half a question");
    (await accountItem(workspace, "Sign out")).click();
    const dialog = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.leaving[open]"), "the question");
    expect(dialog.textContent).to.contain("1 question you wrote and have not sent");
    await expectAccessible(dialog);
    dialog.querySelector<HTMLButtonElement>("button[value='']")?.click();
    await until(() => !dialog.isConnected, "the question to go");
    expect((await field(workspace)).value).to.equal("Half a question");
  });

  it("offers set-aside entries in the settings", async () => {
    const { accountId } = whole.service.account ?? { accountId: "" };
    const store = await openAccountStore(accountId);
    await store.meta.put({ key: "set-aside", value: JSON.stringify([{ entry: "old", reason: "It could not be read." }]) });
    store.close();
    const workspace = await whole.open();
    await live(workspace);
    (await accountItem(workspace, "Settings")).click();
    const line = await until(() => shellOf(workspace).querySelector("colloquy-settings .aside"), "the line");
    expect(line.textContent).to.contain("1 conversation of an earlier version could not be read");
    await expectAccessible(shellOf(workspace).querySelector("colloquy-settings dialog") as Element);
    const { click } = HTMLAnchorElement.prototype;
    let saved = "";
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved = this.download;
    };
    line.querySelector("button")?.click();
    HTMLAnchorElement.prototype.click = click;
    expect(saved).to.equal("colloquy-set-aside.json");
  });
});
