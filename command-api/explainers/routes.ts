import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { correctionRequest, filmAnswerRequest, jobRequest, renderRequest } from "@colloquy/schemas/explainers/requests.ts";
import { id, noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { ExplainerHandlers } from "./handlers.ts";
import type { JobRequest } from "./jobs.ts";

const root = "/api/visual-explainers/jobs/:jobId";
const parameters = z.object({ jobId: id });
const correctionParameters = z.object({ correctionId: id });

interface Needs {
  handlers: ExplainerHandlers;
  /** The film a correction was reported of; null where there is no such correction. */
  jobOfCorrection(correctionId: string): Promise<string | null>;
}

/**
 * What an account does with a film of its own: approve it, try it again, cancel it, report what is wrong, answer its question. And what a
 * course's owner does with such a report: say that it was dealt with.
 */
export function explainerRoutes({ handlers, jobOfCorrection }: Needs): Router {
  const limit = perAccount({ points: bounds.explainer.requestsPerMinute, seconds: 60 });

  /** A request of an account about one of its jobs, and how it is answered. */
  const on =
    <Type extends z.ZodObject<{ requestId: typeof id }>>(
      schema: Type,
      carryOut: (asked: z.output<Type>, jobId: string, request: JobRequest) => Promise<object>,
    ) =>
    async (request: Request, response: Response): Promise<void> => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const { jobId } = parse(parameters, request.params);
      const asked = parse(schema, request.body);
      await limit(accountId);
      const answer = await carryOut(asked, jobId, { accountId, requestId: asked.requestId as string, correlationId: request.id });
      response.set("cache-control", "private, no-store").json(versioned(answer));
    };

  const settle = async (request: Request, response: Response): Promise<void> => {
    const { accountId, roles } = requireAccount(request);
    if (!roles.includes("owner")) throw new ProblemError("not_owner");
    parse(noQuery, request.query);
    const { correctionId } = parse(correctionParameters, request.params);
    const { requestId } = parse(jobRequest, request.body);
    await limit(accountId);
    const jobId = await jobOfCorrection(correctionId);
    if (!jobId) throw new ProblemError("not_found");
    const settled = await handlers.settle({ accountId, requestId, correlationId: request.id }, jobId, correctionId);
    response.set("cache-control", "private, no-store").json(versioned(settled));
  };

  return Router()
    .post("/api/visual-explainers/corrections/:correctionId/settle", settle)
    .post(
      `${root}/render`,
      on(renderRequest, (asked, jobId, request) => handlers.render(request, jobId, asked)),
    )
    .post(
      `${root}/retry`,
      on(jobRequest, (_, jobId, request) => handlers.retry(request, jobId)),
    )
    .post(
      `${root}/cancel`,
      on(jobRequest, (_, jobId, request) => handlers.cancel(request, jobId)),
    )
    .post(
      `${root}/corrections`,
      on(correctionRequest, (asked, jobId, request) => handlers.correct(request, jobId, asked)),
    )
    .post(
      `${root}/answer`,
      on(filmAnswerRequest, async (asked, jobId, request) => {
        const { choice, right, explanation, evidence = null, unrecorded = null } = await handlers.answer(request, jobId, asked);
        return { correct: choice === right, right, explanation, recorded: evidence !== null, evidence, unrecorded };
      }),
    );
}
