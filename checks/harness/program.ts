import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../client/client.ts";
import type { Program } from "../../journeys/program.ts";

const demoCourseTimeoutMs = 120_000;
const catchUpTimeoutMs = 60_000;

/** Waits until `holds` is true. @throws with `what` when it is not in time */
export async function waitUntil(what: string, timeoutMs: number, holds: () => Promise<boolean> | boolean, pollMs = 100): Promise<void> {
  for (const end = performance.now() + timeoutMs; !(await holds()); await pause(pollMs))
    if (performance.now() > end) throw new Error(`${what} did not happen within ${timeoutMs / 1_000} s`);
}

/** Waits until a course can be read; demonstration courses are published while the program already serves. */
export async function waitForCourse({ url }: Pick<Program, "url">, courseId: string): Promise<void> {
  const call = createClient({ address: url });
  const isThere = (): Promise<boolean> =>
    call("GET /api/courses/:courseId", { parameters: { courseId } }).then(
      () => true,
      () => false,
    );
  await waitUntil(`the publication of ${courseId}`, demoCourseTimeoutMs, isThere);
}

/** Waits until every read model holds every event. */
export async function waitForReadModels(program: Program): Promise<void> {
  await waitUntil("the catching up of the read models", catchUpTimeoutMs, async () => {
    await program.ready();
    const { projections } = (await (await fetch(`${program.url}/readyz`)).json()) as { projections?: { state: string; lagMs: number }[] };
    return projections?.every(({ state, lagMs }) => state === "running" && lagMs === 0) ?? false;
  });
}
