import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { runningEventStore } from "@colloquy/infra/event-store/embedded/running.ts";
import { notWritable, type WhyNotWritable } from "@colloquy/infra/event-store/not-writable.ts";
import { refusalOf } from "@colloquy/infra/event-store/refusal.ts";
import { DamagedRevision, readManifest } from "@colloquy/infra/object-store/course-objects.ts";
import type { ProbedObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { loadProviderCatalog, slotAddress, slotCredential } from "@colloquy/infra/provider-catalog.ts";
import { serviceAddress } from "@colloquy/infra/service-address.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { DependencyState } from "@colloquy/schemas/health.ts";

/** A dependency of the program and its health check. */
export interface Dependency {
  name: string;
  /** Whether readiness needs it. */
  required: boolean;
  /** How long a result is cached, in milliseconds, so that frequent readiness requests do not load the dependency. */
  cacheMs: number;
  /** Resolves if it works; null if it is not configured. */
  check: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** With less free space, an append of the embedded event store may fail. */
const minFreeBytes = 256 * 1024;
/** Timeout of a check. On a busy machine a healthy dependency sometimes takes more than a second. */
const checkTimeoutMs = 2_000;
/** A check of all courses' objects that takes longer continues in the background; less than the timeout of a check. */
const courseObjectsWithinMs = 1_000;

/** Checks all dependencies; results are cached, and concurrent callers share one check. */
export function dependencyStates(dependencies: readonly Dependency[], now: () => number = () => performance.now()) {
  const checks = dependencies.map((dependency) => cacheFor(dependency.cacheMs, () => stateOf(dependency), now));
  return (): Promise<DependencyState[]> => Promise.all(checks.map((check) => check()));
}

/** Caches the result of `load` for `ms`, failures included; callers meanwhile share it. */
export function cacheFor<Answer>(
  ms: number,
  load: () => Promise<Answer>,
  now: () => number = () => performance.now(),
): () => Promise<Answer> {
  let cached: { until: number; answer: Promise<Answer> } | undefined;
  return () => {
    if (!cached || now() >= cached.until) cached = { until: now() + ms, answer: load() };
    return cached.answer;
  };
}

/** A failed check whose message says what happened and what to do, and may be shown to anybody. */
export class UnhealthyError extends Error {
  override name = "UnhealthyError";
}

async function stateOf({ name, required, check }: Dependency): Promise<DependencyState> {
  if (!check) return { name, ok: false, ms: 0, required, configured: false };
  return { name, ...(await probe(check)), required, configured: true };
}

/** Runs a check with the timeout; returns whether it succeeded, how long it took, and a public reason if there is one. */
export async function probe(check: (signal: AbortSignal) => Promise<unknown>): Promise<{ ok: boolean; ms: number; reason?: string }> {
  const began = performance.now();
  const signal = AbortSignal.timeout(checkTimeoutMs);
  const timeout = new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  timeout.catch(() => undefined);
  const failure = await Promise.race([check(signal), timeout]).then(
    () => null,
    (error: unknown) => ({ reason: reasonOf(error) }),
  );
  const ms = Math.round(performance.now() - began);
  return { ok: failure === null, ms, ...(failure?.reason !== undefined && { reason: failure.reason }) };
}

/** Only messages made for the public: other errors may contain an address or a row. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof UnhealthyError ? error.message : (damagedFileAdvice(error) ?? refusalOf(error) ?? undefined);

/** The dependencies of this configuration beside event store, database and projections. Checks send no secrets. */
export function dependenciesOf(config: Config, objectStore: ProbedObjectStore, catalogue: Pick<CourseCatalogue, "list">): Dependency[] {
  const commandApi = serviceAddress(config, "COMMAND_API");
  return [
    {
      name: "command-api",
      required: true,
      cacheMs: 1_000,
      check: commandApi === null ? null : (signal) => assertOk(`${commandApi}/healthz`, signal),
    },
    { name: "object-store", required: true, cacheMs: 5_000, check: () => assertObjectStoreWorks(objectStore) },
    { name: "disk", required: true, cacheMs: 2_000, check: (signal) => assertDiskWritable(config.DATA_DIR, signal) },
    {
      name: "course-objects",
      required: true,
      cacheMs: 10_000,
      check: courseObjectsCheck(() => assertCourseObjects(objectStore, catalogue)),
    },
    { name: "identity", required: false, cacheMs: 30_000, check: identityCheck(config) },
    ...modelChecks(config),
  ];
}

/** Checks that the store supports conditional writes (tested once) and answers now. */
async function assertObjectStoreWorks(objectStore: ProbedObjectStore): Promise<void> {
  await objectStore.probe();
  for await (const _ of objectStore.list("courses/")) return;
}

/**
 * Checks free space, and asks the embedded event store whether its writes succeed, because a disk may be read-only or have a quota.
 * @throws {UnhealthyError} if the disk of the data folder cannot be written: then reads work and every change is refused
 */
export async function assertDiskWritable(folder: string, signal: AbortSignal): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < minFreeBytes)
    throw new UnhealthyError("The disk of DATA_DIR is full. Free space on it: until then nothing can be saved; reading still works.");
  const { statusPort } = runningEventStore(folder) ?? {};
  if (statusPort === undefined) return;
  const response = await fetch(`http://127.0.0.1:${statusPort}/status`, { signal });
  const { eventStore } = (await response.json()) as { eventStore: { notWritable: WhyNotWritable | null } };
  if (eventStore.notWritable) throw new UnhealthyError(notWritable[eventStore.notWritable]);
}

/**
 * Reading the objects of every course may take long on a busy machine, and a store that does not answer is reported by its own check: the
 * last result counts until there is a new one.
 */
export function courseObjectsCheck(check: () => Promise<void>, withinMs = courseObjectsWithinMs): () => Promise<void> {
  let result: UnhealthyError | null | undefined;
  let running: Promise<void> | undefined;
  async function runOnce(): Promise<void> {
    try {
      await check();
      result = null;
    } catch (error) {
      if (error instanceof UnhealthyError) result = error;
      // The first time there is no earlier result.
      else if (result === undefined) throw error;
    } finally {
      running = undefined;
    }
  }
  return async () => {
    running ??= runOnce();
    if (result === undefined) await running;
    else await Promise.race([running, pause(withinMs)]);
    if (result) throw result;
  };
}

/** @throws {UnhealthyError} naming courses whose live revision has no manifest: a restore may have left out the objects */
async function assertCourseObjects(objectStore: ObjectStore, catalogue: Pick<CourseCatalogue, "list">): Promise<void> {
  const damaged: string[] = [];
  // A catalogue that cannot be read is reported by the checks of the database and the projections.
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
    throw new UnhealthyError(
      `The objects of ${damaged.join(", ")} are missing or damaged. Copy them from a backup (docs/run/backup.md), or publish again: npm run course:import.`,
    );
}

function identityCheck(config: Config): Dependency["check"] {
  const discovery = "/.well-known/openid-configuration";
  if (embeddedIdentity(config))
    return config.IDENTITY_PORT ? (signal) => assertOk(`http://127.0.0.1:${config.IDENTITY_PORT}/oidc${discovery}`, signal) : null;
  const issuer = config.OIDC_ISSUER?.replace(/\/+$/, "");
  return issuer ? (signal) => assertOk(issuer + discovery, signal) : null;
}

/** One check for each slot that has a credential: whether its address answers, which costs no tokens and needs no credential. */
function modelChecks(config: Config): Dependency[] {
  const slots = loadProviderCatalog(config).flatMap((slot) => {
    const address = slotAddress(slot, config);
    return slotCredential(slot, config) === undefined || address === undefined ? [] : [{ slot: slot.slot, address }];
  });
  const reach = (address: string) => (signal: AbortSignal) => fetch(address, { method: "HEAD", redirect: "manual", signal });
  if (slots.length === 0) return [{ name: "model", required: false, cacheMs: 60_000, check: null }];
  return slots.map(({ slot, address }) => ({ name: `model ${slot}`, required: false, cacheMs: 60_000, check: reach(address) }));
}

async function assertOk(address: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(address, { signal, redirect: "error" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
}
