import { problem } from "@colloquy/schemas/problem.ts";
import type { Case } from "./cases.ts";
import type { Answered } from "./send.ts";

/** What no answer may show: where our code lies, and the words of what stands behind it. */
const inside =
  /node_modules|\bat (?:async )?[\w.<>]+ \(|\.ts:\d+:\d+|SQLITE_|ECONNREFUSED|ENOENT|EACCES|select .* from |ZodError|TypeError|\/home\/|\/tmp\//;

/** Whoever asks for what comes after a position that is not reached yet is told so, once it was waited for. */
const isAhead = (path: string): boolean => /[?&]after=\d/.test(path);

/** What is wrong with an answer; null when nothing is. */
export function judge({ sent }: Case, { status, type, body, retryAfter }: Answered): string | null {
  if (status >= 500 && !(isAhead(sent.path) && /"code":"read_model_behind"/.test(body))) return `answered ${status}: ${body.slice(0, 500)}`;
  if (status < 200) return `answered ${status}`;
  if (status < 400) return null;
  if (inside.test(body)) return `shows what is inside: ${body.slice(0, 500)}`;
  if (status === 429 && !retryAfter) return "429 without retry-after";
  if (sent.method === "HEAD" || !sent.path.startsWith("/api/")) return null;
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
