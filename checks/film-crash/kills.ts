import { setTimeout as pause } from "node:timers/promises";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { FilmCrashRun } from "./run.ts";
import { type ViewerReport, watchFilm } from "./viewer.ts";

/** How many films of an account are watched at once, one less than it may. */
const watched = filmBounds.streamsPerAccount - 1;
/** A worker asks the program about so often for one of these films, on the way from its claim to its completion; a kill comes after any of that. */
const requests = 9;
const pauseMs = 400;

/**
 * Many films on two machines with a worker each, both of which are killed at random moments and started again, while viewers follow. In the
 * end each film is there once, and nobody saw one go back.
 */
export async function workersKilled(
  stage: FilmCrashRun,
  { films, kills }: { films: number; kills: number },
): Promise<{ said: string; wrong: string[] }> {
  const { deployment, random } = stage;
  const lines = [await stage.openProxy(0), await stage.openProxy(1)];
  const asked = await stage.requestFilms(films);
  const leaving = new AbortController();
  const byOwner = Map.groupBy(asked, ({ owner }) => owner);
  const shown = [...byOwner.values()].flatMap((own) => own.slice(0, watched));
  const viewers = shown.map(({ jobId, actor: { headers } }) =>
    watchFilm({ url: deployment.queryApi.address(), jobId, headers, random, signal: leaving.signal }),
  );
  const workers = lines.map(({ url }) => stage.startWorker(url));
  const moments = new Map<string, number>();
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = Math.floor(random() * workers.length);
    const { requests: heard, responses: answered } = lines[victim] ?? { requests: [], responses: [] };
    const claims = (): number => answered.filter((one) => one === "POST claim 200").length;
    const before = claims();
    await stage.waitUntil("a worker has a film to make", async () => claims() > before || (await stage.allSettled(asked)));
    const enough = heard.length + Math.floor(random() * requests);
    await stage.waitUntil("it is some way on", async () => heard.length >= enough || (await stage.allSettled(asked)));
    await pause(random() * pauseMs);
    const at = heard.at(-1) ?? "nothing";
    await workers[victim]?.kill();
    const moment = at.startsWith("PUT")
      ? "uploading"
      : at === "POST lease"
        ? "making"
        : at === "POST complete"
          ? "completing"
          : "just begun";
    moments.set(moment, (moments.get(moment) ?? 0) + 1);
    workers[victim]?.start();
  }
  // Not at each kill: the other worker's lease ends with it, and its film would lose its tries to kills that were not its own.
  stage.expireLeases();
  await stage.waitForFilms(asked);
  const seen: ViewerReport[] = await Promise.all(viewers);
  leaving.abort();
  const { lost, doubled, wrong, tries, leasesEnded } = await stage.examine(asked);
  const sum = (of: (one: ViewerReport) => number): number => seen.reduce((total, one) => total + of(one), 0);
  return {
    wrong: [...lost, ...doubled, ...wrong, ...seen.flatMap((one) => one.wrong)],
    said:
      `${films} films on two workers, ${kills} kills (${[...moments].map(([moment, times]) => `${times} ${moment}`).join(", ")}): ` +
      `${tries} tries, ${leasesEnded} leases ran out; ${lost.length} lost, ${doubled.length} doubled; ` +
      `${seen.length} viewers saw ${sum(({ events }) => events)} events, came back ${sum(({ returns }) => returns - 1)} times, ` +
      `${sum((one) => one.wrong.length)} saw something go back`,
  };
}
