import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { issueCertificate } from "../event-store/embedded/security/certificate.ts";
import { openLedgerSigner } from "../ledger/keys.ts";

/**
 * `node infra/docker/make-secrets.ts [folder]`: makes the secrets that compose.yaml names, each a file; those that are there stay. Keys of
 * model services are made empty, to be filled in. Keep a copy: ACCOUNT_SECRET and ledger-keys cannot be made again.
 */
const folder = process.argv[2] ?? fileURLToPath(new URL("secrets", import.meta.url));
mkdirSync(folder, { recursive: true, mode: 0o700 });
chmodSync(folder, 0o700);

/** The value kept under a name, made now where there is none. */
function kept(name: string, make: () => string): string {
  const file = join(folder, name);
  // The folder is for its owner alone; a container, which has another user, is handed single files and must read them.
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o644, flag: "wx" });
  return readFileSync(file, "utf8");
}
const random = (): string => randomBytes(32).toString("base64url");

for (const name of [
  "SESSION_SECRET",
  "ACCOUNT_SECRET",
  "METRICS_TOKEN",
  "RENDER_WORKER_TOKEN",
  "OIDC_CLIENT_SECRET",
  "keycloak-admin",
  "grafana-admin",
])
  kept(name, random);
kept("S3_ACCESS_KEY_ID", () => `colloquy${randomBytes(6).toString("hex")}`);
kept("S3_SECRET_ACCESS_KEY", random);
const password = kept("postgres-password", random);
kept("DATABASE_URL", () => `postgres://colloquy:${password}@postgres:5432/colloquy`);
const admin = kept("eventstore-admin", random);
kept("eventstore.env", () => `EVENTSTORE_DEFAULT_ADMIN_PASSWORD=${admin}\nEVENTSTORE_DEFAULT_OPS_PASSWORD=${random()}\n`);
const nodes = ["eventstore1", "eventstore2", "eventstore3"];
const eventStores = nodes.map((node) => `${node}:2113`).join(",");
kept("EVENTSTORE_URL", () => `esdb://admin:${admin}@${eventStores}?tls=true&tlsCAFile=/run/secrets/eventstore-ca.crt`);
if (!existsSync(join(folder, "eventstore-node.key"))) {
  // The nodes of a cluster know each other by this common name.
  const subject = { name: "eventstoredb-node", hosts: [...nodes, "localhost"], addresses: ["127.0.0.1"], days: 3_650, isClient: true };
  const { authority, certificate, key } = await issueCertificate(Date.now(), subject);
  kept("eventstore-ca.crt", () => authority);
  kept("eventstore-node.crt", () => certificate);
  kept("eventstore-node.key", () => key);
}
for (const slot of ["P1", "P2", "P3", "P4"]) kept(`${slot}_API_KEY`, () => "");
kept("ledger-keys", () => {
  const place = mkdtempSync(join(tmpdir(), "colloquy-keys-"));
  try {
    openLedgerSigner({ DATA_DIR: place }).keys();
    return readFileSync(join(place, "secrets/ledger-keys"), "utf8");
  } finally {
    rmSync(place, { recursive: true });
  }
});
console.log(`The secrets are in ${folder}.`);
