import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { installed } from "./installed.ts";
import { killGroup } from "./process-group.ts";

/** What a program may see. Paths are absolute. */
interface Bounds {
  read: string[];
  write: string[];
}
interface Command {
  command: string;
  args: string[];
  /** In a process group and session of its own, so that `killGroup` ends all of it. */
  options: { env: Record<string, string>; detached: true };
}

/** Runs programs with as few permissions as they need. */
export interface Isolation {
  kind: "bubblewrap" | "permissions";
  /** Whether renderers are cut off from the network. */
  offline: boolean;
  /** A module of ours under this Node. */
  module(file: string, args: string[], bounds: Bounds, nodeOptions: string[]): Command;
  /** Another program. @param read what it needs beside the system's own files */
  program(command: string, args: string[], read?: string[]): Command;
}

/** The whole environment of a renderer: no home folder, and only the shipped fonts. */
const environment = { HOME: "/tmp", DISABLE_SYSTEM_FONTS_LOAD: "1" };

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Of the program's own folder, what the renderer is made of; not the rest, where data and keys may lie. */
const own = ["node_modules", "render-service", "schemas", "package.json"].map((name) => `${root}${name}`);
const system = ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"];
/** If a trial takes longer, the isolation does not work here. */
const tryMs = 5_000;

/**
 * Bubblewrap where it is installed and works, which it does not in every container; else Node's own permissions, which native code can get
 * around, in a network namespace without a network where `unshare` works.
 */
export async function findIsolation(path = process.env.PATH): Promise<Isolation> {
  const bwrap = installed("bwrap", path);
  if (bwrap && (await works(bubblewrap(bwrap).program("/usr/bin/true", [])))) return bubblewrap(bwrap);
  const unshare = installed("unshare", path);
  const apart = unshare ? permissions([unshare, "--user", "--map-current-user", "--net", "--"]) : null;
  return apart && (await works(apart.program("/usr/bin/true", []))) ? apart : permissions(null);
}

function bubblewrap(bwrap: string): Isolation {
  const wrap = (command: string, args: string[], { read, write }: Bounds): Command => ({
    command: bwrap,
    options: { env: {}, detached: true },
    args: [
      // No network, no other processes, nobody's environment; gone when the worker is. No `--new-session`: bubblewrap's processes depend on
      // its life only once the sandbox is set up, so until then killing their group must reach them.
      "--unshare-all",
      "--die-with-parent",
      "--clearenv",
      "--cap-drop",
      "ALL",
      ...Object.entries(environment).flatMap((variable) => ["--setenv", ...variable]),
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--tmpfs",
      "/tmp",
      ...[...system, ...read].flatMap((folder) => ["--ro-bind-try", folder, folder]),
      ...write.flatMap((folder) => ["--bind", folder, folder]),
      "--chdir",
      write[0] ?? "/",
      "--",
      command,
      ...args,
    ],
  });
  return {
    kind: "bubblewrap",
    offline: true,
    module: (file, args, { read, write }, nodeOptions) =>
      wrap(process.execPath, [...nodeOptions, file, ...args], { read: [process.execPath, ...own, ...read], write }),
    program: (command, args, read = []) => wrap(command, args, { read, write: [] }),
  };
}

/** @param prefix the command that cuts its program off from the network */
function permissions(prefix: [string, ...string[]] | null): Isolation {
  const options: Command["options"] = { env: environment, detached: true };
  const within = (command: string, args: string[]): Command =>
    prefix ? { command: prefix[0], args: [...prefix.slice(1), command, ...args], options } : { command, args, options };
  return {
    kind: "permissions",
    offline: prefix !== null,
    module: (file, args, { read, write }, nodeOptions) =>
      within(process.execPath, [
        "--permission",
        "--allow-addons",
        ...[...own, ...read, ...write].map((path) => `--allow-fs-read=${path}`),
        ...write.map((path) => `--allow-fs-write=${path}`),
        ...nodeOptions,
        file,
        ...args,
      ]),
    program: within,
  };
}

async function works({ command, args, options }: Command): Promise<boolean> {
  const child = spawn(command, args, { ...options, stdio: "ignore" });
  const late = setTimeout(() => killGroup(child), tryMs);
  try {
    const [code] = await once(child, "close");
    return code === 0;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
  }
}
