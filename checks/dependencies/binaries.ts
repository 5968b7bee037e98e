import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Packages whose compiled file is under other licences than their manifest says, by the beginning of their names: each platform has a
 * package of its own. What is installed here is read by a test; the builds for other platforms come from the same maker.
 */
export const compiled: Readonly<Record<string, { licence: string; exception: string }>> = {
  "@seydx/node-av-": {
    licence: "GPL-3.0-or-later AND FDK-AAC",
    exception:
      "the manifest says MIT, but the file contains FFmpeg configured with `--enable-gpl --enable-version3` and libfdk-aac, whose licence is incompatible with the GPL. It may be used, but not passed on to others; encodes videos",
  },
  "@napi-rs/canvas-": {
    licence: "MIT AND MPL-2.0",
    exception:
      "the manifest says MIT; four of the libraries in the file are MPL-2.0: changes to their files would have to be shown; draws videos",
  },
};

export const compiledOf = (name: string) => Object.entries(compiled).find(([start]) => name.startsWith(start))?.[1];

const root = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** How FFmpeg in the installed video encoder was configured; null where no encoder is installed. */
export function encoderConfiguration(): string | null {
  const file = `${root}@seydx/node-av-${platform}/node-av.node`;
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  const at = bytes.indexOf("--enable-gpl ");
  if (at < 0) return "";
  return bytes.toString("latin1", bytes.lastIndexOf(0, at) + 1, bytes.indexOf(0, at));
}

interface Component {
  name: string;
  licenses?: readonly { expression?: string; license?: { id?: string; name?: string } }[];
}

/** The list of parts that the drawing package ships with its compiled file; null where there is none. */
export function canvasParts(): Component[] | null {
  const file = `${root}@napi-rs/canvas-${platform}-gnu/sbom.cdx.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { components: Component[] }).components : null;
}

/** The SPDX expressions of a component, with the older slash written as `OR`. */
export const expressionsOf = ({ licenses = [] }: Component): string[] =>
  licenses.flatMap(({ expression, license }) => expression ?? license?.id ?? []).map((text) => text.replaceAll(" / ", " OR "));
