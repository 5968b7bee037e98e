import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 100;

/** Below the system's range of ephemeral ports, where another program could get the same port by chance. */
const ours = { from: 20_000, below: 32_000 };
const triesEach = 100;
/** How long a found port stays reserved among our own processes: longer than a part takes until it listens, in milliseconds. */
const keptMs = 60_000;

/** Distinct free ports. Another program may take one before it is used; then the start of one part fails. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listeningSomewhere()));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listeningSomewhere(): Promise<Server> {
  for (let tried = 0; tried < triesEach; tried += 1) {
    const port = randomInt(ours.from, ours.below);
    const server = (await reserve(port)) && (await listening(port).catch(() => null));
    if (server) return server;
  }
  return listening(0);
}

/** Reserves a port among our own processes by binding the UDP port of the same number, which none of them uses. */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket("udp4").unref();
  return new Promise((resolve) => {
    mark.once("error", () => {
      mark.close();
      resolve(false);
    });
    mark.bind({ port, address: "127.0.0.1", exclusive: true }, () => {
      setTimeout(() => mark.close(), keptMs).unref();
      resolve(true);
    });
  });
}

/** Whether a port of the loopback interface is free. */
async function portIsFree(port: number): Promise<boolean> {
  try {
    const server = await listening(port);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
}

function listening(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => resolve(server));
  });
}

/** Waits until a port is free; false after `ms` milliseconds. */
export async function waitUntilPortIsFree(port: number, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; ; await pause(lookEveryMs)) {
    if (await portIsFree(port)) return true;
    if (Date.now() > until) return false;
  }
}

/** The process that listens on a port, such as `node infra/start.js (process 4711)`; null if unknown. */
export async function portHolder(port: number): Promise<string | null> {
  const holder = process.platform === "linux" ? await holderFromProc(port) : await holderFromLsof(port);
  return holder && `${holder.command} (process ${holder.pid})`;
}

interface Holder {
  pid: string;
  command: string;
}

/** Linux: the socket's inode stands in /proc/net, and as a link among the open files of its process. */
async function holderFromProc(port: number): Promise<Holder | null> {
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1)) {
      const columns = line.trim().split(/\s+/);
      const [, local = "", , state] = columns;
      if (state === "0A" && Number.parseInt(local.split(":")[1] ?? "", 16) === port) inodes.add(`socket:[${columns[9]}]`);
    }
  }
  if (!inodes.size) return null;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    for (const file of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
      if (!inodes.has(target)) continue;
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0").filter(Boolean);
      return { pid, command: shorten(command) };
    }
  }
  return null;
}

function holderFromLsof(port: number): Promise<Holder | null> {
  return new Promise((resolve) => {
    execFile("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { timeout: 2_000 }, (error, output) => {
      const pid = /^p(\d+)/m.exec(output)?.[1];
      const command = /^c(.+)/m.exec(output)?.[1];
      resolve(error || !pid ? null : { pid, command: command ?? "a program" });
    });
  });
}

/** A command line without its folders, cut to one short line. */
function shorten(command: string[]): string {
  const words = command.map((word) => word.split("/").slice(-2).join("/"));
  return words.join(" ").slice(0, 80) || "a program";
}
