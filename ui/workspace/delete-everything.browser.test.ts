import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { deleteEverything } from "./delete-everything.ts";
import { expectAccessible, loadTheme, until } from "./testing/browser.ts";

describe("deleting everything of an account", () => {
  before(loadTheme);

  it("shows progress without a cancel button, and closes by itself", async () => {
    const parts: ((part: { schemaVersion: 1; deleted: number; remaining: boolean }) => void)[] = [];
    const erase = () => new Promise<{ schemaVersion: 1; deleted: number; remaining: boolean }>((resolve) => parts.push(resolve));
    const done = deleteEverything({ erase }, `acc_${uuidv7()}`);
    const dialog = document.querySelector<HTMLDialogElement>("dialog.ask[open]") as HTMLDialogElement;
    const input = dialog.querySelector("input") as HTMLInputElement;
    input.value = "delete everything";
    input.dispatchEvent(new InputEvent("input"));
    dialog.querySelector("form")?.requestSubmit();
    await until(() => parts.length === 1, "the first part");
    expect(dialog.querySelectorAll("button, input")).to.have.length(0);
    expect(dialog.textContent).to.contain("Deleting…").and.not.contain("so far");
    expect(dialog.querySelector("progress")?.hasAttribute("value")).to.equal(false);
    await expectAccessible(dialog);
    parts[0]?.({ schemaVersion: 1, deleted: 200, remaining: true });
    await until(() => parts.length === 2, "the second part");
    expect(dialog.textContent).to.contain("200 so far");
    parts[1]?.({ schemaVersion: 1, deleted: 3, remaining: false });
    expect(await done).to.equal(true);
    expect(dialog.isConnected).to.equal(false);
  });

  it("can be cancelled or retried after a failure", async () => {
    const erase = () => Promise.reject(new TypeError("no network"));
    const done = deleteEverything({ erase }, `acc_${uuidv7()}`);
    const dialog = document.querySelector<HTMLDialogElement>("dialog.ask[open]") as HTMLDialogElement;
    const input = dialog.querySelector("input") as HTMLInputElement;
    input.value = "delete everything";
    input.dispatchEvent(new InputEvent("input"));
    dialog.querySelector("form")?.requestSubmit();
    await until(() => dialog.textContent?.includes("Try again to delete the rest"), "the failure");
    expect(dialog.querySelector<HTMLButtonElement>(".button-danger")?.disabled).to.equal(false);
    dialog.querySelector<HTMLButtonElement>("button[type=button]")?.click();
    expect(await done).to.equal(false);
  });
});
