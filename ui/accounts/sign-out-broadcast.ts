const channelName = "colloquy-account";

/** Identifies this page: a channel also delivers to other listeners of the same page, which handles its own sign-out. */
const here = Math.random().toString(36).slice(2);

/** Notifies other tabs of this browser that the account signed out here. */
export function broadcastSignOut(accountId: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ accountId, from: here });
  channel.close();
}

/** Calls back when the account signs out in another tab. */
export function onSignOutElsewhere(accountId: string, left: () => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener("message", ({ data }: MessageEvent<{ accountId?: string; from?: string }>) => {
    if (data.accountId === accountId && data.from !== here) left();
  });
  signal.addEventListener("abort", () => channel.close(), { once: true });
}
