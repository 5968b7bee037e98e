import type { Config } from "../config.ts";
import { askOf } from "./exchange.ts";
import { type FoundModel, type Program, programs } from "./programs.ts";

/** A server that answered, and its models. */
export interface FoundServer extends Pick<Program, "name" | "label"> {
  /** Without a trailing slash. */
  origin: string;
  /** Of `LOCAL_MODEL_URL` only. */
  apiKey?: string;
  models: FoundModel[];
}

/** For all questions to one place. */
const placeMs = 5_000;

type Settings = Pick<Config, "LOCAL_MODELS" | "LOCAL_MODEL_URL" | "LOCAL_MODEL_API_KEY" | "PORT" | "development">;

/** Whether local models are looked for: in production only if somebody says so. */
export const looksForLocalModels = ({ LOCAL_MODELS: setting, LOCAL_MODEL_URL: url, development }: Settings): boolean =>
  setting === undefined ? development || url !== undefined : setting !== "off";

interface Place {
  origin: string;
  programs: readonly Program[];
  apiKey?: string | undefined;
}

/** Where to look: the address that was named, or the usual ports of this machine except our own. */
export function placesOf({ LOCAL_MODEL_URL: url, LOCAL_MODEL_API_KEY: apiKey, PORT: ownPort }: Settings): Place[] {
  if (url !== undefined) return [{ origin: url, programs, apiKey }];
  return programs.flatMap((program) =>
    program.port === undefined || program.port === ownPort ? [] : [{ origin: `http://127.0.0.1:${program.port}`, programs: [program] }],
  );
}

/** Asks every place once. Servers without models for text are not listed. */
export async function findLocalModels(settings: Settings, signal?: AbortSignal, places = placesOf(settings)): Promise<FoundServer[]> {
  if (!looksForLocalModels(settings)) return [];
  const servers = await Promise.all(places.map((place) => serverAt(place, signal)));
  return servers.filter((server) => server !== null && server.models.length > 0) as FoundServer[];
}

async function serverAt({ origin, programs: tried, apiKey }: Place, signal?: AbortSignal): Promise<FoundServer | null> {
  const ask = askOf(origin, apiKey, AbortSignal.any([AbortSignal.timeout(placeMs), ...(signal ? [signal] : [])]));
  for (const { name, label, read } of tried) {
    const models = await read(ask);
    if (models) return { name, label, origin, models, ...(apiKey !== undefined && { apiKey }) };
  }
  return null;
}

/** What was found, in one line: "Ollama at 127.0.0.1:11434 (llama3.2:3b, qwen3:8b and 2 more)". */
export function describeServers(servers: readonly FoundServer[]): string {
  return servers
    .map(({ label, origin, models }) => {
      const shown = models.slice(0, 3).map(({ name }) => name);
      const more = models.length - shown.length;
      return `${label} at ${URL.parse(origin)?.host ?? origin} (${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
    })
    .join("; ");
}
