import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));
/** A compiler that strangers use; the project's own types are checked with the faster one. */
const tsc = join(home, "node_modules/typescript/bin/tsc");
const fastTsc = join(home, "node_modules/typescript-7/bin/tsc");
const systemNode = "/usr/bin/node";

/** The package as a stranger has it: packed, and installed into an empty folder. */
export interface InstalledClient {
  folder: string;
  /** Paths in the package. */
  files: string[];
  /** Runs a module that lies in the folder, with this Node. */
  run(node: string, file: string, ...args: string[]): Promise<string>;
  /** Type-checks a file that lies in the folder, as strictly as tsc can; `types`: packages of types of ours that the stranger has, too. */
  check(file: string, options: { lib: string[]; types?: string[] }): string;
  remove(): void;
}

/** Packs the client and installs it where nothing can be downloaded: there is no registry at that address, and the cache is empty. */
export function installClient(): InstalledClient {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-client-"));
  const printed = execute("npm", ["pack", "--json", "--pack-destination", folder], join(home, "client"));
  const [{ filename, files }] = JSON.parse(printed.slice(printed.indexOf("[\n"))) as [{ filename: string; files: { path: string }[] }];
  const stranger = join(folder, "stranger");
  mkdirSync(stranger);
  const offline = ["--offline", "--registry", "http://127.0.0.1:9", "--cache", join(folder, "cache"), "--no-audit", "--no-fund"];
  execute("npm", ["install", ...offline, join(folder, filename)], stranger);
  return {
    folder: stranger,
    files: files.map(({ path }) => path),
    run: (node, file, ...args) =>
      new Promise((resolve, reject) => {
        execFile(node, [file, ...args], { cwd: stranger }, (error, stdout, stderr) =>
          error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
        );
      }),
    check(file, { lib, types = [] }) {
      for (const name of types) {
        mkdirSync(join(stranger, "node_modules/@types"), { recursive: true });
        symlinkSync(join(home, "node_modules/@types", name), join(stranger, "node_modules/@types", name));
      }
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      const compilerOptions = { ...strict, noEmit: true, allowJs: true, checkJs: true, target: "es2022", lib, module: "nodenext", types };
      writeFileSync(join(stranger, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
      return execute(process.execPath, [tsc, "-p", "."], stranger);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What tsc says of a program with the project's own sources. @throws with its words when there are any */
export const compileOwn = (folder: string): string => execute(process.execPath, [fastTsc, "-p", "."], folder);

/** The machine's own Node, where it is the oldest that the package promises; null where it is another. */
export function node20(): string | null {
  try {
    return execFileSync(systemNode, ["--version"], { encoding: "utf8" }).startsWith("v20.") ? systemNode : null;
  } catch {
    return null;
  }
}

function execute(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  }
}
