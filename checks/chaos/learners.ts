import { setTimeout as pause } from "node:timers/promises";
import { randomOf } from "../random.ts";
import {
  annotate,
  createPuller,
  followLiveStream,
  makeFilm,
  pollRevision,
  publish,
  readPage,
  type Topic,
  topicsOf,
  tryForeignData,
} from "./actions.ts";
import { ask } from "./ask.ts";
import { RetryLater, recordingClient } from "./recording-client.ts";
import type { RequestLog } from "./request-log.ts";
import { emptyJournal, retryUntilDone, type SimulatedPerson, waitForLiveStream } from "./simulated-person.ts";
import { tutor } from "./tutoring.ts";

/** The simulated people of a run. They act until `finish`. */
export interface LearnerGroup {
  people: SimulatedPerson[];
  topics: readonly Topic[];
  /** Starts nothing new; resolves when all actions are done. @throws when one of them fails */
  finish(): Promise<void>;
  /** Failures so far. */
  failures: string[];
}

/** Mean think time in milliseconds. It grows with the number of learners, so that two cores are not the bottleneck. */
export const thinkMs = (learners: number): number => Math.max(4_000, 400 * learners);
/** How many people own courses, and how many request films. */
const some = { owners: 2, filmMakers: 2 };

export async function startLearners(options: {
  url: string;
  issuer: string;
  learners: number;
  seed: number;
  record: RequestLog;
}): Promise<LearnerGroup> {
  const { url, issuer, learners, seed, record } = options;
  const topics = await topicsOf(url);
  const resting = new AbortController();
  const leaving = new AbortController();
  const trouble: string[] = [];
  const thinking = thinkMs(learners);
  const people = Array.from({ length: learners }, (_, index): SimulatedPerson => {
    const owner = index < some.owners;
    const name = `${owner ? "owner" : "learner"}-${index}`;
    const client = recordingClient({ url, issuer, who: name, record });
    return { name, owner, client, journal: emptyJournal(), random: randomOf(seed, name), resting: resting.signal };
  });

  async function live(person: SimulatedPerson, index: number): Promise<void> {
    const { client, random } = person;
    await pause(Math.min(thinking, 8_000) * random());
    await retryUntilDone(`a sign-in of ${person.name}`, () => client.signIn());
    const pull = createPuller();
    const filming = index >= some.owners && index < some.owners + some.filmMakers;
    const something = async (): Promise<unknown> => {
      const die = random();
      if (person.owner && die < 0.2) return publish(person);
      if (filming && die < 0.08) return makeFilm(person, topics);
      if (die < 0.35) return readPage(person, topics).then(() => pollRevision(person));
      if (die < 0.55) return ask(person, false);
      if (die < 0.6) return ask(person, true);
      if (die < 0.66) return tutor(person);
      if (die < 0.8) return annotate(person, topics);
      if (die < 0.9) return pull(person);
      if (die < 0.95) return tryForeignData(person, people[Math.floor(random() * people.length)] ?? person);
      return client.signIn();
    };
    while (!resting.signal.aborted) {
      // What is only read is given up and looked at again later; the others see to it themselves that they come about.
      await something().catch((error: unknown) => {
        if (!(error instanceof RetryLater)) throw error;
      });
      await pause(2 * thinking * random(), undefined, { signal: resting.signal }).catch(() => undefined);
    }
  }

  const living = people.map((person, index) =>
    live(person, index).catch((error: unknown) => {
      trouble.push(`${person.name}: ${error instanceof Error ? error.message : error}`);
    }),
  );
  const following = people.map(async (person) => {
    await retryUntilDone("a first sign-in", async () => {
      const { text } = await person.client.send("sign in", "/api/me");
      if (text.includes('"account":null')) throw new RetryLater("not yet", 500);
    });
    await followLiveStream(person, leaving.signal);
  });
  const all = Promise.all(following);
  all.catch((error: unknown) => trouble.push(`a live stream: ${error instanceof Error ? error.message : error}`));
  return {
    people,
    topics,
    failures: trouble,
    async finish() {
      resting.abort();
      await Promise.all(living);
      // What was written last has to come by the live streams, too.
      await Promise.all(people.map(waitForLiveStream));
      leaving.abort();
      await all.catch(() => undefined);
    },
  };
}
