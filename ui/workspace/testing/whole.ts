import { setViewport } from "@web/test-runner-commands";
import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { html } from "lit";
import { createApi } from "../../api/client.ts";
import { uuidv7 } from "../../api/uuid.ts";
import "../../shell/shell.ts";
import type { Shell } from "../../shell/shell.ts";
import type { Workspace } from "../workspace.ts";
import { loadTheme, mount, unmountAll, until } from "./browser.ts";
import { PlayedService } from "./service.ts";

/** The whole workspace in a wide window with a fake service: a new account and new databases for each test of the `describe`. */
export function wholeWorkspace() {
  const whole = {
    service: new PlayedService(),
    /** @param address null: the current address */
    open: async (address: string | null = "/ai", demo = true): Promise<Workspace> => {
      if (address !== null) history.replaceState(null, "", address);
      const shell = await mount<Shell>(html`<colloquy-shell .api=${createApi(whole.service.fetch)} ?demo=${demo}></colloquy-shell>`);
      const workspace = await until(() => shell.querySelector("colloquy-workspace"), "the workspace");
      await workspace.updateComplete;
      return workspace;
    },
  };
  const home = location.href;
  before(loadTheme);
  beforeEach(async () => {
    await setViewport({ width: 1280, height: 800 });
    sessionStorage.clear();
    whole.service = new PlayedService();
    if (whole.service.account) whole.service.account = { ...whole.service.account, accountId: `acc_${uuidv7()}` };
  });
  afterEach(async () => {
    unmountAll();
    history.replaceState(null, "", home);
    for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
  });
  return whole;
}

/** The shell of a workspace. */
export function shellOf(workspace: Workspace): Shell {
  const shell = workspace.closest("colloquy-shell");
  if (!shell) throw new Error("the workspace stands in no shell");
  return shell;
}

export const address = (): string => `${location.pathname}${location.search}`;

export const field = (workspace: Workspace) =>
  until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("textarea"), "the composer");
export async function write(workspace: Workspace, text: string): Promise<void> {
  const textarea = await field(workspace);
  textarea.value = text;
  textarea.dispatchEvent(new InputEvent("input", { inputType: "insertText", bubbles: true, composed: true }));
}
export async function ask(workspace: Workspace, text: string): Promise<void> {
  await write(workspace, text);
  (await field(workspace)).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, cancelable: true }));
}
export const answered = (workspace: Workspace) => until(() => workspace.querySelector("colloquy-exchange .acts"), "the answer");

/** Waits until the history is loaded and followed. */
export const live = (workspace: Workspace) => until(() => workspace.querySelector("colloquy-history")?.loading === false, "the history");
/** The titles in the history. */
export const rows = (workspace: Workspace) =>
  [...(workspace.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a") ?? [])].map((link) => link.textContent?.trim());
/** The composer's attached references. */
export const chips = (workspace: Workspace) =>
  [...(workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelectorAll(".chips b") ?? [])].map((chip) => chip.textContent);

/** An item of the account's menu, by its text. */
export async function accountItem(workspace: Workspace, words: string): Promise<HTMLElement> {
  (await until(() => workspace.querySelector<HTMLElement>(".side .account"), "the account")).click();
  const item = () => [...workspace.querySelectorAll<HTMLElement>("[role=menuitem]")].find(({ textContent }) => textContent === words);
  return until(item, words);
}
