/** What S3 says in XML: errors and listings. Keys of ours need no escaping, but a continuation token may. */

export interface ListPage {
  keys: string[];
  /** Token of the next page; null on the last. */
  next: string | null;
}

/** The code and message of an error, both empty when the body holds none (a proxy's page, an answer to HEAD). */
export function readError(xml: string): { code: string; message: string; objectSize: number | null } {
  const size = Number(textOf(xml, "ActualObjectSize") ?? "none");
  return {
    code: textOf(xml, "Code") ?? "",
    message: textOf(xml, "Message") ?? "",
    objectSize: Number.isSafeInteger(size) ? size : null,
  };
}

/** @throws {Error} for a page that says there is more and not where: going on would pass over objects. */
export function readListPage(xml: string): ListPage {
  if (!/<ListBucketResult[\s>]/.test(xml)) throw new Error("The object store did not answer with a listing");
  const keys = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, entry = ""]) => textOf(entry, "Key") ?? "");
  if (textOf(xml, "IsTruncated") !== "true") return { keys, next: null };
  const next = textOf(xml, "NextContinuationToken");
  if (!next) throw new Error("The object store said that a listing goes on, and not where");
  return { keys, next };
}

function textOf(xml: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml);
  return found ? unescaped(found[1] ?? "") : null;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
    hex
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : decimal
        ? String.fromCodePoint(Number(decimal))
        : (entities[name ?? ""] ?? whole),
  );
