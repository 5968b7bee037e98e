import type { WorkerScope } from "./worker-scope.ts";

/** Texts longer than this are not ours. */
const mostCharacters = 200;
const reviewPath = "/review";

/**
 * Shows the service's reminders of due reviews, and opens the reviews when one is pressed. What a message says is only text: where it leads
 * is decided here.
 */
export function showReminders(self: WorkerScope): void {
  self.addEventListener("push", (event) => {
    const { title, body, lang, dir } = textOf(event.data?.text());
    // Browsers demand that every message is shown.
    const shown = self.registration.showNotification(title, { body, lang, dir, tag: "reviews", icon: "/icons/app-192.png" });
    event.waitUntil(shown);
  });
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(openReviews(self));
  });
}

async function openReviews({ clients }: WorkerScope): Promise<void> {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === reviewPath);
  if (open) await open.focus();
  else await clients.openWindow(reviewPath);
}

function textOf(message: string | undefined): { title: string; body: string; lang: string; dir: "ltr" | "rtl" } {
  let read: Record<string, unknown> = {};
  try {
    read = Object(JSON.parse(message ?? "{}"));
  } catch {
    // Shown without details.
  }
  const text = (name: string, otherwise: string): string => {
    const value = read[name];
    return typeof value === "string" && value.length <= mostCharacters ? value : otherwise;
  };
  return { title: text("title", "Colloquy"), body: text("body", ""), lang: text("lang", ""), dir: read.dir === "rtl" ? "rtl" : "ltr" };
}

/** Ends the browser's subscription, so that no reminder reaches a browser that was signed out. */
export async function endSubscription({ registration }: Pick<WorkerScope, "registration">): Promise<void> {
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}
