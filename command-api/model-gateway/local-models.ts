import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "@colloquy/infra/config.ts";
import { describeServers, type FoundServer, findLocalModels, looksForLocalModels } from "@colloquy/infra/local-models/find.ts";
import type { FoundModel } from "@colloquy/infra/local-models/programs.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { CallFailure } from "./failures.ts";
import { localMemory } from "./local-memory.ts";
import { type ObjectSkill, probeObjects } from "./local-probe.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";

/** The models of programs on this machine, as they come and go. */
export interface LocalModels {
  models(): readonly ModelTarget[];
  callDetails(model: ModelTarget): CallDetails | undefined;
  /** Looks again, unless that was done a moment ago, and waits for that a moment. */
  refresh(): Promise<void>;
  /** An answer came: the model is in memory now, so that it can be probed without being loaded for that. */
  answered(model: ModelTarget): void;
  /** Looks again and again until the signal aborts. */
  watch(signal: AbortSignal): void;
  /** Resolves when no probe is running. */
  probed(): Promise<void>;
}

const { refreshMs, refreshWithinMs, watchMs, probeAgainMs, timeouts, objectTokens, reasoningTokens } = modelBounds.localModels;

type Settings = Parameters<typeof findLocalModels>[0] & Pick<Config, "DATA_DIR" | "LOCAL_MODELS">;

interface Known {
  server: FoundServer;
  found: FoundModel;
  target: ModelTarget;
}

/** Null if local models are not looked for. */
export function openLocalModels({
  config,
  log,
  find = (signal) => findLocalModels(config, signal),
  now = () => performance.now(),
}: {
  config: Settings;
  log: Logger;
  find?: (signal?: AbortSignal) => Promise<FoundServer[]>;
  now?: () => number;
}): LocalModels | null {
  if (!looksForLocalModels(config)) return null;
  const memory = localMemory(config, log);
  const details = new Map<string, CallDetails>();
  /** When a probe that got no answer may be repeated. */
  const waiting = new Map<string, number>();
  const stopping = new AbortController();
  let known: Known[] = [];
  let servers: FoundServer[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let probing: Promise<void> | null = null;

  const keyOf = ({ name }: FoundServer, { serviceId, fingerprint }: FoundModel): string => `${name} ${serviceId} ${fingerprint}`;

  function targetOf(server: FoundServer, found: FoundModel): ModelTarget {
    const remembered = memory.get(keyOf(server, found));
    const contextTokens =
      (found.loaded ? found.contextTokens : (remembered?.contextTokens ?? found.contextTokens)) ?? modelBounds.localModels.contextTokens;
    const writesObjects = remembered !== undefined && remembered.objects !== null && contextTokens >= objectTokens;
    return {
      id: `${server.name}/${found.serviceId.replaceAll(/[^A-Za-z0-9._:/@-]/g, "-")}`.slice(0, 160),
      serviceId: found.serviceId,
      name: found.name,
      tutor: writesObjects,
      quiz: writesObjects,
      default: false,
      structuredOutput: remembered?.objects ?? "json_object",
      reasoningTokens: (found.reasons ?? seemsToReason(found.serviceId)) ? reasoningTokens : 0,
      contextTokens,
      extractive: false,
      newestFlash: false,
      provider: "local",
      providerLabel: server.label,
      service: `local/${server.origin}`,
      automaticRank: null,
      experimental: false,
    };
  }

  /** Only a model that has been probed may be asked automatically: whatever else listens on such a port is asked by name only. */
  function update(): void {
    const seen = new Set<string>();
    known = servers
      .flatMap((server) => server.models.map((found) => ({ server, found, target: targetOf(server, found) })))
      .filter(({ target }) => !seen.has(target.id) && seen.add(target.id));
    const probedOnes = known.filter(({ server, found }) => memory.get(keyOf(server, found)) !== undefined);
    const first = probedOnes.find(({ target }) => target.tutor) ?? probedOnes[0];
    if (first) first.target.default = true;
  }

  async function look(): Promise<void> {
    const before = servers;
    servers = await find(stopping.signal);
    lookedAt = now();
    const gone = before.filter(({ origin }) => !servers.some((server) => server.origin === origin));
    if (gone.length) log.warn(`local models are gone: ${describeServers(gone)}. Start the program again to use them.`);
    const came = servers.filter(({ origin }) => !before.some((server) => server.origin === origin));
    if (came.length) log.info(`local models found: ${describeServers(came)}`);
    update();
    probing ??= probeAll().finally(() => {
      probing = null;
    });
  }

  const refresh = (): Promise<void> => {
    if (now() - lookedAt < refreshMs) return Promise.resolve();
    looking ??= look().finally(() => {
      looking = null;
    });
    // A slow server delays nobody: what it has is offered when it has said so.
    return Promise.race([looking, pause(refreshWithinMs, undefined, { ref: false })]);
  };

  /** The next model to probe: one in memory, or the first of a program of which none is known. Probing others would load them all. */
  function nextToProbe(): Known | undefined {
    const isDue = ({ server, found }: Known): boolean =>
      memory.get(keyOf(server, found)) === undefined && (waiting.get(keyOf(server, found)) ?? 0) <= now();
    const isKnown = (origin: string): boolean =>
      known.some(({ server, found }) => server.origin === origin && (memory.get(keyOf(server, found)) !== undefined || found.loaded));
    return known.find((one) => one.found.loaded && isDue(one)) ?? known.find((one) => isDue(one) && !isKnown(one.server.origin));
  }

  async function probeAll(): Promise<void> {
    for (let next = nextToProbe(); next && !stopping.signal.aborted; next = nextToProbe()) await probe(next);
  }

  async function probe({ server, found, target }: Known): Promise<void> {
    const key = keyOf(server, found);
    let objects: ObjectSkill;
    try {
      objects = await probeObjects(target, detailsOf(server), stopping.signal);
    } catch (error) {
      waiting.set(key, now() + probeAgainMs);
      if (error instanceof CallFailure) log.info({ model: `local/${target.id}`, kind: error.kind }, "local model did not answer a probe");
      else if (!stopping.signal.aborted) throw error;
      return;
    }
    // The program gave it its window by loading it.
    const after = (await find(stopping.signal)).find(({ origin }) => origin === server.origin);
    const loaded = after?.models.find(({ serviceId, fingerprint }) => serviceId === found.serviceId && fingerprint === found.fingerprint);
    memory.set(key, { objects, contextTokens: loaded?.contextTokens ?? found.contextTokens });
    update();
    log.info({ model: `local/${target.id}`, objects, contextTokens: targetOf(server, found).contextTokens }, "local model probed");
  }

  function detailsOf({ origin, apiKey }: FoundServer): CallDetails {
    const made = details.get(origin) ?? { baseUrl: `${origin}/v1`, apiKey: apiKey ?? null, usageInStream: true, timeouts };
    details.set(origin, made);
    return made;
  }

  return {
    models: () => known.map(({ target }) => target),
    callDetails(model) {
      const server = known.find(({ target }) => target.service === model.service)?.server;
      return server && detailsOf(server);
    },
    refresh,
    answered(model) {
      const one = known.find(({ target }) => target.id === model.id);
      if (!one || memory.get(keyOf(one.server, one.found)) !== undefined) return;
      one.found.loaded = true;
      probing ??= probeAll().finally(() => {
        probing = null;
      });
    },
    watch(signal) {
      const timer = setInterval(
        () => void refresh().catch((error: unknown) => log.warn({ err: error }, "looking for local models failed")),
        watchMs,
      );
      timer.unref();
      signal.addEventListener(
        "abort",
        () => {
          clearInterval(timer);
          stopping.abort(signal.reason);
        },
        { once: true },
      );
      void refresh().catch((error: unknown) => log.warn({ err: error }, "looking for local models failed"));
    },
    async probed() {
      await looking;
      while (probing) await probing;
    },
  };
}

/** Names of models that reason, where the program does not say. */
const seemsToReason = (id: string): boolean => /(?:^|[-_/:.])(?:r1|qwq|qwen3|gpt-oss|think\w*|reason\w*)(?:$|[-_/:.])/i.test(id);
