import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compiled, compiledOf } from "./binaries.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A package of the lock file, wherever it is installed. */
export interface Dependency {
  name: string;
  version: string;
  /** An SPDX expression. */
  licence: string;
  /** Needed to build and test only. */
  development: boolean;
  /** Installed only where it fits the machine, such as a build for one system. */
  optional: boolean;
  integrity: string | undefined;
  /** The host it would be downloaded from. */
  resolved: string | undefined;
}

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
  integrity?: string;
  resolved?: string;
}

/** Every package that `npm ci` installs, on any machine, by name and version. */
export function dependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as { packages: Record<string, Locked> };
  const found = new Map<string, Dependency>();
  for (const [path, locked] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || locked.link) continue;
    const { version = "", optional = false, integrity, resolved } = locked;
    const development = Boolean(locked.dev || locked.devOptional);
    const licence = compiledOf(name)?.licence ?? locked.license ?? saidElsewhere[name] ?? (optional ? "" : licenceOf(path));
    found.set(`${name}@${version}`, { name, version, licence, development, optional, integrity, resolved });
  }
  return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

/** The licences of packages whose manifest does not say, as their licence file or readme does. */
const saidElsewhere: Readonly<Record<string, string>> = { khroma: "MIT", only: "MIT" };

/** What an installed package says itself, for those whose entry in the lock file does not. */
function licenceOf(path: string): string {
  const file = `${root}${path}/package.json`;
  if (!existsSync(file)) return "";
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8")) as {
    license?: string | { type: string };
    licenses?: { type: string }[];
  };
  const said = license ?? licenses?.[0];
  return typeof said === "string" ? said : (said?.type ?? "");
}

/** Licences that ask for no more than their text. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  // Fonts: may be shipped with anything, and only not be sold by themselves.
  "OFL-1.1",
]);

/** What asks for more, and why it may be used all the same: each is used unchanged, as its registry has it. */
export const exceptions: Readonly<Record<string, string>> = {
  "axe-core": "MPL-2.0: changes to its own files would have to be shown; in tests only",
  mediabunny: "MPL-2.0: changes to its own files would have to be shown; writes films' files",
  "@resvg/resvg-wasm": "MPL-2.0: changes to its own files would have to be shown; draws SVG in films",
  "web-push": "MPL-2.0: changes to its own files would have to be shown; encrypts reminders",
  elkjs: "EPL-2.0: changes to its own files would have to be shown; lays out diagrams of films",
  ...Object.fromEntries(Object.entries(compiled).map(([start, { exception }]) => [`${start}…`, exception])),
};

export const hasException = (name: string): boolean => name in exceptions || compiledOf(name) !== undefined;

/**
 * Whether an SPDX expression of licences can be met by permissive ones: `AND` binds more than `OR`, brackets more than both. What is no such
 * expression, or of which a part is not known here (an exception `WITH` one, or `+`), is not.
 */
export function isPermissive(expression: string): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const next = (word: string): boolean => words[at] === word && ++at > 0;
  const either = (): boolean => {
    let met = both();
    while (next("OR")) met = both() || met;
    return met;
  };
  const both = (): boolean => {
    let met = one();
    while (next("AND")) met = one() && met;
    return met;
  };
  const one = (): boolean => {
    if (!next("(")) return permissive.has(words[at++] ?? "");
    const met = either();
    return next(")") && met;
  };
  const met = either();
  return met && at === words.length;
}
