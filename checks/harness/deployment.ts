import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { programUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { type Actor, signIn } from "./actors.ts";
import { type ManagedProcess, managedProcess } from "./process.ts";

/** The services of the program as processes of their own, over one data folder, without launcher and front door. */
export interface Deployment {
  objects: S3Double;
  /** A client of the event store. */
  events: EventStore;
  eventStore: ManagedProcess;
  /** Several, as on machines of their own. */
  commandApis: ManagedProcess[];
  queryApi: ManagedProcess;
  /** All of them but the event store. */
  services: readonly ManagedProcess[];
  dataDir: string;
  /** An owner of all courses, signed in at the first command API; the session holds at all of them. */
  owner(number: number): Promise<Actor>;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  commandApis: number;
  /** Added to the environment of all services. */
  environment?: Record<string, string>;
  /** Called with the data folder before anything starts. */
  prepare?: (dataDir: string) => void;
}

const publicUrl = "http://localhost:8080";

/** The account id of the owner with this number. */
export const ownerAccount = (number: number): string => `acc_owner${String(number).padStart(4, "0")}`;

const portOf = (address: string): number => Number(new URL(address).port);

/** Starts the services. @throws when one of them does not start */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  // The query API reads what its pages load.
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), "colloquy-deployment-"));
  options.prepare?.(dataDir);
  const objects = await startS3Double();
  const secret = randomBytes(32).toString("hex");
  const started: ManagedProcess[] = [];
  const start = async (name: string, file: string, portVariable: string, environment: Record<string, string>): Promise<ManagedProcess> => {
    const one = managedProcess({ name, file, portVariable, folder: dataDir, environment });
    started.push(one);
    await one.start();
    return one;
  };
  let events: EventStore | null = null;
  const close = async (): Promise<void> => {
    await events?.close();
    await Promise.all(started.map((one) => one.kill()));
    await objects.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const eventStore = await start("event store", "infra/event-store/embedded/main.ts", "EVENTSTORE_PORT", {});
    const eventStoreUrl = programUrl(dataDir, { port: portOf(eventStore.address()), tls: true });
    events = openEventStore(eventStoreUrl);
    const environment = {
      ...objects.environment,
      EVENTSTORE_URL: eventStoreUrl,
      LOG_LEVEL: "silent",
      DEMO_COURSES: "off",
      DEMO_MODEL: "off",
      SESSION_SECRET: secret,
      PUBLIC_URL: publicUrl,
      ...options.environment,
    };
    await start("projections", "projections/main.ts", "PROJECTIONS_PORT", environment);
    const queryApi = await start("query API", "query-api/main.ts", "QUERY_API_PORT", environment);
    const commandApis = await Promise.all(
      Array.from({ length: options.commandApis }, (_, index) =>
        start(`command API ${index + 1}`, "command-api/main.ts", "COMMAND_API_PORT", environment),
      ),
    );
    return {
      objects,
      events,
      eventStore,
      commandApis,
      queryApi,
      dataDir,
      services: started.filter((one) => one !== eventStore),
      owner: (number) =>
        signIn(
          { url: commandApis[0]?.address() ?? "", publicUrl, secret },
          { accountId: ownerAccount(number), name: "Owner", roles: ["owner"] },
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
