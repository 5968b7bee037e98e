import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";

/** A shorter visit does not count as reading, in milliseconds. */
const readingMs = 5_000;
/** Least progress that is recorded. */
const step = 0.05;
/** From this share on, a page counts as read to its end. */
const end = 0.97;

/**
 * Records how far a signed-in reader has read a page: when the page is hidden or left. What cannot be sent is stored until the workspace
 * opens.
 */
export function recordProgress(article: HTMLElement): void {
  const { account, course, topic } = article.dataset;
  if (!account || !course || !topic) return;
  let seen = 0;
  let reported = Number(article.dataset.place ?? 0);
  let finished = article.dataset.finished !== undefined;
  let visibleSince = document.hidden ? 0 : performance.now();
  let readMs = 0;

  const look = (): void => {
    const { top, height } = article.getBoundingClientRect();
    seen = Math.max(seen, Math.min(1, Math.max(0, (innerHeight - top) / Math.max(height, 1))));
  };
  const timeRead = (): number => readMs + (visibleSince ? performance.now() - visibleSince : 0);
  const record = (type: "read_to" | "finished", data: Record<string, unknown>): void =>
    void sendChange(account, { changeId: uuidv7(), domain: "progress", entityId: topic, type, at: new Date().toISOString(), data });

  const report = (): void => {
    look();
    if (timeRead() < readingMs) return;
    if (seen >= end && !finished) {
      finished = true;
      reported = 1;
      record("finished", { courseId: course });
    } else if (!finished && seen >= reported + step) {
      reported = seen;
      record("read_to", { courseId: course, place: Math.round(seen * 100) / 100 });
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

async function sendChange(accountId: string, change: Change): Promise<void> {
  try {
    const response = await fetch("/api/sync/push", {
      method: "POST",
      keepalive: true,
      headers: { "content-type": "application/json", [accountHeader]: accountId },
      body: JSON.stringify({ schemaVersion: 1, deviceId: "reading-page", changes: [change] }),
    });
    // Retry later if the service is unavailable or the session expired; other rejections are final.
    if (response.ok || (response.status < 500 && response.status !== 401 && response.status !== 429)) return;
  } catch {
    // No network.
  }
  const { addToOutbox: keepForLater } = await import("../store/keep-for-later.ts");
  await keepForLater(accountId, change).catch(() => undefined);
}
