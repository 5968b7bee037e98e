import { join } from "node:path";
import type { Config } from "../config.ts";
import { missingProtection } from "../event-store/address.ts";
import { createFrontDoor, type FrontDoor, type Service } from "../http/front-door.ts";
import { openFrontDoorStatus } from "../http/front-door-status.ts";
import { securityMark } from "../http/security-log.ts";
import { findLocalModels } from "../local-models/find.ts";
import { makeFolder, privateFolder } from "../private-files.ts";
import { configurationExitCode } from "../process/refuse-to-start.ts";
import { startTraces } from "../telemetry/traces.ts";
import { printLine, shortPath, styled, suppressRepeats, warningInLogLine } from "./console.ts";
import { dataFolderWarnings } from "./data-folder-warnings.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import {
  dataFolder,
  environmentOf,
  environmentOfPart,
  type Part,
  type PartName,
  partsOf,
  serviceName,
  stopOrder,
  usesEvents,
} from "./plan.ts";
import { freePorts, portHolder, waitUntilPortIsFree } from "./ports.ts";
import { waitUntilReady } from "./readiness.ts";
import { startTable } from "./start-table.ts";
import { type Supervised, supervise } from "./supervise.ts";
import { ensureUserInterface, type UserInterface } from "./user-interface.ts";

/** The program cannot start; the message says why and what to do. */
export class StartError extends Error {
  override name = "StartError";
  /** The program's exit code. */
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How long each stage of a stop may take before what is left is killed. */
const graceMs = { frontDoor: 1_500, part: 3_000 };
/** How long to wait for a port or lock that parts of a killed launcher may still hold. */
const predecessorMs = 3_500;
/** Consecutive failures from which on a part counts as failing. */
const failingAfter = 4;
/** When a slow part is reported, and when that is a warning: later than a first start takes while the pages are built. */
const usualPatience: Patience = { stillMs: 15_000, slowMs: 60_000 };
/** Parts that are not ready after this time are listed. */
const readyWithinMs = 10_000;
/** The event store's exit code for "another one serves this folder". */
const alreadyRunning = 3;
const rooms: Record<Service, PartName> = { command: "command-api", query: "query-api", identity: "identity" };

export interface Launched {
  /** Stops everything in order. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
  port: number;
}

interface Patience {
  stillMs: number;
  slowMs: number;
}

/** Replacements for tests. */
interface Overrides {
  parts?: Part[];
  /** Another main than `ui/build.ts`. */
  userInterface?: string;
  /** Other bounds on how long a part may take to serve. */
  patience?: Patience;
}

/**
 * Starts the whole program. Resolves when every part serves or was reported as failing, or when it was stopped before.
 * @param onLaunched called as soon as there is something to stop
 * @throws {StartError} after stopping what was started
 */
export async function launch(given: Config, onLaunched: (launched: Launched) => void, replaced: Overrides = {}): Promise<Launched> {
  const begun = performance.now();
  const running = new Map<PartName, Supervised>();
  const logFiles: LogFile[] = [];
  const sayLogTrouble = reportLogErrors();
  const halted = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let phase: "starting" | "ready" = "starting";
  let doing: string | null = null;
  let build: UserInterface | null = null;
  let stopped: Promise<void> | null = null;
  let parts: Part[] = [];
  let ports: ReadonlyMap<PartName | "front-door", number> = new Map();
  let status: { port: number; close(): Promise<void> } | null = null;

  const traces = await startTraces({ ...given, ...serviceName("front-door", given) }, "front-door", {
    info: (_, message) => printLine(styled("dim", message)),
    warn: (_, message) => printLine(`${styled("yellow", "!")} front door: ${message}`),
  });
  const frontDoor = createFrontDoor({
    publicUrl: given.publicUrl,
    addressPerMinute: given.ADDRESS_REQUESTS_PER_MINUTE,
    proxies: given.TRUSTED_PROXIES,
    backends: {
      phase: () => phase,
      doing: () => doing,
      runs: (room) => parts.some(({ name }) => name === rooms[room]),
      port: (room) => servingPort(rooms[room]),
    },
  });
  const servingPort = (name: PartName): number | null => {
    const within = parts.find((part) => part.name === name)?.within;
    const serving = running.get(within ?? name)?.port() ?? null;
    return serving !== null && within ? (ports.get(name) ?? null) : serving;
  };
  const port = await takePort(frontDoor, given);
  const config: Config = { ...given, PORT: port, publicUrl: given.PUBLIC_URL ? given.publicUrl : `http://localhost:${port}` };
  parts = replaced.parts ?? partsOf(config);

  const launched: Launched = {
    port,
    stop: () => {
      build?.stop();
      halted.resolve();
      stopping.abort();
      stopped ??= stopAll(frontDoor, running, logFiles)
        .then(() => status?.close())
        .then(() => traces.close());
      return stopped;
    },
    kill: () => {
      build?.stop();
      for (const part of running.values()) part.kill();
    },
  };
  onLaunched(launched);

  try {
    const logs = makeFolders(config);
    for (const line of dataFolderWarnings(config)) printLine(`${styled("yellow", "!")} ${line}`);
    const unprotected = config.EVENTSTORE_URL && missingProtection(config.EVENTSTORE_URL);
    if (unprotected)
      printLine(
        `${styled("yellow", "!")} event store: EVENTSTORE_URL ${unprotected}, so everybody who reaches it can read and append. Production refuses that.`,
      );
    const open = (name: string): LogFile => {
      const file = openLogFile(join(logs, `${name}.log`), { onError: sayLogTrouble });
      logFiles.push(file);
      return file;
    };
    const security = open("security");
    const openForService = (name: string): LogFile => {
      const file = open(name);
      return { ...file, write: (line) => (line.includes(`"log":"${securityMark}"`) ? security : file).write(line) };
    };
    if (config.FRONT_DOOR_STATUS_PORT)
      await assertPortFree(config.FRONT_DOOR_STATUS_PORT, "metrics of the front door", "FRONT_DOOR_STATUS_PORT");
    status = await openFrontDoorStatus(config, () => phase, {
      onError: (error) => printLine(`${styled("yellow", "!")} front door: ${error.message}`),
    });
    ports = new Map<PartName | "front-door", number>([...(await choosePorts(config, parts)), ["front-door", status.port]]);
    const env = environmentOf(config, ports, port);
    if (stopped) return launched;
    build = ensureUserInterface({
      env,
      log: open("build"),
      onProgress: (text) => {
        doing = text;
        printLine(styled("dim", text));
      },
      ...(replaced.userInterface && { file: replaced.userInterface }),
    });
    const built = build.ready.catch((error: Error) => {
      throw new StartError(`The pages could not be built:\n${indented(error.message)}`);
    });
    const start = async (part: Part): Promise<void> => {
      if (!stopped)
        await startPart(part, {
          env: environmentOfPart(part, env),
          log: openForService(part.name),
          running,
          patience: replaced.patience ?? usualPatience,
        });
    };
    const store = parts.find(({ name }) => name === "event-store");
    const stored = store ? start(store) : Promise.resolve();
    const settled = parts
      .filter((part) => part !== store && !part.afterwards && !part.within)
      .map(async (part) => {
        // Parts with subscriptions would only log errors while there is no store.
        if (usesEvents.has(part.name)) await stored;
        // Pages name the files that were built, so the service that sends them waits for those.
        if (part.name === "query-api") await built;
        await start(part);
      });
    await Promise.race([Promise.all([built, stored, ...settled]), halted.promise]);
    if (stopped) return launched;
    phase = "ready";
    const unready = await waitUntilReady(() => running.get("query-api")?.port() ?? null, readyWithinMs, stopping.signal);
    if (stopped) return launched;
    for (const part of parts.filter(({ afterwards }) => afterwards))
      void start(part).catch((error: Error) => printLine(`${styled("red", "✕")} ${part.title}: ${error.message}`));
    // At the end: a busy start would miss programs that answer slowly.
    const localServers = await findLocalModels(config, stopping.signal);
    if (stopped) return launched;
    for (const line of startTable({
      config,
      parts,
      servingPort,
      running,
      logs,
      unready,
      localServers,
      seconds: (performance.now() - begun) / 1000,
    }))
      printLine(line);
    return launched;
  } catch (error) {
    if (stopped) return launched;
    await launched.stop();
    throw error;
  }
}

async function takePort(frontDoor: FrontDoor, config: Config, again = true): Promise<number> {
  try {
    return await frontDoor.listen(config.PORT, config.HOST);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE") {
      const holder = await portHolder(config.PORT);
      // An earlier launcher that is stopping needs a moment.
      if (again && holder?.includes("infra/start.js") && (await waitUntilPortIsFree(config.PORT, predecessorMs)))
        return takePort(frontDoor, config, false);
      throw new StartError(
        `Port ${config.PORT} is taken${holder ? ` by ${holder}` : ""}.\nStop that program, or choose another port: PORT=${config.PORT + 1} npm start`,
      );
    }
    if (code === "EACCES")
      throw new StartError(`This account may not use port ${config.PORT}. Use a port from 1024 up: PORT=8080 npm start`);
    throw new StartError(
      `Cannot listen on ${config.HOST}:${config.PORT} (${code || String(error)}). Check HOST and PORT; see docs/reports/configuration.md.`,
    );
  }
}

function makeFolders(config: Config): string {
  const folder = dataFolder(config);
  const logs = join(folder, "logs");
  try {
    // It contains what learners wrote, so only its owner may read it.
    makeFolder(folder);
    // Permissions of an existing data folder are left alone; the logs folder in it is restricted.
    privateFolder(logs);
    return logs;
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be used (${error instanceof Error ? error.message : error}). Set DATA_DIR to a folder that this account may write to.`,
      configurationExitCode,
    );
  }
}

/** Reports once for all logs that lines are dropped, and once that they are written again. */
function reportLogErrors(): (error: Error | null) => void {
  let files = 0;
  return (error) => {
    files += error ? 1 : -1;
    if (error && files === 1)
      printLine(
        `${styled("red", "✕")} logs: cannot be written (${error.message}). The program continues without them. Free space on the disk of DATA_DIR.`,
      );
    if (!error && files === 0) printLine(`${styled("green", "✓")} logs: written again`);
  };
}

/** @throws {StartError} for a port that another program keeps using */
async function assertPortFree(wanted: number, title: string, variable: string): Promise<void> {
  if (await waitUntilPortIsFree(wanted, predecessorMs)) return;
  const holder = await portHolder(wanted);
  throw new StartError(
    `Port ${wanted} for the ${title} is taken${holder ? ` by ${holder}` : ""}.\nStop that program, or use any free port: ${variable}=0 npm start`,
  );
}

/** A port for each part: the configured one, when it is free, or a free one. */
async function choosePorts(config: Config, parts: Part[]): Promise<Map<PartName, number>> {
  const free = await freePorts(parts.length);
  const ports = new Map<PartName, number>();
  for (const [index, { name, title, variable }] of parts.entries()) {
    if (!variable) continue;
    const wanted = config[variable];
    if (wanted) await assertPortFree(wanted, title, variable);
    ports.set(name, wanted || (free[index] ?? 0));
  }
  return ports;
}

/** Starts a part; resolves when it serves or was reported as failing. */
function startPart(
  part: Part,
  options: { env: Record<string, string | undefined>; log: LogFile; running: Map<PartName, Supervised>; patience: Patience },
): Promise<void> {
  const { env, log, running, patience } = options;
  const fresh = suppressRepeats(10_000);
  const begun = Date.now();
  const mark = { warning: styled("yellow", "!"), error: styled("red", "✕") };
  let served = false;
  const stillRunning = (code: number | null): boolean => code === alreadyRunning && part.name === "event-store";

  return new Promise((resolve, reject) => {
    const still = setTimeout(() => printLine(styled("dim", `${part.title}: still starting`)), patience.stillMs);
    const slow = setTimeout(() => printLine(`${mark.warning} ${part.title}: not serving yet; see ${shortPath(log.path)}`), patience.slowMs);
    const noLonger = (): void => {
      clearTimeout(still);
      clearTimeout(slow);
    };
    const done = (): void => {
      noLonger();
      resolve();
    };
    const supervised = supervise({
      file: part.file,
      args: part.args ?? [],
      cwd: process.cwd(),
      env,
      log,
      isPermanentExit: (code) => code === configurationExitCode || (stillRunning(code) && Date.now() - begun > predecessorMs),
      onLine(line) {
        const readable = warningInLogLine(line);
        if (readable && fresh(readable.text)) printLine(`${mark[readable.severity]} ${part.title}: ${readable.text}`);
      },
      onReady() {
        if (served) printLine(`${styled("green", "✓")} ${part.title}: serving again`);
        served = true;
        done();
      },
      onEnd({ how, code, failures, lastLines, again }) {
        if (again === null) {
          noLonger();
          // While the program starts, the rejection ends it; later it can only be reported.
          if (served)
            for (const line of [`${part.title}: ended and is not restarted. Its last output:`, ...lastLines])
              printLine(`${mark.error} ${line}`);
          return reject(new StartError(lastLines.join("\n")));
        }
        if (stillRunning(code)) return;
        const error = lastLines.findLast((line) => /^\w*Error\b/.test(line));
        const why = error ? `${how}, ${error.slice(0, 200)}` : how;
        if (failures < failingAfter) printLine(`${mark.error} ${part.title}: ended (${why}); restarting in ${(again / 1000).toFixed(1)} s`);
        if (failures !== failingAfter) return;
        printLine(`${mark.error} ${part.title}: keeps failing (${how}). It is restarted with longer pauses. Its last output:`);
        for (const line of lastLines.slice(-8)) printLine(styled("dim", `    ${line.slice(0, 200)}`));
        printLine(styled("dim", `    full log: ${shortPath(log.path)}`));
        done();
      },
    });
    running.set(part.name, supervised);
  });
}

/** Stops the front door first, so that no requests arrive, and the event store last, so that other parts can write pending events. */
async function stopAll(frontDoor: FrontDoor, running: Map<PartName, Supervised>, logFiles: LogFile[]): Promise<void> {
  await frontDoor.close(graceMs.frontDoor);
  for (const names of stopOrder) await Promise.all(names.map((name) => running.get(name)?.stop(graceMs.part)));
  for (const file of logFiles) file.close();
}

const indented = (text: string): string => text.replace(/^/gm, "  ");
