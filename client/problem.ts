import type { ErrorCode, Problem } from "@colloquy/schemas/errors.ts";

/** The service refused; what it said of that is in `problem` (RFC 9457), its kind in `code`. */
export class RequestRefused extends Error {
  override name = "RequestRefused";
  readonly status: number;
  /** Null for an answer that is none of the service's own: a proxy's page, say. */
  readonly problem: Problem | null;
  readonly retryAfterSeconds: number | null;
  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null) {
    super(problem ? [problem.title, problem.detail].filter(Boolean).join(" ") : `The answer was ${status}.`);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get code(): ErrorCode | null {
    return this.problem?.code ?? null;
  }
}

/** What a response that is not ok says. */
export async function refusalOf(response: Response): Promise<RequestRefused> {
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const isProblem = response.headers.get("content-type")?.includes("application/problem+json") ?? false;
  const problem = isProblem ? ((await response.json().catch(() => null)) as Problem | null) : null;
  if (!isProblem) await response.body?.cancel();
  return new RequestRefused(response.status, problem, Number.isFinite(wait) ? wait : null);
}
