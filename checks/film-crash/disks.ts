import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { explainerEvents, explainerStream } from "@colloquy/schemas/explainers/events.ts";
import type { FilmCrashRun } from "./run.ts";

const fillWith = Buffer.alloc(65_536);

/** Fills a disk up to its last byte; gives back how to make room. */
function fill(disk: string): () => void {
  const file = join(disk, "full");
  for (let step = fillWith; ; ) {
    try {
      appendFileSync(file, step);
    } catch {
      if (step.length === 1) return () => rmSync(file);
      step = step.subarray(0, Math.floor(step.length / 2));
    }
  }
}

/** Why the first try of a job came to nothing, once one has. */
async function failureOf({ deployment }: FilmCrashRun, jobId: string): Promise<string | null> {
  for await (const stored of deployment.events.read(explainerStream(jobId))) {
    const event = explainerEvents.parse(stored);
    if (event.type === "RenderFailed") return event.data.code;
  }
  return null;
}

/** The disk of the objects is full while a film is uploaded, then that of a worker while it draws; with room again the film is made. */
export async function disksFull(stage: FilmCrashRun): Promise<{ said: string; wrong: string[] }> {
  const { smallDisk } = stage;
  if (!smallDisk) {
    console.warn("      !! DID NOT RUN (nothing may be mounted here): films on a full disk");
    return { wrong: [], said: "disks were not filled: nothing may be mounted here" };
  }
  const wrong: string[] = [];
  const line = await stage.openProxy(0);
  const objects = await stage.requestFilms(1);
  const makeRoom = fill(smallDisk);
  const uploader = stage.startWorker(line.url);
  await stage.waitUntil("an upload was refused", () => line.responses.some((one) => /artifacts\/\w+ 5\d\d$/.test(one)));
  const refused = line.responses.find((one) => /artifacts\/\w+ 5\d\d$/.test(one));
  makeRoom();
  await stage.waitForFilms(objects);
  await uploader.kill();

  const drawn = await stage.requestFilms(1);
  const { jobId = "" } = drawn[0] ?? {};
  const again = fill(smallDisk);
  const drawer = stage.startWorker(line.url, { folder: join(smallDisk, "worker") });
  let told: string | null = null;
  await stage.waitUntil("a render has failed", async () => {
    told = await failureOf(stage, jobId);
    return told !== null;
  });
  again();
  await drawer.kill();
  stage.startWorker(line.url);
  await stage.waitForFilms(drawn);
  if (told !== "no_space") wrong.push(`a worker whose disk is full told ${told}`);
  const found = await stage.examine([...objects, ...drawn]);
  await stage.stopWorkers();
  return {
    wrong: [...wrong, ...found.lost, ...found.doubled, ...found.wrong],
    said: `the disk of the objects full (${refused}) and then that of a worker (${told}): with room again both films were made, in ${found.tries} tries`,
  };
}
