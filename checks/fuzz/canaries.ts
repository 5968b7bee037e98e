import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";

/** Credentials that nothing but the program may ever hold, each unlike any other text. */
export interface Canaries {
  environment: Record<string, string>;
  /** What asks the provider that repeats its credential in its errors. */
  model: { choice: "pinned"; id: string; allowFallbackWhenPinned: false };
  /** How often that provider was asked. */
  asked(): number;
  /** The names of the credentials a text holds. */
  in(text: string): string[];
  /** The files below a folder that hold one, with its name. */
  inFiles(folder: string): Promise<string[]>;
  close(): void;
}

const names = [
  ...["SESSION_SECRET", "ACCOUNT_SECRET", "METRICS_TOKEN", "RENDER_WORKER_TOKEN", "P7_API_KEY", "P6_ALTERNATE_API_KEY", "SPEECH_API_KEY"],
] as const;

/** Plants them in an environment to start the program with, and serves a model provider that tells its caller's credential to everybody. */
export async function plantCanaries(): Promise<Canaries> {
  const values = Object.fromEntries(names.map((name) => [name, `canary-${name.toLowerCase().replaceAll("_", "-")}-${randomUUID()}`]));
  let asked = 0;
  const provider = createServer((request, response) => {
    asked += 1;
    const said = { error: { message: `Incorrect API key provided: ${request.headers.authorization}`, type: "invalid_request_error" } };
    response
      .writeHead(401, { "content-type": "application/json", "x-your-key": String(request.headers.authorization) })
      .end(JSON.stringify(said));
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  const seen = (bytes: string): string[] => names.filter((name) => bytes.includes(values[name] ?? name));
  return {
    environment: { ...values, P7_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1` },
    model: { choice: "pinned", id: "p7/deepseek-v4-flash", allowFallbackWhenPinned: false },
    asked: () => asked,
    in: seen,
    async inFiles(folder) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const found: string[] = [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        for (const name of seen((await readFile(file)).toString("latin1"))) found.push(`${name} in ${relative(folder, file)}`);
      }
      return found;
    },
    close: () => provider.close(),
  };
}
