import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { openAccountStore } from "../store/account-store.ts";
import { until } from "../workspace/testing/browser.ts";
import { signOut } from "./sign-out.ts";

describe("signing out on a course page", () => {
  it('asks before deleting a draft, and keeps it after "Stay"', async () => {
    const accountId = `acc_${uuidv7()}`;
    const store = await openAccountStore(accountId);
    await store.drafts.put({ key: "new-tab", text: "Half a question", references: [], model: null, savedAt: Date.now() });
    const button = Object.assign(document.createElement("button"), { textContent: "Sign out" });
    document.body.append(button);
    const called: string[] = [];
    const { fetch } = window;
    window.fetch = async (input) => {
      called.push(String(input));
      return Response.json({ schemaVersion: 1, account: { accountId, name: "Mira", roles: ["learner"] } });
    };
    try {
      const left = signOut(button);
      const dialog = await until(() => document.querySelector<HTMLDialogElement>("dialog.leaving[open]"), "the question");
      expect(dialog.textContent).to.contain("1 question you wrote and have not sent").and.not.contain("change");
      const stay = dialog.querySelector<HTMLButtonElement>("button[value='']");
      expect(document.activeElement).to.equal(stay);
      expect([...dialog.querySelectorAll(".button-primary")], "what loses nothing is the one that stands out").to.deep.equal([stay]);
      stay?.click();
      await left;
      expect(called).to.deep.equal(["/api/me", "/api/ai/assistants"]);
      expect((await store.drafts.get("new-tab"))?.text).to.equal("Half a question");
      expect(document.querySelector("dialog.leaving")).to.equal(null);
    } finally {
      window.fetch = fetch;
      button.remove();
      await store.remove();
    }
  });
});
