import type { FilmCrashRun } from "./run.ts";
import type { InjectedFault } from "./worker-proxy.ts";

/** Cuts at every step of a worker: lost requests and lost responses. */
const cuts: InjectedFault[] = [
  { path: /^POST claim$/, what: "before" },
  { path: /^POST claim$/, what: "after" },
  { path: /^POST lease$/, what: "before" },
  { path: /^POST lease$/, what: "after" },
  { path: /artifacts\/video$/, what: "before" },
  { path: /artifacts\/video$/, what: "half" },
  { path: /artifacts\/video$/, what: "flip" },
  { path: /artifacts\/poster$/, what: "after" },
  { path: /artifacts\/transcript$/, what: "half" },
  { path: /^POST complete$/, what: "before" },
  { path: /^POST complete$/, what: "after" },
];

/** Makes films while the connection is cut once at each step. */
export async function connectionCuts(stage: FilmCrashRun, { rounds }: { rounds: number }): Promise<{ said: string; wrong: string[] }> {
  const wrong: string[] = [];
  let [tries, films] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const line = await stage.openProxy(round % 2);
    const asked = await stage.requestFilms(3);
    line.faults.push(...cuts.toSorted(() => stage.random() - 0.5));
    stage.startWorker(line.url);
    // A lease whose claim was never answered is nobody's: it has to run out.
    await stage.waitUntil("a claim was lost", () => !line.faults.some(({ path, what }) => what === "after" && path.test("POST claim")));
    await stage.waitUntil("it was taken note of", async () => {
      const states = await Promise.all(asked.map(({ jobId }) => stage.state(jobId)));
      return states.some(({ state }) => state !== "queued");
    });
    stage.expireLeases();
    await stage.waitForFilms(asked);
    // What no film met is met by further ones.
    while (line.faults.length > 0) {
      const more = await stage.requestFilms(1);
      asked.push(...more);
      await stage.waitForFilms(more);
    }
    const found = await stage.examine(asked);
    wrong.push(...found.lost, ...found.doubled, ...found.wrong);
    tries += found.tries;
    films += asked.length;
    await stage.stopWorkers();
  }
  return {
    wrong,
    said: `${rounds * cuts.length} cuts of the line at ${cuts.length} steps: ${films} films in ${tries} tries, each there once`,
  };
}

/** A connection is silent for longer than a lease during an upload; its data arrives when another worker has the film. */
export async function silentConnection(stage: FilmCrashRun): Promise<{ said: string; wrong: string[] }> {
  const [late, other] = [await stage.openProxy(0), await stage.openProxy(1)];
  const [asked] = await stage.requestFilms(1);
  if (!asked) throw new Error("nothing was asked for");
  late.faults.push({ path: /artifacts\/video$/, what: "dark" });
  stage.startWorker(late.url);
  await stage.waitUntil("an upload has begun", () => late.faults.length === 0);
  const before = (await stage.state(asked.jobId)).render?.lease?.leaseId;
  stage.expireLeases();
  stage.startWorker(other.url);
  await stage.waitUntil("another worker has it", async () => {
    const { render, state } = await stage.state(asked.jobId);
    return state === "completed" || (render?.lease?.leaseId ?? before) !== before;
  });
  late.resume();
  await stage.waitUntil("what was late was refused", () => late.responses.some((one) => one.endsWith(" 409")));
  await stage.waitForFilms([asked]);
  const { lost, doubled, wrong } = await stage.examine([asked]);
  const refused = late.responses.filter((one) => one.endsWith(" 409")).join(", ");
  await stage.stopWorkers();
  return {
    wrong: [...lost, ...doubled, ...wrong],
    said: `a lease ran out in the middle of an upload: what came late was refused (${refused}), another worker made the film, once`,
  };
}

/** The command API is killed during an upload and restarted; the same try continues. */
export async function commandApiKilled(stage: FilmCrashRun): Promise<{ said: string; wrong: string[] }> {
  const line = await stage.openProxy(0);
  const [machine] = stage.deployment.commandApis;
  const asked = await stage.requestFilms(1);
  let killed: Promise<void> | undefined;
  line.faults.push({
    path: /artifacts\/video$/,
    what: "half",
    meanwhile: () => {
      killed = machine?.kill().then(() => machine.start());
    },
  });
  stage.startWorker(line.url);
  await stage.waitForFilms(asked);
  await killed;
  const { lost, doubled, wrong, tries } = await stage.examine(asked);
  await stage.stopWorkers();
  if (tries !== 1) wrong.push(`it took ${tries} tries`);
  return {
    wrong: [...lost, ...doubled, ...wrong],
    said: "the program was killed in the middle of an upload: the film was uploaded to the next one, in the same try",
  };
}
