import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { appendService } from "./append-service.ts";
import { asIs, featuresDefinition, featuresHandlers, gossipDefinition, gossipHandlers } from "./discovery-services.ts";
import { groupCommit } from "./group-commit.ts";
import { maximumMessageBytes } from "./limits.ts";
import { takeLock } from "./lock.ts";
import { readService } from "./read-service.ts";
import { eventStoreFolder, type RunningEventStore, removeNote, runningEventStore, writeNote } from "./running.ts";
import { runningCalls } from "./running-calls.ts";
import { openStore } from "./store.ts";

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

/** The port is somebody else's. */
export class PortTaken extends Error {
  override name = "PortTaken";
}

export interface EmbeddedEventStore {
  url: string;
  port: number;
  close(): Promise<void>;
}

export interface EmbeddedEventStoreOptions {
  /** It keeps its file in `<dataDir>/event-store`. */
  dataDir: string;
  /** 0 picks a free one. */
  port: number;
  /** Hears of upkeep that failed and will be tried again. */
  warn?: (message: string, error: unknown) => void;
}

const host = "127.0.0.1";
/** Calls that are not done by then, when the server stops, are cut off. */
const stopWithinMs = 1_000;

/**
 * Serves a folder of events over EventStoreDB's protocol, until it is closed.
 * @throws {AlreadyRunning} when the folder has a writer. @throws {PortTaken}
 */
export async function startEventStore({ dataDir, port, warn }: EmbeddedEventStoreOptions): Promise<EmbeddedEventStore> {
  const folder = eventStoreFolder(dataDir);
  const lock = takeLock(folder);
  if (!lock) throw new AlreadyRunning(folder, runningEventStore(dataDir));
  try {
    const store = openStore(folder, warn);
    try {
      const commits = groupCommit(store);
      const running = runningCalls();
      const bound = { port };
      const server = new Server({ "grpc.max_receive_message_length": maximumMessageBytes });
      const streams = { ...appendService(commits, running), read: readService(store, running) };
      server.addService(streamsDefinition, streams as UntypedServiceImplementation);
      server.addService(featuresDefinition, featuresHandlers as UntypedServiceImplementation);
      server.addService(gossipDefinition, gossipHandlers({ host, port: () => bound.port }) as UntypedServiceImplementation);
      bound.port = await bind(server, port);
      const url = `esdb://${host}:${bound.port}?tls=false`;
      writeNote(folder, { pid: process.pid, port: bound.port, url });
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
        url,
        port: bound.port,
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

/** The client's own definitions, answering with bytes we encode. */
const streamsDefinition = {
  read: { ...StreamsService.read, responseSerialize: asIs },
  append: { ...StreamsService.append, responseSerialize: asIs },
  batchAppend: { ...StreamsService.batchAppend, responseSerialize: asIs },
  delete: { ...StreamsService.delete, responseSerialize: asIs },
  tombstone: { ...StreamsService.tombstone, responseSerialize: asIs },
};

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (!error) resolve(bound);
      else reject(/EADDRINUSE/.test(error.message) ? new PortTaken(`Port ${port} is taken.`) : error);
    });
  });
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
