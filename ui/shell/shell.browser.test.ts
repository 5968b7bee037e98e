import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { html } from "lit";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import "./shell.ts";
import type { Shell } from "./shell.ts";

describe("the shell's pages outside the workspace", () => {
  const home = location.href;
  const real = window.fetch;
  let service = new PlayedService();
  before(loadTheme);
  beforeEach(async () => {
    await setViewport({ width: 1280, height: 800 });
    sessionStorage.clear();
    service = new PlayedService();
    service.account = { accountId: `acc_${uuidv7()}`, name: "Nils", roles: ["auditor"] };
    window.fetch = (input, init) => service.fetch(input instanceof URL ? input.href : input, init);
  });
  afterEach(async () => {
    unmountAll();
    window.fetch = real;
    history.replaceState(null, "", home);
    await setViewport({ width: 1280, height: 800 });
    for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
  });
  async function open(address: string): Promise<Shell> {
    history.replaceState(null, "", address);
    return mount<Shell>(html`<colloquy-shell .api=${createApi(service.fetch)}></colloquy-shell>`);
  }
  const account = (shell: Shell) => until(() => shell.querySelector<HTMLButtonElement>(".shell-head .account"), "the account");
  async function item(shell: Shell, words: string): Promise<HTMLElement> {
    (await account(shell)).click();
    return until(() => [...shell.querySelectorAll<HTMLElement>("[role=menuitem]")].find(({ textContent }) => textContent === words), words);
  }

  for (const path of ["/review", "/audit"])
    it(`has the header with the account's menu at ${path}`, async () => {
      const shell = await open(path);
      await account(shell);
      const links = [...shell.querySelectorAll<HTMLAnchorElement>(".shell-head nav a")];
      expect(links.map(({ pathname }) => pathname)).to.deep.equal(["/courses", "/ai", "/review", "/audit"]);
      expect(links.find((link) => link.ariaCurrent)?.pathname).to.equal(path);
      await item(shell, "Your conversations");
      const items = [...shell.querySelectorAll("[role=menuitem]")].map(({ textContent }) => textContent);
      expect(items).to.deep.equal(["Your conversations", "Review", "Settings", "Audit", "Sign out"]);
      await expectAccessible(shell);
    });

  it("shows settings over the page, whose address stays", async () => {
    const shell = await open("/review");
    (await item(shell, "Settings")).click();
    const dialog = await until(() => shell.querySelector<HTMLDialogElement>("colloquy-settings dialog[open]"), "the settings");
    expect(location.pathname).to.equal("/review");
    expect(shell.querySelector("colloquy-workspace")).to.equal(null);
    dialog.close();
  });

  it("signs out from its menu and leaves the page", async () => {
    const shell = await open("/review");
    const left: string[] = [];
    shell.leaveFor = (href) => left.push(href);
    (await item(shell, "Sign out")).click();
    await until(() => left.length, "the way out");
    expect(await Dexie.getDatabaseNames()).to.deep.equal([]);
  });

  it("keeps account and current page in one row on a phone", async () => {
    await setViewport({ width: 360, height: 740 });
    const shell = await open("/audit");
    const button = (await account(shell)).getBoundingClientRect();
    const brand = shell.querySelector(".shell-head .brand")?.getBoundingClientRect() ?? expect.fail("no brand");
    expect(button.top).to.be.below(brand.bottom);
    expect(button.width).to.be.at.least(44);
  });

  for (const [path, title] of Object.entries({ "/settings": "Settings", "/review": "Review", "/audit": "Audit" }))
    it(`is titled ${title} at ${path}`, async () => {
      document.title = "Colloquy";
      const shell = await open(path);
      await until(() => shell.dataset.page, "the page");
      await until(() => shell.querySelector(path === "/settings" ? "colloquy-workspace .side" : ".shell-head"), "its content");
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(document.title).to.equal(`${title} · Colloquy`);
    });
});
