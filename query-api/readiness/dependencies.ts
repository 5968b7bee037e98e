import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { runningEventStore } from "@colloquy/infra/event-store/embedded/running.ts";
import { notWritable, type WhyNotWritable } from "@colloquy/infra/event-store/not-writable.ts";
import { DamagedRevision, readManifest } from "@colloquy/infra/object-store/course-objects.ts";
import type { ProbedObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { loadProviderCatalog, slotAddress, slotCredential } from "@colloquy/infra/provider-catalog.ts";
import { serviceAddress } from "@colloquy/infra/service-address.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { DependencyState } from "@colloquy/schemas/health.ts";

/** Something the program leans on, and how to ask whether it works. */
export interface Dependency {
  name: string;
  /** Whether the program is not ready without it. */
  required: boolean;
  /** How long an answer holds, in milliseconds: others are not asked more often, however often we are. */
  holdsMs: number;
  /** Resolves when it works; null where nothing is set up that could. */
  check: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** With less, an append of the embedded event store may find no room for its pages. */
const leastRoomBytes = 256 * 1024;
/** A dependency that takes longer counts as not answering. On a busy machine one that is well takes more than a second now and then. */
const answerWithinMs = 2_000;
/** A look at the objects of all courses that takes longer goes on by itself; less than a dependency has. */
const courseObjectsWithinMs = 1_000;

/** Asks each dependency, at most as often as it wants to be asked; all who want to know at once share one question. */
export function dependencyStates(dependencies: readonly Dependency[], now: () => number = () => performance.now()) {
  const asked = dependencies.map((dependency) => shared(dependency.holdsMs, () => stateOf(dependency), now));
  return (): Promise<DependencyState[]> => Promise.all(asked.map((ask) => ask()));
}

/** The same question at most once in `holdsMs`; all who ask meanwhile share its answer. */
export function shared<Answer>(
  holdsMs: number,
  ask: () => Promise<Answer>,
  now: () => number = () => performance.now(),
): () => Promise<Answer> {
  let kept: { until: number; answer: Promise<Answer> } | undefined;
  return () => {
    if (!kept || now() >= kept.until) kept = { until: now() + holdsMs, answer: ask() };
    return kept.answer;
  };
}

/** Says in words that anybody may read why something is not well, and what to do. */
export class NotWell extends Error {
  override name = "NotWell";
}

async function stateOf({ name, required, check }: Dependency): Promise<DependencyState> {
  if (!check) return { name, ok: false, ms: 0, required, configured: false };
  return { name, ...(await answers(check)), required, configured: true };
}

/** Whether a question is answered in time, how long that took, and in words why not, where they are known. */
export async function answers(ask: (signal: AbortSignal) => Promise<unknown>): Promise<{ ok: boolean; ms: number; reason?: string }> {
  const began = performance.now();
  const signal = AbortSignal.timeout(answerWithinMs);
  const cut = new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  cut.catch(() => undefined);
  const failure = await Promise.race([ask(signal), cut]).then(
    () => null,
    (error: unknown) => ({ reason: reasonOf(error) }),
  );
  const ms = Math.round(performance.now() - began);
  return { ok: failure === null, ms, ...(failure?.reason !== undefined && { reason: failure.reason }) };
}

/** Only words made for people: other errors may quote an address or a row. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof NotWell ? error.message : (damagedFileAdvice(error) ?? undefined);

/** What this configuration leans on beside the event store, the database and the projections. Nothing secret is sent to anybody. */
export function dependenciesOf(config: Config, objectStore: ProbedObjectStore, catalogue: Pick<CourseCatalogue, "list">): Dependency[] {
  const commandApi = serviceAddress(config, "COMMAND_API");
  return [
    {
      name: "command-api",
      required: true,
      holdsMs: 1_000,
      check: commandApi === null ? null : (signal) => demandOk(`${commandApi}/healthz`, signal),
    },
    { name: "object-store", required: true, holdsMs: 5_000, check: () => objectStoreWorks(objectStore) },
    { name: "disk", required: true, holdsMs: 2_000, check: (signal) => diskTakesWrites(config.DATA_DIR, signal) },
    {
      name: "course-objects",
      required: true,
      holdsMs: 10_000,
      check: courseObjectsCheck(() => courseObjectsAreThere(objectStore, catalogue)),
    },
    { name: "identity", required: false, holdsMs: 30_000, check: identityCheck(config) },
    ...modelChecks(config),
  ];
}

/** It keeps conditional writes (put to the test once), and answers now. */
async function objectStoreWorks(objectStore: ProbedObjectStore): Promise<void> {
  await objectStore.probe();
  for await (const _ of objectStore.list("courses/")) return;
}

/**
 * Room alone says little of a disk that turned read-only, or that has a quota: the embedded event store knows what became of its writes.
 * @throws {NotWell} when the data folder's disk takes nothing: then reading goes on, and every change is refused.
 */
export async function diskTakesWrites(folder: string, signal: AbortSignal): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < leastRoomBytes)
    throw new NotWell("The disk of DATA_DIR is full. Nothing can be saved until there is room on it; reading goes on.");
  const { statusPort } = runningEventStore(folder) ?? {};
  if (statusPort === undefined) return;
  const response = await fetch(`http://127.0.0.1:${statusPort}/status`, { signal });
  const { eventStore } = (await response.json()) as { eventStore: { notWritable: WhyNotWritable | null } };
  if (eventStore.notWritable) throw new NotWell(notWritable[eventStore.notWritable]);
}

/**
 * Reading what every course is made of takes a busy machine a while, and a store that does not answer tells of itself: what was found last
 * counts until something else is found.
 */
export function courseObjectsCheck(look: () => Promise<void>, withinMs = courseObjectsWithinMs): () => Promise<void> {
  let found: NotWell | null | undefined;
  let looking: Promise<void> | undefined;
  async function lookOnce(): Promise<void> {
    try {
      await look();
      found = null;
    } catch (error) {
      if (error instanceof NotWell) found = error;
      // The first time there is nothing else to tell.
      else if (found === undefined) throw error;
    } finally {
      looking = undefined;
    }
  }
  return async () => {
    looking ??= lookOnce();
    if (found === undefined) await looking;
    else await Promise.race([looking, pause(withinMs)]);
    if (found) throw found;
  };
}

/** @throws {NotWell} naming the courses whose live revision's manifest is lost: a restore may have left the objects behind. */
async function courseObjectsAreThere(objectStore: ObjectStore, catalogue: Pick<CourseCatalogue, "list">): Promise<void> {
  const damaged: string[] = [];
  // Whether the catalogue itself can be read is told by the database and the projections.
  const courses = await catalogue.list().catch(() => []);
  for (const { courseId, revisionId } of courses) {
    try {
      await readManifest(objectStore, courseId, revisionId);
    } catch (error) {
      if (!(error instanceof DamagedRevision)) throw error;
      damaged.push(courseId);
    }
  }
  if (damaged.length > 0)
    throw new NotWell(
      `The objects of ${damaged.join(", ")} are missing or damaged. Copy them from a backup (docs/run/backup.md), or publish again: npm run course:import.`,
    );
}

function identityCheck(config: Config): Dependency["check"] {
  const discovery = "/.well-known/openid-configuration";
  if (embeddedIdentity(config))
    return config.IDENTITY_PORT ? (signal) => demandOk(`http://127.0.0.1:${config.IDENTITY_PORT}/oidc${discovery}`, signal) : null;
  const issuer = config.OIDC_ISSUER?.replace(/\/+$/, "");
  return issuer ? (signal) => demandOk(issuer + discovery, signal) : null;
}

/** One for each slot that has a credential: whether anybody answers at its address, which costs no tokens and needs no credential. */
function modelChecks(config: Config): Dependency[] {
  const slots = loadProviderCatalog(config).flatMap((slot) => {
    const address = slotAddress(slot, config);
    return slotCredential(slot, config) === undefined || address === undefined ? [] : [{ slot: slot.slot, address }];
  });
  const reach = (address: string) => (signal: AbortSignal) => fetch(address, { method: "HEAD", redirect: "manual", signal });
  if (slots.length === 0) return [{ name: "model", required: false, holdsMs: 60_000, check: null }];
  return slots.map(({ slot, address }) => ({ name: `model ${slot}`, required: false, holdsMs: 60_000, check: reach(address) }));
}

async function demandOk(address: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(address, { signal, redirect: "error" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
}
