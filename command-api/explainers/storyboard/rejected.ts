import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";

/** A storyboard that did not pass, with what was found. */
export class StoryboardRejected extends ProblemError {
  readonly findings: Finding[];
  constructor(findings: readonly Finding[]) {
    super("storyboard_rejected");
    this.findings = findings.slice(0, bounds.explainer.findings);
  }
}
