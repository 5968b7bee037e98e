import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Packages whose compiled file is under other licences than their manifest says, by the beginning of their names: each platform has a
 * package of its own. What is installed here is read by a test; the builds for other platforms come from the same maker.
 */
export const compiled: Readonly<Record<string, { licence: string; exception: string }>> = {
  "@napi-rs/canvas-": {
    licence: "MIT AND MPL-2.0",
    exception:
      "the manifest says MIT; four of the libraries in the file are MPL-2.0: changes to their files would have to be shown; draws videos",
  },
};

export const compiledOf = (name: string) => Object.entries(compiled).find(([start]) => name.startsWith(start))?.[1];

/** The folder of installed packages. */
export const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** What a binary contains that may not be passed on under our licence: builds of FFmpeg with GPL parts, and encoders under the GPL. */
const forbidden = ["--enable-gpl", "--enable-nonfree", "--enable-libfdk", "x264 - core", "x265 [info]"];

/** Compiled files of installed packages that contain something forbidden. */
export function forbiddenBinaries(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    readdirSync(`${packages}${name}`, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(node|wasm|so(\.[\d.]+)?|dylib|dll)$/.test(file))
      .map((file) => `${packages}${name}/${file}`)
      .filter((file) => statSync(file).isFile())
      .filter((file) => {
        const bytes = readFileSync(file);
        return forbidden.some((text) => bytes.includes(text));
      }),
  );
}

interface Component {
  name: string;
  licenses?: readonly { expression?: string; license?: { id?: string; name?: string } }[];
}

/** The list of parts that the drawing package ships with its compiled file; null where there is none. */
export function canvasParts(): Component[] | null {
  const file = `${packages}@napi-rs/canvas-${platform}-gnu/sbom.cdx.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { components: Component[] }).components : null;
}

/** The SPDX expressions of a component, with the older slash written as `OR`. */
export const expressionsOf = ({ licenses = [] }: Component): string[] =>
  licenses.flatMap(({ expression, license }) => expression ?? license?.id ?? []).map((text) => text.replaceAll(" / ", " OR "));
