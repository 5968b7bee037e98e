import { ProblemError } from "@colloquy/infra/http/problem.ts";

/** What is refused of a course that no films are made of, be it that none ever were or that they are not any more. */
export const unoffered = (): ProblemError => new ProblemError("not_allowed", { detail: "No films are made of this course here." });
