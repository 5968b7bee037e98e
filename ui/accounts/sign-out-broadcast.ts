const channelName = "colloquy-account";

/** This page: a channel brings what is said on it to the page's other listeners, too, and who leaves goes on to a page of its own. */
const here = Math.random().toString(36).slice(2);

/** Tells the other tabs of this browser that the account signed out here. */
export function broadcastSignOut(accountId: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ accountId, from: here });
  channel.close();
}

/** Calls when the account signs out in another tab of this browser. */
export function onSignOutElsewhere(accountId: string, left: () => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener("message", ({ data }: MessageEvent<{ accountId?: string; from?: string }>) => {
    if (data.accountId === accountId && data.from !== here) left();
  });
  signal.addEventListener("abort", () => channel.close(), { once: true });
}
