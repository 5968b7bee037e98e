import type { PushSubscription } from "@colloquy/schemas/reminders/requests.ts";

/** What a browser offers for reminders. */
export interface PushBrowser {
  /** Whether it has notifications and push, and a service worker of ours to show them. */
  isSupported(): boolean;
  permission(): NotificationPermission;
  /** Shows the browser's own question, unless it was answered before. */
  askPermission(): Promise<NotificationPermission>;
  /** A new subscription; an earlier one, perhaps another account's, ends. @throws if the push service cannot be reached */
  subscribe(publicKey: string): Promise<PushSubscription>;
  unsubscribe(): Promise<void>;
}

/** How long the push service may take. */
const subscribeMs = 20_000;

export function pushBrowser(): PushBrowser {
  const registered = () => navigator.serviceWorker.getRegistration("/");
  const unsubscribe = async (): Promise<void> => {
    const registration = await registered();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  };
  return {
    isSupported: () =>
      "serviceWorker" in navigator &&
      "PushManager" in window &&
      "Notification" in window &&
      document.querySelector('meta[name="offline"]') !== null,
    permission: () => Notification.permission,
    askPermission: () => Notification.requestPermission(),
    async subscribe(publicKey) {
      const { pushManager } = await withTimeout(navigator.serviceWorker.ready);
      await unsubscribe();
      const subscription = await withTimeout(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
      const { endpoint = "", keys = {} } = subscription.toJSON();
      return { endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" } };
    },
    unsubscribe,
  };
}

function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the push service does not answer")), subscribeMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
