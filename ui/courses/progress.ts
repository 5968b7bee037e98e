import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";

/** Whoever leaves sooner has looked something up rather than read, in milliseconds. */
const readingMs = 5_000;
/** A smaller step further down the page is not worth a change. */
const step = 0.05;
/** Seen down to here, a page counts as read to its end. */
const end = 0.97;

/**
 * Records, for whoever is signed in, how far a page was read: when the page is hidden or left, and once its end was seen. What cannot be
 * sent waits in this browser until the workspace is open.
 */
export function recordProgress(article: HTMLElement): void {
  const { account, course, topic } = article.dataset;
  if (!account || !course || !topic) return;
  let seen = 0;
  let told = Number(article.dataset.place ?? 0);
  let finished = article.dataset.finished !== undefined;
  let visibleSince = document.hidden ? 0 : performance.now();
  let readMs = 0;

  const look = (): void => {
    const { top, height } = article.getBoundingClientRect();
    seen = Math.max(seen, Math.min(1, Math.max(0, (innerHeight - top) / Math.max(height, 1))));
  };
  const timeRead = (): number => readMs + (visibleSince ? performance.now() - visibleSince : 0);
  const tell = (type: "read_to" | "finished", data: Record<string, unknown>): void =>
    void push(account, { changeId: uuidv7(), domain: "progress", entityId: topic, type, at: new Date().toISOString(), data });

  const report = (): void => {
    look();
    if (timeRead() < readingMs) return;
    if (seen >= end && !finished) {
      finished = true;
      told = 1;
      tell("finished", { courseId: course });
    } else if (!finished && seen >= told + step) {
      told = seen;
      tell("read_to", { courseId: course, place: Math.round(seen * 100) / 100 });
    }
  };
  addEventListener("scroll", look, { passive: true });
  addEventListener("pagehide", report);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      report();
      readMs = timeRead();
      visibleSince = 0;
    } else visibleSince = performance.now();
  });
  look();
}

async function push(accountId: string, change: Change): Promise<void> {
  try {
    const response = await fetch("/api/sync/push", {
      method: "POST",
      keepalive: true,
      headers: { "content-type": "application/json", [accountHeader]: accountId },
      body: JSON.stringify({ schemaVersion: 1, deviceId: "reading-page", changes: [change] }),
    });
    // Refused for good is not worth another try; a service that is away, or a sign-in that ran out, is.
    if (response.ok || (response.status < 500 && response.status !== 401 && response.status !== 429)) return;
  } catch {
    // No network.
  }
  const { addToOutbox: keepForLater } = await import("../store/keep-for-later.ts");
  await keepForLater(accountId, change).catch(() => undefined);
}
