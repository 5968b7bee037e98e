import type { Api } from "../api/client.ts";
import { clearOfflineData } from "../offline/clear.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { confirmSignOut, type SignOutChoice } from "./confirm-sign-out.ts";
import type { SignedIn } from "./signed-in.ts";

/** Signing out does not wait longer for the list of assistants. */
const askedWithinMs = 3_000;

/** Asks if signing out would delete unsaved work or disconnect assistants; null to stay. @param place where the question is appended */
export async function maySignOut(api: Pick<Api, "assistants">, signedIn: SignedIn, place: HTMLElement): Promise<SignOutChoice | null> {
  await signedIn.flush();
  return confirmSignOut(await countUnsavedWork(signedIn.store), place, await hasAssistants(api));
}

/** Whether assistants are connected; false if that cannot be known now. */
async function hasAssistants(api: Pick<Api, "assistants">): Promise<boolean> {
  const listed = await api.assistants(AbortSignal.timeout(askedWithinMs)).catch(() => null);
  return listed?.assistants.some(({ disconnectedAt }) => disconnectedAt === null) ?? false;
}

/**
 * Signs out within the shell and deletes the account's data in this browser.
 * @returns where to go next
 * @throws if the service did not sign out; then nothing was deleted
 */
export async function signOutOfShell(
  api: Pick<Api, "signOut">,
  signedIn: SignedIn,
  choice: Parameters<Api["signOut"]>[0] = {},
): Promise<string> {
  const next = await api.signOut(choice);
  signedIn.leave();
  await signedIn.store.remove();
  await clearOfflineData();
  signedIn.watch.broadcastSignOut();
  return next;
}
