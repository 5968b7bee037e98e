import { accountHeader } from "@colloquy/schemas/headers.ts";

/**
 * Calls once another device of the account has drawn: asked in one small request whenever its reader comes back to the page. For pages
 * whose reader had no ink as they opened, which load nothing that follows it.
 */
export function onInkElsewhere(accountId: string, drawn: () => void, signal: AbortSignal): void {
  let asking = false;
  const ask = async ({ type, persisted }: Event & { persisted?: boolean }): Promise<void> => {
    // A page that has just been opened knows.
    if (asking || document.hidden || (type === "pageshow" && !persisted)) return;
    asking = true;
    try {
      const response = await fetch("/api/annotations", { headers: { accept: "application/json", [accountHeader]: accountId }, signal });
      if (response.ok && ((await response.json()) as { annotated?: unknown }).annotated === true && !signal.aborted) drawn();
    } catch {
      // Nobody answers: the next time, then.
    } finally {
      asking = false;
    }
  };
  // A window beside another is seen all the time, and comes back by its focus.
  document.addEventListener("visibilitychange", ask, { signal });
  for (const type of ["focus", "pageshow", "online"]) addEventListener(type, ask, { signal });
}
