import type { Server } from "@grpc/grpc-js";
import { aloneAt } from "./discovery-services.ts";
import { type DiskError, diskErrorOf } from "./disk-error.ts";
import { faultyCalls } from "./faults.ts";
import { groupCommit } from "./group-commit.ts";
import { bind, grpcServer } from "./grpc-server.ts";
import { takeLock } from "./lock.ts";
import { eventStoreFolder, type RunningEventStore, removeNote, runningEventStore, writeNote } from "./running.ts";
import { runningCalls } from "./running-calls.ts";
import { programUrl } from "./security/address.ts";
import { noSecurity, openSecurity } from "./security/open-security.ts";
import { openStore, type Store, type StoreNotices } from "./store.ts";

/** Another process serves the folder; a folder has one writer. */
export class AlreadyRunning extends Error {
  override name = "AlreadyRunning";
  readonly running: RunningEventStore | null;
  constructor(folder: string, running: RunningEventStore | null) {
    super(
      running
        ? `An event store already serves ${folder}: process ${running.pid}, at ${running.url}.`
        : `Another process has ${folder} open, and has only just begun or is about to end.`,
    );
    this.running = running;
  }
}

/** The data folder cannot be served: its disk is full or takes nothing. */
export class FolderUnusable extends Error {
  override name = "FolderUnusable";
  constructor(folder: string, { cause, message }: DiskError) {
    const what = cause instanceof Error ? cause.message : "";
    super(`The event store cannot use ${folder} (${what}). ${message}`, { cause });
  }
}

/** The port is somebody else's. */
export class PortTaken extends Error {
  override name = "PortTaken";
}

export interface EmbeddedEventStore {
  /** Where and how this program reaches it. With TLS there is a password in it. */
  url: string;
  port: number;
  notWritable: Store["notWritable"];
  close(): Promise<void>;
}

export interface EmbeddedEventStoreOptions extends StoreNotices {
  /** It keeps its file in `<dataDir>/event-store`. */
  dataDir: string;
  /** 0 picks a free one. */
  port: number;
  /** Without TLS and users: every program on this machine can read and append. */
  insecure?: boolean;
  /** Behaves as EventStoreDB at its least convenient, with faults also as a cluster; by default as `EVENTSTORE_EMBEDDED_STRICT` says. */
  strict?: boolean | "faults";
  /** Told to the command-line tools that find this store. */
  publicUrl?: string;
  /** Told to the program: where this process says how it is (`main.ts`). */
  statusPort?: number;
}

const host = "127.0.0.1";
/** Calls that are not done by then, when the server stops, are cut off. */
const stopWithinMs = 1_000;

/**
 * Serves a folder of events over EventStoreDB's protocol, until it is closed.
 * @throws {AlreadyRunning} when the folder has a writer. @throws {PortTaken} @throws {FolderUnusable}
 */
export async function startEventStore(options: EmbeddedEventStoreOptions): Promise<EmbeddedEventStore> {
  const folder = eventStoreFolder(options.dataDir);
  try {
    return await serve(folder, options);
  } catch (error) {
    const trouble = diskErrorOf(error);
    throw trouble ? new FolderUnusable(folder, trouble) : error;
  }
}

async function serve(
  folder: string,
  { dataDir, port, insecure = false, strict = strictByEnvironment(), publicUrl, statusPort, ...news }: EmbeddedEventStoreOptions,
): Promise<EmbeddedEventStore> {
  const tls = !insecure;
  const lock = takeLock(folder);
  if (!lock) throw new AlreadyRunning(folder, runningEventStore(dataDir));
  try {
    const store = openStore(folder, { ...news, strict: strict !== false });
    try {
      const commits = groupCommit(store);
      const running = runningCalls();
      const bound = { port };
      const { credentials, interceptors, guard } = tls
        ? await openSecurity(folder, dataDir, store, { refuseFirst: strict !== false })
        : noSecurity();
      const faults = strict === "faults" ? [faultyCalls({ host, port: () => bound.port })] : [];
      const server = grpcServer({
        store,
        commits,
        running,
        guard,
        interceptors: [...interceptors, ...faults],
        members: aloneAt({ host, port: () => bound.port }),
        name: () => `${host}:${bound.port}`,
      });
      bound.port = await bind(server, `${host}:${port}`, credentials).catch((error: Error) => {
        throw /EADDRINUSE/.test(error.message) ? new PortTaken(`Port ${port} is taken.`) : error;
      });
      writeNote(folder, {
        pid: process.pid,
        port: bound.port,
        tls,
        url: `esdb://${host}:${bound.port}?tls=${tls}`,
        ...(publicUrl !== undefined && { publicUrl }),
        ...(statusPort !== undefined && { statusPort }),
      });
      let closing: Promise<void> | null = null;
      const close = async (): Promise<void> => {
        commits.flush();
        running.stop();
        await stopped(server);
        removeNote(folder);
        store.close();
        lock.release();
      };
      return {
        url: programUrl(dataDir, { port: bound.port, tls }),
        port: bound.port,
        notWritable: store.notWritable,
        close: () => {
          closing ??= close();
          return closing;
        },
      };
    } catch (error) {
      store.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function strictByEnvironment(): boolean | "faults" {
  const set = process.env.EVENTSTORE_EMBEDDED_STRICT;
  return set === "faults" ? set : set === "on";
}

function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, stopWithinMs);
    server.tryShutdown(() => {
      clearTimeout(cutOff);
      resolve();
    });
  });
}
