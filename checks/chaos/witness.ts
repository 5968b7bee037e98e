import { setTimeout as pause } from "node:timers/promises";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { randomOf } from "../random.ts";
import { ask, conversationOf } from "./asking.ts";
import { clientOf } from "./client.ts";
import type { DeedName, Record } from "./deeds.ts";
import { annotate, catchUp, drawUp, film, follow, lookInto, pollRevision, publish, puller, readPage, type Topic } from "./doings.ts";
import { emptyJournal, type Person, patiently, streamed } from "./person.ts";
import { tutor } from "./tutoring.ts";

/** Somebody who meets one fault on purpose: an owner, because owners may do all that there is to do. */
export interface Witness {
  person: Person;
  /** Signs in, reads a page, asks, reads what was written: the journey that shows that all is well. From then on follows the account's changes. */
  arrive(): Promise<void>;
  /** Has one of each kind under way; only an answer is not always. */
  listenTo(kinds: readonly DeedName[]): Promise<void>;
  /** Resolves when a worker makes a film. */
  haveFilmMade(): Promise<void>;
  /** Does one thing of every kind, all at once, each again and again until it is done. @returns what did not come about */
  meet(): Promise<string[]>;
  /** Goes when the live stream has brought everything, and what was under way is done. */
  leave(): Promise<void>;
}

/** Witnesses finish what they begin. */
const never = new AbortController().signal;
/** Until a film is begun: the one before it may have to be finished. */
const filmBegunWithinMs = 120_000;

/** Gives another witness each time, so that none comes near the limits of an account. */
export function witnesses(options: { url: string; issuer: string; seed: number; record: Record; topics: readonly Topic[] }): {
  everybody: readonly Person[];
  next(): Witness;
} {
  const { url, issuer, seed, record, topics } = options;
  const everybody: Person[] = [];
  /** The film that is being made, whoever it is for. */
  let filming: { owner: Person; jobId: string } | null = null;

  const stateOf = async ({ owner, jobId }: { owner: Person; jobId: string }): Promise<ExplainerJob["state"]> => {
    const { text } = await patiently("a film", () => owner.client.send("film", `/api/visual-explainers/jobs/${jobId}`));
    return (JSON.parse(text) as { job: ExplainerJob }).job.state;
  };

  function next(): Witness {
    const name = `owner-witness-${everybody.length}`;
    const client = clientOf({ url, issuer, who: name, record });
    const person: Person = { name, owner: true, client, journal: emptyJournal(), random: randomOf(seed, name), resting: never };
    const neighbour = everybody.at(-1);
    everybody.push(person);
    const leaving = new AbortController();
    const underWay: Promise<unknown>[] = [];
    /** The one the witness arrived with: another may be written behind the position that is asked for. */
    const known = (): string => person.journal.turns.values().next().value?.conversationId ?? "";
    const pull = puller();
    const doings: { [kind in DeedName]?: () => Promise<unknown> } = {
      "sign in": () => client.signIn(),
      "read a page": () => readPage(person, topics),
      "poll a revision": () => pollRevision(person),
      "read a conversation": () => conversationOf(person, "read a conversation", known()),
      pull: () => pull(person),
      "live stream": () => catchUp(person),
      async push() {
        const position = await annotate(person, topics);
        await patiently("reading what was written", () =>
          conversationOf(person, "read what was just written", `${known()}?after=${position}`),
        );
      },
      ask: () => ask(person, false),
      quiz: () => ask(person, true),
      tutor: () => tutor(person, 1),
      publish: () => publish(person),
      film: () => drawUp(person, topics),
      "look into another's": () => lookInto(person, neighbour ?? person),
    };

    return {
      person,
      async arrive() {
        await patiently("a whole journey", async () => {
          await client.signIn();
          await readPage(person, topics);
        });
        await ask(person, false);
        underWay.push(follow(person, leaving.signal));
      },
      async listenTo(kinds) {
        if (!kinds.includes("ask")) return;
        await new Promise<void>((resolve, reject) => underWay.push(ask(person, false, resolve).catch(reject)));
      },
      async haveFilmMade() {
        for (const until = performance.now() + filmBegunWithinMs; performance.now() < until; await pause(250)) {
          const state = filming && (await stateOf(filming));
          if (state === "rendering") return;
          if (state === "queued") continue;
          const jobId = await film(person, topics);
          filming = jobId === null ? null : { owner: person, jobId };
        }
        throw new Error("no film was begun");
      },
      async meet() {
        const all = Object.entries(doings).map(([kind, doing]) =>
          patiently(`${kind} of ${name}`, doing).then(
            () => [],
            (error: Error) => [`did not come about: ${kind}: ${error.message}`],
          ),
        );
        return (await Promise.all(all)).flat();
      },
      async leave() {
        await streamed(person);
        leaving.abort();
        await Promise.all(underWay);
      },
    };
  }
  return { everybody, next };
}
