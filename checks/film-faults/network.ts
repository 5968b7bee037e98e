import type { Trouble } from "./line.ts";
import type { Stage } from "./stage.ts";

/** Cuts at every step of a worker's work: what did not arrive, and what arrived and was not answered. */
const cuts: Trouble[] = [
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

/** Makes films over a line that is cut once at each step. */
export async function lineCut(stage: Stage, { rounds }: { rounds: number }): Promise<{ said: string; wrong: string[] }> {
  const wrong: string[] = [];
  let [tries, films] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const line = await stage.line(round % 2);
    const asked = await stage.ask(3);
    line.troubles.push(...cuts.toSorted(() => stage.random() - 0.5));
    stage.worker(line.url);
    // A lease whose claim was never answered is nobody's: it has to run out.
    await stage.until("a claim was lost", () => !line.troubles.some(({ path, what }) => what === "after" && path.test("POST claim")));
    await stage.until("it was taken note of", async () => {
      const states = await Promise.all(asked.map(({ jobId }) => stage.state(jobId)));
      return states.some(({ state }) => state !== "queued");
    });
    stage.endLeases();
    await stage.made(asked);
    // What no film met is met by further ones.
    while (line.troubles.length > 0) {
      const more = await stage.ask(1);
      asked.push(...more);
      await stage.made(more);
    }
    const found = await stage.examine(asked);
    wrong.push(...found.lost, ...found.doubled, ...found.wrong);
    tries += found.tries;
    films += asked.length;
    await stage.clear();
  }
  return {
    wrong,
    said: `${rounds * cuts.length} cuts of the line at ${cuts.length} steps: ${films} films in ${tries} tries, each there once`,
  };
}

/** A line goes dark in the middle of an upload for longer than a lease, and what it held arrives when another worker has the film. */
export async function lineDark(stage: Stage): Promise<{ said: string; wrong: string[] }> {
  const [late, other] = [await stage.line(0), await stage.line(1)];
  const [asked] = await stage.ask(1);
  if (!asked) throw new Error("nothing was asked for");
  late.troubles.push({ path: /artifacts\/video$/, what: "dark" });
  stage.worker(late.url);
  await stage.until("an upload has begun", () => late.troubles.length === 0);
  const before = (await stage.state(asked.jobId)).render?.lease?.leaseId;
  stage.endLeases();
  stage.worker(other.url);
  await stage.until("another worker has it", async () => {
    const { render, state } = await stage.state(asked.jobId);
    return state === "completed" || (render?.lease?.leaseId ?? before) !== before;
  });
  late.light();
  await stage.until("what was late was refused", () => late.answered.some((one) => one.endsWith(" 409")));
  await stage.made([asked]);
  const { lost, doubled, wrong } = await stage.examine([asked]);
  const refused = late.answered.filter((one) => one.endsWith(" 409")).join(", ");
  await stage.clear();
  return {
    wrong: [...lost, ...doubled, ...wrong],
    said: `a lease ran out in the middle of an upload: what came late was refused (${refused}), another worker made the film, once`,
  };
}

/** The program is killed in the middle of an upload, and is there again a moment later: no try is lost to that. */
export async function programKilled(stage: Stage): Promise<{ said: string; wrong: string[] }> {
  const line = await stage.line(0);
  const [machine] = stage.deployment.commandApis;
  const asked = await stage.ask(1);
  let killed: Promise<void> | undefined;
  line.troubles.push({
    path: /artifacts\/video$/,
    what: "half",
    meanwhile: () => {
      killed = machine?.kill().then(() => machine.start());
    },
  });
  stage.worker(line.url);
  await stage.made(asked);
  await killed;
  const { lost, doubled, wrong, tries } = await stage.examine(asked);
  await stage.clear();
  if (tries !== 1) wrong.push(`it took ${tries} tries`);
  return {
    wrong: [...lost, ...doubled, ...wrong],
    said: "the program was killed in the middle of an upload: the film was uploaded to the next one, in the same try",
  };
}
