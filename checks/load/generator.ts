import { learners as signIn } from "../../journeys/learner.ts";
import { randomOf } from "../random.ts";
import { exponential } from "./distributions.ts";
import { sendRequest } from "./http.ts";
import { type Page, type Person, runSession } from "./learner.ts";
import { planRunningSession, planSession, type Step, sessionLengths } from "./plan.ts";
import { createRecorder, type Measured } from "./recorder.ts";

/** What a generator is told, as JSON in its first argument. */
export interface LoadOptions {
  url: string;
  /** The program's SESSION_SECRET. */
  secret: string;
  courseId: string;
  /** How many are there at once, on the average. */
  learners: number;
  seed: number;
  /** Until everybody has come who is there already; nothing is measured before. */
  rampSeconds: number;
  windowSeconds: number;
  windows: number;
}

export interface Window extends Measured {
  /** How many learned, on the average of the window's seconds, and how many came. */
  present: number;
  arrived: number;
}

/** What a generator tells its parent. */
export type Told = { kind: "measuring" } | { kind: "window"; window: Window };

/**
 * The load, as a process of its own. Learners arrive as a Poisson process, whatever becomes of those before them (a partly open system,
 * Schroeder et al., NSDI 2006): a service that is slow finds more of them waiting, not fewer. Each request is timed from when it was due.
 */
const options = JSON.parse(process.argv[2] ?? "{}") as LoadOptions;
/** Each account comes back some time later, so that it has a past. */
const accountsPerLearner = 4;
const random = randomOf(options.seed, "load");
const recorder = createRecorder();
const stop = new AbortController();

const pages = await readPages(options);
const words = pages.map((page) => page.words);
const { mean, longest } = sessionLengths(randomOf(options.seed, "lengths"), words);
const accounts = await signIn(options.url, options.secret, Math.ceil(options.learners * accountsPerLearner));
const world = { ...options, pages, recorder, random, signal: stop.signal };

let visits = 0;
let present = 0;
let arrivals = 0;
function visit(steps: Step[]): void {
  const number = visits;
  visits += 1;
  present += 1;
  void runSession(world, personOf(number), steps).finally(() => (present -= 1));
}
function personOf(number: number): Person {
  const account = accounts[number % accounts.length];
  // Of 10.0.0.0/8: one for each account, none of which this machine has.
  const place = (number % accounts.length) + 1;
  return { cookie: account?.cookie ?? "", address: `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}` };
}

for (let index = 0; index < options.learners; index += 1)
  setTimeout(() => visit(planRunningSession(random, words, longest)), random() * options.rampSeconds * 1_000);
let due = performance.now();
function arrive(): void {
  due += exponential(random, options.learners / mean);
  setTimeout(
    () => {
      arrivals += 1;
      visit(planSession(random, words));
      arrive();
    },
    Math.max(0, due - performance.now()),
  );
}
arrive();

const told = (message: Told): void => void process.send?.(message);
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1_000));
await seconds(options.rampSeconds);
recorder.take();
told({ kind: "measuring" });
for (let window = 0; window < options.windows; window += 1) {
  arrivals = 0;
  let sum = 0;
  for (let second = 0; second < options.windowSeconds; second += 1) {
    await seconds(1);
    sum += present;
  }
  told({ kind: "window", window: { ...recorder.take(), present: sum / options.windowSeconds, arrived: arrivals } });
}
// The parent ends this process when it has looked at it.
process.once("disconnect", () => process.exit(0));

async function readPages({ url, courseId }: LoadOptions): Promise<(Page & { words: number })[]> {
  const headers = { accept: "application/json" };
  const { text } = await sendRequest(`${url}/api/courses/${courseId}`, { headers });
  const { course } = JSON.parse(text) as { course: { topics: { href: string; id: string; title: string }[] } };
  return Promise.all(
    course.topics.map(async ({ href, id: topicId, title }) => {
      const page = await sendRequest(url + href, { headers: { accept: "text/html" } });
      const main = /<main[\s\S]*<\/main>/.exec(page.text)?.[0] ?? "";
      const shown = main.replaceAll(/<(script|style|annotation)[\s\S]*?<\/\1>|<[^>]+>/g, " ");
      return { href, topicId, title, words: shown.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length };
    }),
  );
}
