import { setTimeout as pause } from "node:timers/promises";

/** Longer is no restart and no queue any more. Milliseconds. */
const patienceMs = 600_000;

/** Whether an answer says no more than "not now": limits, read models that have not come so far, a service that is starting. */
const isNotYet = (response: Response, text: string): boolean =>
  response.status === 429 ||
  response.status === 504 ||
  (response.status === 503 && (response.headers.has("retry-after") || text.includes('"code":"unavailable"')));

/**
 * A request sent again, as it is, for as long as the program says "not now", by its Retry-After; also while it cannot be reached.
 * After ten minutes what it says then is the answer.
 * @throws whatever `fetch` throws when it could not be reached for so long
 */
export async function patiently(url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const hasTime = performance.now() < until;
    let waitSeconds = 1;
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      if (!isNotYet(response, text) || !hasTime) return { status: response.status, text };
      waitSeconds = Number(response.headers.get("retry-after") ?? 1) || 1;
    } catch (error) {
      if (!hasTime) throw error;
    }
    await pause(1_000 * waitSeconds);
  }
}

/** The JSON of a page that has to be there. @throws {Error} with what was answered instead */
export async function patientJson<Body>(url: string): Promise<Body> {
  const { status, text } = await patiently(url);
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`);
  return JSON.parse(text) as Body;
}
