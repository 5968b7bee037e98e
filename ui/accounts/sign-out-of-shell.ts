import type { Api } from "../api/client.ts";
import { clearOfflineData } from "../offline/clear.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { confirmSignOut } from "./confirm-sign-out.ts";
import type { SignedIn } from "./signed-in.ts";

/** Asks if signing out would delete unsaved work. @param place where the question is appended */
export async function maySignOut(signedIn: SignedIn, place: HTMLElement): Promise<boolean> {
  await signedIn.flush();
  return confirmSignOut(await countUnsavedWork(signedIn.store), place);
}

/**
 * Signs out within the shell and deletes the account's data in this browser.
 * @returns where to go next
 * @throws if the service did not sign out; then nothing was deleted
 */
export async function signOutOfShell(api: Pick<Api, "signOut">, signedIn: SignedIn): Promise<string> {
  const next = await api.signOut();
  signedIn.leave();
  await signedIn.store.remove();
  await clearOfflineData();
  signedIn.watch.broadcastSignOut();
  return next;
}
