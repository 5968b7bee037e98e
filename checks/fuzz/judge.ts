import { fileURLToPath } from "node:url";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { problem } from "@colloquy/schemas/problem.ts";
import { tutorFrame } from "@colloquy/schemas/tutor/requests.ts";
import type { z } from "zod";
import type { Case } from "./cases.ts";
import type { Answered } from "./send.ts";

/** What no answer may show, right or wrong: a stack, and where our code and data lie. */
const stack = /\n\s*at .{1,200}(?:\.[jt]s:\d+:\d+|node:\w+)|\.ts:\d+:\d+/;
const here = fileURLToPath(new URL("../..", import.meta.url));
/** What no refusal may show beside it: a text of a course may well, such as a lesson on shells. */
const inside =
  /node_modules|\bat (?:async )?[\w.<>]+ \(|SQLITE_|ECONNREFUSED|ENOENT|EACCES|select .* from |ZodError|TypeError|\/home\/|\/tmp\//;

/** Whoever asks for what comes after a position that is not reached yet is told so, once it was waited for. */
const isAhead = (path: string): boolean => /[?&]after=\d/.test(path);

/** What is wrong with an answer; null when nothing is. `dataDir`: where the program keeps what is its own. */
export function judge(one: Pick<Case, "route" | "sent">, answered: Answered, dataDir: string): string | null {
  const { sent } = one;
  const { status, type, headers, body, retryAfter } = answered;
  const beginning = body.slice(0, 500);
  if (status >= 500 && !(isAhead(sent.path) && /"code":"read_model_behind"/.test(body))) return `answered ${status}: ${beginning}`;
  if (status < 200) return `answered ${status}`;
  const all = `${headers}\n\n${body}`;
  const shown = stack.exec(all)?.[0] ?? [here, dataDir].find((folder) => all.includes(folder));
  if (shown !== undefined) return `shows what is inside: ${JSON.stringify(shown)} in ${status}: ${beginning}`;
  if (status < 400) return type.includes("ndjson") && answered.whole ? wrongFrames(one.route, body) : null;
  if (inside.test(all)) return `shows what is inside: ${beginning}`;
  if (status === 429 && !retryAfter) return "429 without retry-after";
  if (sent.method === "HEAD") return null;
  // Whoever asks for a page, and takes one, is refused by one.
  if (!sent.path.startsWith("/api/") && type.startsWith("text/html")) return /<html/.test(body) ? null : `its page is none: ${beginning}`;
  return wrongProblem(status, type, body);
}

function wrongProblem(status: number, type: string, body: string): string | null {
  if (!type.startsWith("application/problem+json")) return `answered ${status} as ${type || "nothing"}: ${body.slice(0, 300)}`;
  try {
    const parsed = problem.safeParse(JSON.parse(body));
    if (!parsed.success) return `its problem is not of the form: ${parsed.error.message}`;
    if (parsed.data.status !== status) return `its problem says ${parsed.data.status}`;
  } catch {
    return `its problem is no JSON: ${body.slice(0, 300)}`;
  }
  return null;
}

/** The form of the frames of each route that answers in them. */
const framesOf = new Map<string, z.ZodType>(
  contracts.flatMap((contract) => {
    const { mediaType, schema } = contract.responses[200] ?? {};
    if (contract.path.startsWith("/api/ai/tutor/")) return [[routeKey(contract), tutorFrame]];
    return mediaType?.includes("ndjson") && schema ? [[routeKey(contract), schema]] : [];
  }),
);

/** Every line of the form its route promises, and the last of them, and no other, says how it ended. */
function wrongFrames(route: string, body: string): string | null {
  const form = framesOf.get(route);
  const lines = body.split("\n").slice(0, -1);
  const wrong = lines.find((line) => form && !form.safeParse(jsonOf(line)).success);
  if (wrong !== undefined) return `a frame is not of the form: ${wrong.slice(0, 500)}`;
  const ends = lines.map((line) => endOf(line) !== null);
  if (isLedger(route) || ends.indexOf(true) === lines.length - 1) return null;
  return `its frames do not end once: ${lines.at(-1)?.slice(0, 500)}`;
}

const isLedger = (route: string): boolean => route.endsWith("/ledger");

/** The code of the error that frames ended in; "complete" where all went well, null where neither is said. */
export const endOf = (body: string): string | null => {
  const last = jsonOf(body.trimEnd().split("\n").at(-1) ?? "") as { kind?: unknown; code?: unknown } | null;
  return last?.kind === "error" ? String(last.code) : last?.kind === "complete" ? "complete" : null;
};

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
