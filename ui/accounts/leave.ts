import type { MeResponse, SignOutResponse } from "@colloquy/schemas/accounts/account.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { forgetReader } from "../offline/forget.ts";
import { openAccountStore } from "../store/account-store.ts";
import { countOnlyHere } from "../store/only-here.ts";
import { mayLeave } from "./ask-to-leave.ts";
import { tellLeft } from "./left.ts";

/**
 * Signs out on a page outside the workspace, and takes away what this browser keeps of the account, as the workspace does. What is in
 * this browser only is a reason to ask first. Goes on to where the service says; on a failure says so at the button, which can be tried again.
 */
export async function leaveSite(button: HTMLButtonElement): Promise<void> {
  const words = button.textContent;
  button.disabled = true;
  await loadReadingMessages();
  try {
    const { account } = (await answerOf(await fetch("/api/me"))) as MeResponse;
    const store = account && (await openAccountStore(account.accountId));
    if (store && !(await mayLeave(await countOnlyHere(store), document.body, "leaving"))) return store.close();
    const body = JSON.stringify({ schemaVersion: 1 });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { redirect } = (await answerOf(await fetch("/auth/sign-out", init))) as SignOutResponse;
    // Other pages let go of what is kept first, so that it can be taken away.
    if (account) tellLeft(account.accountId);
    await store?.remove();
    await forgetReader();
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

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`answered with ${response.status}`);
  return response.json();
}
