import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { parseCall, runTool, UsageError } from "../command-line.ts";

const usage = `Usage: npm run package [-- --out <folder>]

Makes colloquy-<version>-<system>-<processor>.tar.gz: the program with its packages, its built pages, Node.js and a systemd unit, for a
server of the same system and processor without internet. It takes the packages that are installed here: run npm ci first.
Install it as docs/run/install.md says.`;

const home = fileURLToPath(new URL("../../", import.meta.url));
const own = fileURLToPath(new URL(".", import.meta.url));
const beside = [".npmrc", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "docs", "package-lock.json", "package.json"];
const units = ["colloquy", "colloquy.env", "colloquy.service"];
/** Built files, data, deployments of other kinds and this folder; tests and what only they import. */
const leftOut =
  /(^|\/)(node_modules|dist(-[^/]+)?|\.data|testing|evaluation|test-broker)$|^infra\/(docker|k8s|archive)$|\.(test|fixture)\.ts$/;

/** Leaves out the types of packages, a third of all files: only a compiler reads them. */
const withoutTypes = ["d.ts", "d.mts", "d.cts"].map((ending) => `--exclude=*/node_modules/*.${ending}`);

interface PackageJson {
  name: string;
  version: string;
  workspaces: string[];
}

/** Copies the program's own files, without tests. */
async function copySources(folder: string, { workspaces }: PackageJson): Promise<void> {
  for (const name of [...workspaces, ...beside])
    await cp(join(home, name), join(folder, name), { recursive: true, filter: (file) => !leftOut.test(relative(home, file)) });
  for (const name of units) await copyFile(join(own, name), join(folder, name));
}

/** Copies the installed packages that the program needs while it runs. @throws if one is missing or differs from package.json */
function copyPackages(folder: string): void {
  const listed = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], { cwd: home, encoding: "utf8" });
  const all = listed.trim().split("\n").slice(1);
  // A package within another is copied with it. One call, because some share files by hard links.
  const packages = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
  execFileSync("cp", ["-a", "--parents", ...packages.map((path) => relative(home, path)), folder], { cwd: home });
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** `npm run package`: 0 when the archive is there, 1 when it could not be made, 2 for a wrong call. */
async function run(args: string[]): Promise<number> {
  const options = { out: { type: "string", default: "." }, help: { type: "boolean", short: "h" } } as const;
  const { values } = parseCall(() => parseArgs({ args, options }));
  if (values.help) throw new UsageError();
  const out = resolve(values.out);
  const description = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as PackageJson;
  const name = [description.name, description.version, process.platform, process.arch].join("-");
  await mkdir(out, { recursive: true });
  const making = await mkdtemp(join(out, ".package-"));
  try {
    const folder = join(making, name);
    await mkdir(folder);
    console.log("Copying the program …");
    await copySources(folder, description);
    console.log("Copying its packages …");
    copyPackages(folder);
    console.log("Building its pages …");
    const node = join(folder, "node_modules/node/bin/node");
    execFileSync(node, [join(folder, "ui/build.ts")], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    console.log("Packing …");
    const archive = join(out, `${name}.tar.gz`);
    const tar = spawn("tar", ["-cf", "-", ...withoutTypes, "-C", making, name], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(tar, "exit");
    await pipeline(tar.stdout, createGzip({ level: 1 }), createWriteStream(archive));
    if ((await ended)[0] !== 0) throw new Error("tar could not pack the program.");
    console.log(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB, sha256 ${await sha256(archive)}`);
    return 0;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

await runTool(usage, run);
