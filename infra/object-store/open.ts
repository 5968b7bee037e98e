import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { tracingEnabled } from "../telemetry/traces.ts";
import { folderObjectStore } from "./folder.ts";
import { s3ObjectStore } from "./s3.ts";
import type { S3Settings } from "./s3-exchange.ts";
import { type ObjectStore, ObjectStoreRefused, OutcomeUnknown, UnsafeObjectStore, type WriteCondition } from "./store.ts";
import { tracedObjectStore } from "./traced.ts";

type S3Variable = "S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY" | "S3_PREFIX" | "S3_ADDRESSING";
export type ObjectStoreConfig = Pick<Config, "DATA_DIR"> & Partial<Pick<Config, S3Variable>>;

/** A store that is probed once, before its first conditional write, and refused if it ignores conditions. */
export interface ProbedObjectStore extends ObjectStore {
  /** Probes it now. @throws {UnsafeObjectStore} and the store's own errors */
  probe(): Promise<void>;
}

/** The store of published courses: the bucket of `S3_ENDPOINT`, or else the folder `DATA_DIR/objects`, made at the first write. */
export function openObjectStore(config: ObjectStoreConfig): ProbedObjectStore {
  const settings = s3Settings(config);
  const store = settings ? s3ObjectStore(settings) : folderObjectStore(join(config.DATA_DIR, "objects"));
  return probedBeforeUse(tracingEnabled() ? tracedObjectStore(store) : store);
}

/** Null if no S3 is configured; `readConfig` rejects an incomplete configuration. */
export function s3Settings(config: ObjectStoreConfig): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (!(endpoint && bucket && accessKeyId && secretAccessKey)) return null;
  // A bucket with dots in its name has no certificate as a host; Amazon alone asks for bucket hosts.
  const hosted = /(^|[.])amazonaws[.]com([.]cn)?$/.test(new URL(endpoint).hostname) && !bucket.includes(".");
  return {
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    region: config.S3_REGION ?? "us-east-1",
    prefix: config.S3_PREFIX ? `${config.S3_PREFIX}/` : "",
    addressing: config.S3_ADDRESSING ?? (hosted ? "virtual-host" : "path"),
  };
}

/** Probes the store before its first conditional write. */
export function probedBeforeUse(store: ObjectStore): ProbedObjectStore {
  let running: Promise<void> | undefined;
  const probe = (): Promise<void> => {
    running ??= probeWithRetries(store).catch((error: unknown) => {
      // An unreachable store is probed again; one that failed the probe stays refused.
      if (!(error instanceof UnsafeObjectStore)) running = undefined;
      throw error;
    });
    return running;
  };
  return {
    ...store,
    probe,
    async put(key, bytes, condition) {
      if (condition) await probe();
      return store.put(key, bytes, condition);
    },
  };
}

/** If an answer was lost, the outcome of a conditional write is unknown: the probe starts again. */
async function probeWithRetries(store: ObjectStore): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await probeConditionalWrites(store);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || tried >= probeTries) throw error;
    }
  }
}
const probeTries = 3;

/** @throws {UnsafeObjectStore} naming the condition the store ignores: some S3-compatible stores accept every write. */
export async function probeConditionalWrites(store: ObjectStore): Promise<void> {
  const key = `probes/${randomUUID()}`;
  const put = async (text: string, condition: WriteCondition): ReturnType<ObjectStore["put"]> => {
    try {
      return await store.put(key, new TextEncoder().encode(text), condition);
    } catch (error) {
      if (!(error instanceof ObjectStoreRefused) || !(error.status === 501 || notUnderstood.has(error.code))) throw error;
      throw new UnsafeObjectStore(`The object store does not know conditional writes: ${error.message}`, { cause: error });
    }
  };
  const expect = (holds: boolean, what: string): void => {
    if (!holds) throw new UnsafeObjectStore(`The object store does not honour conditional writes: ${what}`);
  };
  try {
    expect(!(await put("0", { ifMatch: "0".repeat(64) })).ok, "it replaced an object that was not there");
    const created = await put("1", { ifNoneMatch: true });
    expect(created.ok, "it refused to create an object");
    expect(!(await put("2", { ifNoneMatch: true })).ok, "it created an object twice");
    expect(!(await put("3", { ifMatch: "0".repeat(64) })).ok, "it replaced an object that had changed");
    expect(created.ok && (await put("4", { ifMatch: created.etag })).ok, "it refused to replace an object that had not changed");
  } finally {
    // What failed before says more than that this fails too.
    await store.remove(key).catch(() => {});
  }
}

/** How a store answers headers it has never heard of, when not by 501. */
const notUnderstood = new Set(["NotImplemented", "InvalidArgument", "InvalidRequest"]);
