import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { loadProviderCatalog } from "@colloquy/infra/provider-catalog.ts";
import type { Variable } from "@colloquy/infra/variable.ts";
import { variables } from "@colloquy/infra/variables.ts";
import type { CatalogSlot } from "@colloquy/schemas/provider-catalog.ts";

/** Credentials that nothing but the program may ever hold, each unlike any other text. */
export interface Canaries {
  environment: Record<string, string>;
  /** What asks each provider that repeats its caller's credential in its errors. */
  models: { choice: "pinned"; id: string; allowFallbackWhenPinned: false }[];
  /** The models that were asked for an answer, by their slots. */
  asked: ReadonlySet<string>;
  /** Whether traces were sent to where they are refused, with the credential repeated. */
  traced(): boolean;
  /** The names of the credentials a text holds. */
  in(text: string): string[];
  /** The files below a folder that hold one, with its name. */
  inFiles(folder: string): Promise<string[]>;
  close(): void;
}

/** Secrets that cannot be made up: the program does not start unless what they open is there. */
const opensAnEngine: Readonly<Record<string, string>> = {
  EVENTSTORE_URL: "an EventStoreDB beside the embedded one",
  DATABASE_URL: "a PostgreSQL; the address of a SQLite file holds no credential",
  S3_ACCESS_KEY_ID: "an S3",
  S3_SECRET_ACCESS_KEY: "an S3",
};

/** Every variable the configuration calls secret, but those. */
export const planted: readonly string[] = Object.entries<Variable>(variables)
  .filter(([name, { secret }]) => secret && !(name in opensAnEngine))
  .map(([name]) => name);

/** The demonstration model stands where P1 would: P1's credential is planted and belongs to no slot. */
const isAsked = ({ slot }: CatalogSlot): boolean => slot !== "p1";

/** Plants them in an environment to start the program with, and serves what tells its caller's credential to everybody: model providers, and a receiver of traces. */
export async function plantCanaries(): Promise<Canaries> {
  const values = Object.fromEntries(planted.map((name) => [name, `canary-${name.toLowerCase().replaceAll("_", "-")}-${randomUUID()}`]));
  const asked = new Set<string>();
  let traced = false;
  const teller = createServer((request, response) => {
    const [, slot = "", ...rest] = request.url?.split("/") ?? [];
    // `/readyz` only looks whether anybody is there.
    if (request.method === "POST" && rest.join("/") === "v1/chat/completions") asked.add(slot);
    traced ||= request.url === "/traces/v1/traces";
    const key = String(request.headers.authorization);
    const said = { error: { message: `Incorrect API key provided: ${key}`, type: "invalid_request_error" } };
    response.writeHead(401, { "content-type": "application/json", "x-your-key": key }).end(JSON.stringify(said));
  }).listen(0, "127.0.0.1");
  await once(teller, "listening");
  const address = `http://127.0.0.1:${(teller.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "colloquy-canaries-"));
  const catalogue = join(folder, "provider-catalog.json");
  const slots = loadProviderCatalog(readConfig({}))
    .filter(isAsked)
    .map((slot) => ({ ...slot, baseUrl: `${address}/${slot.slot}/v1` }));
  writeFileSync(catalogue, JSON.stringify({ schemaVersion: 1, slots }));
  const seen = (bytes: string): string[] => planted.filter((name) => bytes.includes(values[name] ?? name));
  return {
    environment: {
      ...values,
      PROVIDER_CATALOG: catalogue,
      EMBEDDINGS_URL: `${address}/embeddings/v1`,
      EMBEDDINGS_MODEL: "multilingual",
      LOCAL_MODEL_URL: `${address}/local/v1`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${values.OTEL_EXPORTER_OTLP_HEADERS}`,
    },
    models: slots.flatMap(({ slot, models }) =>
      models
        .filter((model) => model.default)
        .map(({ id }) => ({ choice: "pinned", id: `${slot}/${id}`, allowFallbackWhenPinned: false }) as const),
    ),
    asked,
    traced: () => traced,
    in: seen,
    async inFiles(below) {
      const entries = await readdir(below, { recursive: true, withFileTypes: true });
      const found: string[] = [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        for (const name of seen((await readFile(file)).toString("latin1"))) found.push(`${name} in ${relative(below, file)}`);
      }
      return found;
    },
    close() {
      teller.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
