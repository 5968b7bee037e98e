import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePorts } from "../../launch/ports.ts";
import { Kafka, logLevel } from "../kafkajs.ts";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/colloquy/test-broker", import.meta.url));
/** The first download is some 45 MB. */
const downloadWithinMs = 240_000;
const servesWithinMs = 60_000;

export interface TestBroker {
  /** For `KAFKA_BROKERS`; the same after a restart. */
  address: string;
  /** Where its logs of records lie. */
  records: string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Begins again on what it had written; resolves when it serves. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** The broker's classpath, resolved by Maven once for each `pom.xml`. @throws when Java or Maven are missing, or the download fails. */
async function classpath(): Promise<string> {
  const pom = await readFile(join(here, "pom.xml"));
  const file = join(cache, `${createHash("sha256").update(pom).digest("hex").slice(0, 16)}.classpath`);
  const kept = await readFile(file, "utf8").catch(() => "");
  if (kept !== "" && kept.split(delimiter).every((jar) => existsSync(jar))) return kept;
  await mkdir(cache, { recursive: true });
  const fresh = `${file}.${process.pid}`;
  const goal = ["-q", "-B", "-f", join(here, "pom.xml"), "dependency:build-classpath", `-Dmdep.outputFile=${fresh}`];
  await run("mvn", goal, { timeout: downloadWithinMs });
  const resolved = (await readFile(fresh, "utf8")).trim();
  await writeFile(fresh, resolved);
  await rename(fresh, file);
  return resolved;
}

/** The broker's classpath, or null where Java or Maven are missing; then it is said loudly, because what Kafka promises is not tried. */
export async function testBrokerHere(): Promise<string | null> {
  try {
    await run("java", ["-version"]);
    return await classpath();
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    console.warn(`\n  !! No Apache Kafka can be started here (${why}; it needs Java 17 and Maven): the Kafka tests DID NOT RUN.\n`);
    return null;
  }
}

const settings = (folder: string, port: number, controller: number, more: Record<string, string>): string =>
  Object.entries({
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "log.dirs": join(folder, "records"),
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    // Nothing may come about by a misspelt name.
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    // One that was killed may come back at once.
    "broker.session.timeout.ms": "1000",
    "broker.heartbeat.interval.ms": "300",
    ...more,
  })
    .map((entry) => entry.join("="))
    .join("\n");

/**
 * A real Apache Kafka (one node, KRaft) in a temporary folder, serving when this resolves.
 * @param more settings of the broker
 * @param through gives the address that leads to a port here: what the broker tells its clients
 */
export async function startTestBroker(
  jars: string,
  more: Record<string, string> = {},
  through = async (port: number): Promise<string> => `127.0.0.1:${port}`,
): Promise<TestBroker> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-kafka-"));
  const properties = join(folder, "server.properties");
  const records = join(folder, "records");
  const [port = 0, controller = 0] = await freePorts(2);
  const address = await through(port);
  await writeFile(properties, settings(folder, port, controller, { "advertised.listeners": `PLAINTEXT://${address}`, ...more }));
  const java = [
    "-Xms96m",
    "-Xmx320m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xshare:auto",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-cp",
    jars,
  ];
  // 22 letters of base64: the form of a cluster's id.
  await run("java", [...java, "kafka.tools.StorageTool", "format", "-t", "Y29sbG9xdXktdGVzdC0wMQ", "-c", properties]);
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }
  const broker: TestBroker = {
    address,
    records,
    kill: () => end("SIGKILL"),
    async start() {
      const lastWords: string[] = [];
      const started = spawn("java", [...java, "kafka.Kafka", properties], { stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on("data", (text: Buffer) => void lastWords.splice(0, Math.max(0, lastWords.push(text.toString()) - 20)));
      await serving(address, started).catch((error) => {
        throw new Error(`The test broker does not serve: ${error.message}\n${lastWords.join("")}`);
      });
    },
    async remove() {
      await end("SIGKILL");
      process.off("exit", killAtExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
  // A test run that is cut off must not leave a broker behind.
  const killAtExit = (): void => void child?.kill("SIGKILL");
  process.on("exit", killAtExit);
  await broker.start().catch(async (error) => {
    await broker.remove();
    throw error;
  });
  return broker;
}

async function serving(address: string, child: ChildProcess): Promise<void> {
  const client = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, connectionTimeout: 1_000, retry: { retries: 0 } });
  for (const until = Date.now() + servesWithinMs; Date.now() < until; await pause(100)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const admin = client.admin();
    try {
      await admin.connect();
      const { brokers, controller } = await admin.describeCluster();
      if (brokers.length > 0 && controller !== null && controller >= 0) return;
    } catch {
      // Not yet.
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
  throw new Error(`nothing answers at ${address} within ${servesWithinMs} ms`);
}
