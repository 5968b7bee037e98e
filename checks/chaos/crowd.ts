import { setTimeout as pause } from "node:timers/promises";
import { randomOf } from "../random.ts";
import { ask } from "./asking.ts";
import { Again, clientOf } from "./client.ts";
import type { Record } from "./deeds.ts";
import { annotate, film, follow, lookInto, pollRevision, publish, puller, readPage, type Topic, topicsOf } from "./doings.ts";
import { emptyJournal, type Person, patiently, streamed } from "./person.ts";
import { tutor } from "./tutoring.ts";

/** The learners of a run, at work until they are told to rest. */
export interface Crowd {
  people: Person[];
  topics: readonly Topic[];
  /** Nothing new is begun; resolves when everything that was begun is done. @throws when something does not come about */
  rest(): Promise<void>;
  /** What went wrong with somebody already. */
  trouble: string[];
}

/** Between two things a learner does, on the average: many think longer, so that a machine of two cores is not what is tried. Milliseconds. */
export const thinkMs = (learners: number): number => Math.max(4_000, 400 * learners);
/** Owners of courses, and who has films made. */
const some = { owners: 2, filmMakers: 2 };

export async function gather(options: { url: string; issuer: string; learners: number; seed: number; record: Record }): Promise<Crowd> {
  const { url, issuer, learners, seed, record } = options;
  const topics = await topicsOf(url);
  const resting = new AbortController();
  const leaving = new AbortController();
  const trouble: string[] = [];
  const thinking = thinkMs(learners);
  const people = Array.from({ length: learners }, (_, index): Person => {
    const owner = index < some.owners;
    const name = `${owner ? "owner" : "learner"}-${index}`;
    const client = clientOf({ url, issuer, who: name, record });
    return { name, owner, client, journal: emptyJournal(), random: randomOf(seed, name), resting: resting.signal };
  });

  async function live(person: Person, index: number): Promise<void> {
    const { client, random } = person;
    await pause(Math.min(thinking, 8_000) * random());
    await patiently(`a sign-in of ${person.name}`, () => client.signIn());
    const pull = puller();
    const filming = index >= some.owners && index < some.owners + some.filmMakers;
    const something = async (): Promise<unknown> => {
      const die = random();
      if (person.owner && die < 0.2) return publish(person);
      if (filming && die < 0.08) return film(person, topics);
      if (die < 0.35) return readPage(person, topics).then(() => pollRevision(person));
      if (die < 0.55) return ask(person, false);
      if (die < 0.6) return ask(person, true);
      if (die < 0.66) return tutor(person);
      if (die < 0.8) return annotate(person, topics);
      if (die < 0.9) return pull(person);
      if (die < 0.95) return lookInto(person, people[Math.floor(random() * people.length)] ?? person);
      return client.signIn();
    };
    while (!resting.signal.aborted) {
      // What is only read is given up and looked at again later; the others see to it themselves that they come about.
      await something().catch((error: unknown) => {
        if (!(error instanceof Again)) throw error;
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
    await patiently("a first sign-in", async () => {
      const { text } = await person.client.send("sign in", "/api/me");
      if (text.includes('"account":null')) throw new Again("not yet", 500);
    });
    await follow(person, leaving.signal);
  });
  const all = Promise.all(following);
  all.catch((error: unknown) => trouble.push(`a live stream: ${error instanceof Error ? error.message : error}`));
  return {
    people,
    topics,
    trouble,
    async rest() {
      resting.abort();
      await Promise.all(living);
      // What was written last has to come by the live streams, too.
      await Promise.all(people.map(streamed));
      leaving.abort();
      await all.catch(() => undefined);
    },
  };
}
