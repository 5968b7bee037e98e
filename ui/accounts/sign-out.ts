import type { MeResponse, SignOutResponse } from "@colloquy/schemas/accounts/account.ts";
import type { AssistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { clearOfflineData } from "../offline/clear.ts";
import { openAccountStore } from "../store/account-store.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { confirmSignOut } from "./confirm-sign-out.ts";
import { broadcastSignOut } from "./sign-out-broadcast.ts";

/**
 * Signs out on a page outside the workspace and deletes the account's local data, after confirmation if work is unsaved. Then follows the
 * service's redirect. A failure is shown on the button, which can be pressed again.
 */
export async function signOut(button: HTMLButtonElement): Promise<void> {
  const words = button.textContent;
  button.disabled = true;
  await loadReadingMessages();
  try {
    const { account } = (await readJson(await fetch("/api/me"))) as MeResponse;
    const store = account && (await openAccountStore(account.accountId));
    const choice = store ? await confirmSignOut(await countUnsavedWork(store), document.body, await hasAssistants()) : {};
    if (!choice) return store?.close();
    const body = JSON.stringify({ schemaVersion: 1, ...choice });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { redirect } = (await readJson(await fetch("/auth/sign-out", init))) as SignOutResponse;
    // Other pages close the database first, so that it can be deleted.
    if (account) broadcastSignOut(account.accountId);
    await store?.remove();
    await clearOfflineData();
    // The start page shows who is signed in, and so does this page: reload it.
    if (redirect === "/") location.reload();
    else location.assign(redirect);
  } catch {
    button.textContent = msg("signIn.didWorkTryAgain");
    setTimeout(() => (button.textContent = words), 5_000);
  } finally {
    button.disabled = false;
  }
}

/** Whether assistants are connected; false if that cannot be known now. */
async function hasAssistants(): Promise<boolean> {
  try {
    const { assistants } = (await readJson(await fetch("/api/ai/assistants"))) as AssistantsResponse;
    return assistants.some(({ disconnectedAt }) => disconnectedAt === null);
  } catch {
    return false;
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`answered with ${response.status}`);
  return response.json();
}
