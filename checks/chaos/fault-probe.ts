import { setTimeout as pause } from "node:timers/promises";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { randomOf } from "../random.ts";
import {
  annotate,
  createPuller,
  drawStoryboard,
  followLiveStream,
  makeFilm,
  pollRevision,
  publish,
  readLiveStreamFromStart,
  readPage,
  type Topic,
  tryForeignData,
} from "./actions.ts";
import { ask, conversationOf } from "./ask.ts";
import { recordingClient } from "./recording-client.ts";
import type { RequestKind, RequestLog } from "./request-log.ts";
import { emptyJournal, retryUntilDone, type SimulatedPerson, waitForLiveStream } from "./simulated-person.ts";
import { tutor } from "./tutoring.ts";

/** Somebody who meets one fault on purpose: an owner, because owners may do all that there is to do. */
export interface FaultProbe {
  person: SimulatedPerson;
  /** Signs in, reads a page, asks, reads what was written: the journey that shows that all is well. From then on follows the account's changes. */
  arrive(): Promise<void>;
  /** Has one of each kind under way; only an answer is not always. */
  listenTo(kinds: readonly RequestKind[]): Promise<void>;
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
export function faultProbes(options: { url: string; issuer: string; seed: number; record: RequestLog; topics: readonly Topic[] }): {
  everybody: readonly SimulatedPerson[];
  next(): FaultProbe;
} {
  const { url, issuer, seed, record, topics } = options;
  const everybody: SimulatedPerson[] = [];
  /** The film that is being made, whoever it is for. */
  let filming: { owner: SimulatedPerson; jobId: string } | null = null;

  const stateOf = async ({ owner, jobId }: { owner: SimulatedPerson; jobId: string }): Promise<ExplainerJob["state"]> => {
    const { text } = await retryUntilDone("a film", () => owner.client.send("film", `/api/visual-explainers/jobs/${jobId}`));
    return (JSON.parse(text) as { job: ExplainerJob }).job.state;
  };

  function next(): FaultProbe {
    const name = `owner-witness-${everybody.length}`;
    const client = recordingClient({ url, issuer, who: name, record });
    const person: SimulatedPerson = { name, owner: true, client, journal: emptyJournal(), random: randomOf(seed, name), resting: never };
    const neighbour = everybody.at(-1);
    everybody.push(person);
    const leaving = new AbortController();
    const underWay: Promise<unknown>[] = [];
    /** The one the witness arrived with: another may be written behind the position that is asked for. */
    const known = (): string => person.journal.turns.values().next().value?.conversationId ?? "";
    const pull = createPuller();
    const doings: { [kind in RequestKind]?: () => Promise<unknown> } = {
      "sign in": () => client.signIn(),
      "read a page": () => readPage(person, topics),
      "poll a revision": () => pollRevision(person),
      "read a conversation": () => conversationOf(person, "read a conversation", known()),
      pull: () => pull(person),
      "live stream": () => readLiveStreamFromStart(person),
      async push() {
        const position = await annotate(person, topics);
        await retryUntilDone("reading what was written", () =>
          conversationOf(person, "read what was just written", `${known()}?after=${position}`),
        );
      },
      ask: () => ask(person, false),
      quiz: () => ask(person, true),
      tutor: () => tutor(person, 1),
      publish: () => publish(person),
      film: () => drawStoryboard(person, topics),
      "look into another's": () => tryForeignData(person, neighbour ?? person),
    };

    return {
      person,
      async arrive() {
        await retryUntilDone("a whole journey", async () => {
          await client.signIn();
          await readPage(person, topics);
        });
        await ask(person, false);
        underWay.push(followLiveStream(person, leaving.signal));
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
          const jobId = await makeFilm(person, topics);
          filming = jobId === null ? null : { owner: person, jobId };
        }
        throw new Error("no film was begun");
      },
      async meet() {
        const all = Object.entries(doings).map(([kind, doing]) =>
          retryUntilDone(`${kind} of ${name}`, doing).then(
            () => [],
            (error: Error) => [`did not come about: ${kind}: ${error.message}`],
          ),
        );
        return (await Promise.all(all)).flat();
      },
      async leave() {
        await waitForLiveStream(person);
        leaving.abort();
        await Promise.all(underWay);
      },
    };
  }
  return { everybody, next };
}
