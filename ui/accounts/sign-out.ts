import type { MeResponse, SignOutResponse } from "@colloquy/schemas/accounts/account.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { clearOfflineData } from "../offline/clear.ts";
import { openAccountStore } from "../store/account-store.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { confirmSignOut } from "./confirm-sign-out.ts";
import { broadcastSignOut } from "./sign-out-broadcast.ts";

/**
 * Signs out on a page outside the workspace, and takes away what this browser keeps of the account, as the workspace does. What is in
 * this browser only is a reason to ask first. Goes on to where the service says; on a failure says so at the button, which can be tried again.
 */
export async function signOut(button: HTMLButtonElement): Promise<void> {
  const words = button.textContent;
  button.disabled = true;
  await loadReadingMessages();
  try {
    const { account } = (await readJson(await fetch("/api/me"))) as MeResponse;
    const store = account && (await openAccountStore(account.accountId));
    if (store && !(await confirmSignOut(await countUnsavedWork(store), document.body, "leaving"))) return store.close();
    const body = JSON.stringify({ schemaVersion: 1 });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { redirect } = (await readJson(await fetch("/auth/sign-out", init))) as SignOutResponse;
    // Other pages let go of what is kept first, so that it can be taken away.
    if (account) broadcastSignOut(account.accountId);
    await store?.remove();
    await clearOfflineData();
    // Our own start page would say who is signed in; this page says it as well.
    if (redirect === "/") location.reload();
    else location.assign(redirect);
  } catch {
    button.textContent = msg("signIn.didWorkTryAgain");
    setTimeout(() => (button.textContent = words), 5_000);
  } finally {
    button.disabled = false;
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`answered with ${response.status}`);
  return response.json();
}
