import type { Credentials } from "./actors.ts";
import { inOrder, type Row } from "./row.ts";
import type { SampleData } from "./sample-data.ts";

/** How long an answer may take to begin. */
const withinMs = 30_000;

/** The program that is asked. */
interface Asked<Who extends string> {
  url: string;
  credentials: Credentials<Who>;
  things: SampleData;
  /** Resolves when it says that it is ready. */
  ready(): Promise<void>;
}

/** Asks a route as each, one after the other; gives back the row as it is. */
export async function answersOf<Who extends string>(
  route: string,
  row: Row<Who>,
  { url, credentials, things, ready }: Asked<Who>,
): Promise<Pick<Row<Who>, "answers"> & { afterwards?: Record<Who, number> }> {
  const [method = "", pattern = ""] = route.split(" ", 2);
  const path = row.path?.(things) ?? pattern;
  const writes = method !== "GET" && method !== "DELETE";
  const body = writes ? JSON.stringify(row.body?.(things) ?? {}) : null;
  const learner = (credentials as Record<string, Record<string, string>>).learner ?? {};
  const first = row.first?.(things);
  if (first) {
    const begun = { method: "POST", headers: { "content-type": "application/json", ...learner }, body: JSON.stringify(first.body) };
    const status = await statusOf(url + first.path, begun);
    if (status !== 200) throw new Error(`${first.path} answered ${status}`);
  }
  const answers = {} as Record<Who, number>;
  const afterwards = {} as Record<Who, number>;
  for (const who of inOrder(Object.keys(row.answers) as Who[])) {
    const headers = { ...(writes && { "content-type": "application/json" }), ...row.headers, ...credentials[who] };
    const ask = (): Promise<number> => statusOf(url + path, { method, headers, body });
    answers[who] = await ask();
    // A machine that was short of breath for a moment says so; who may ask what is not known from that.
    if (answers[who] === 503) {
      await ready();
      answers[who] = await ask();
    }
    if (row.afterwards) afterwards[who] = await statusOf(url + row.afterwards.path(things), { headers: learner });
  }
  return { answers, ...(row.afterwards && { afterwards }) };
}

/** The status of an answer; what streams is let go of. */
async function statusOf(url: string, { headers, ...init }: RequestInit): Promise<number> {
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.timeout(withinMs),
    headers: { accept: "application/json, text/html", ...(headers as Record<string, string>) },
  });
  await response.body?.cancel();
  return response.status;
}
