import { setTimeout as pause } from "node:timers/promises";
import { readPicture } from "@colloquy/command-api/publication/course.fixture.ts";
import { createPublication } from "@colloquy/command-api/publication/handlers.ts";
import { historyOf } from "@colloquy/command-api/publication/revisions.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { Fault } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { type Deployment, startDeployment } from "../harness/deployment.ts";
import { randomOf } from "../random.ts";
import { send, sendUntilAnswered } from "./author.ts";
import { contentOf, courseId } from "./course.ts";
import { readContinuously, readStore } from "./reader.ts";

/** Objects a publication of the course writes: three units, identity, search, manifest; between the last two steps stands the event. */
const writes = 7;
const agreeWithinMs = 60_000;

/** What befalls a publication, and by what name it is counted. */
interface Trouble {
  name: string;
  fault: Fault;
  /** What is killed at that moment. */
  victim: "server" | "event store" | null;
}

function troubleOf(round: number, random: () => number): Trouble {
  const step = round % writes;
  const what = Math.floor(round / writes) % 2 === 0 ? "before" : "after";
  const at = { method: "PUT", key: /^courses\//, skip: step };
  const dice = random();
  if (dice < 0.7) return { name: "kill -9 of the server", fault: { ...at, what }, victim: "server" };
  if (dice < 0.8) return { name: "kill -9 of the event store", fault: { ...at, what }, victim: "event store" };
  if (dice < 0.9) return { name: "object store cuts the connection", fault: { ...at, what }, victim: null };
  return { name: "object store is out of order", fault: { ...at, what: { status: 503, code: "SlowDown" }, times: 8 }, victim: null };
}

/** The first revision, published as an import is. */
export async function firstRevision(deployment: Deployment): Promise<{ sequence: number; revisionId: string }> {
  const publication = createPublication({
    eventStore: deployment.events,
    objectStore: openObjectStore(readConfig(deployment.objects.environment)),
  });
  return publication.publishCourse({
    courseId,
    course: contentOf("first"),
    base: null,
    requestId: "request-first",
    accountId: "acc_setup",
    origin: "object-store",
    readAsset: readPicture,
  });
}

/**
 * Publishes a course again and again while the server is killed at each step in turn (before and after each object, so also just before
 * and just after the event), or its stores fail; what is not answered is sent again. Readers read throughout. False when anything is lost,
 * doubled or torn.
 */
export async function publicationKills({ rounds, seed }: { rounds: number; seed: number }): Promise<boolean> {
  const deployment = await startDeployment({ commandApis: 1 });
  const [server] = deployment.commandApis;
  if (!server) throw new Error("no server");
  const wrong: string[] = [];
  const troubles = new Map<string, number>();
  const resting = new AbortController();
  let [sentAgain, committedUnheard] = [0, 0];
  try {
    const random = randomOf(seed, "publication");
    let live = await firstRevision(deployment);
    const reading = readContinuously(deployment.queryApi.address(), deployment.objects.objects, resting.signal);
    for (let round = 0; round < rounds; round += 1) {
      const { name, fault, victim } = troubleOf(round, random);
      const attempt = {
        requestId: `request-${round}`,
        mark: `r${round}`,
        base: live,
        headers: (await deployment.owner(round % 50)).headers,
      };
      let killed: Promise<void> | null = null;
      const strike = (): Promise<void> | null => {
        killed = victim === "server" ? server.kill() : victim === "event store" ? deployment.eventStore.kill() : null;
        return killed;
      };
      deployment.objects.faults.push({ ...fault, meanwhile: strike });
      const unheard = await send(server.address(), attempt);
      if (killed) {
        await killed;
        troubles.set(name, (troubles.get(name) ?? 0) + 1);
        await (victim === "server" ? server : deployment.eventStore).start();
        if (victim === "server") await agreed(deployment, wrong);
      } else if (victim === null) troubles.set(name, (troubles.get(name) ?? 0) + 1);
      deployment.objects.faults.length = 0;
      const before = (await history(deployment)).length;
      const committed = before === live.sequence + 1;
      if (!unheard && committed) committedUnheard += 1;
      const answer = await sendUntilAnswered(() => server.address(), attempt);
      sentAgain += answer.tries;
      const published = await history(deployment);
      const last = published.at(-1);
      if (answer.status !== 200) wrong.push(`round ${round} (${name}): answered ${answer.status} ${answer.body.code}`);
      else if (answer.body.sequence !== live.sequence + 1 || published.length !== live.sequence + 1)
        wrong.push(`round ${round} (${name}): revision ${answer.body.sequence} of ${published.length} after ${live.sequence}`);
      else if (last?.revisionId !== answer.body.revisionId) wrong.push(`round ${round} (${name}): the answer names another revision`);
      if (wrong.length > 10) break;
      if ((round + 1) % 25 === 0) console.log(`publication: ${round + 1} of ${rounds} rounds, ${wrong.length} wrong`);
      await agreed(deployment, wrong);
      live = last ?? live;
    }
    resting.abort();
    const readings = await reading;
    wrong.push(...readings.torn.slice(0, 20));
    const count = [...troubles].map(([name, times]) => `${times} × ${name}`).join(", ");
    console.log(
      `publication: ${rounds} rounds (${count}); ${committedUnheard} committed without an answer; ${sentAgain} requests sent again; ` +
        `${readings.pages} pages and ${readings.pointers} pointers read, ${readings.torn.length} torn; ${wrong.length} wrong`,
    );
  } finally {
    resting.abort();
    await deployment.close();
  }
  for (const line of wrong) console.error(`  ${line}`);
  return wrong.length === 0;
}

const history = (deployment: Deployment) => patiently(() => historyOf(deployment.events, courseId));

/** The event store may just be coming back. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= 50) throw error;
      await pause(100);
    }
  }
}

/** Waits until the pointer stands where the last event says, as a restarted server has to see to by itself. */
async function agreed(deployment: Deployment, wrong: string[]): Promise<void> {
  const began = Date.now();
  for (;;) {
    const last = (await history(deployment)).at(-1);
    const { sequence, revisionId } = readStore(deployment.objects.objects);
    if (last?.sequence === sequence && last.revisionId === revisionId) return;
    if (Date.now() - began > agreeWithinMs) return void wrong.push(`the pointer stands at ${sequence}, the events at ${last?.sequence}`);
    await pause(20);
  }
}
