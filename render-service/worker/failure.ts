import type { FailureCode } from "@colloquy/schemas/explainers/render.ts";

/** A render that came to nothing. What a person is told is its code alone; the message is for the log. */
export class RenderFailure extends Error {
  override name = "RenderFailure";
  readonly code: FailureCode;
  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
  /** Whether another try may end otherwise: what cannot be laid out never can. */
  get retryable(): boolean {
    return this.code !== "layout_refused";
  }
}

/** What went wrong, as far as it can be told from an error. */
export function failureOf(error: unknown): RenderFailure {
  if (error instanceof RenderFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : "";
  return new RenderFailure(code === "ENOSPC" || code === "EDQUOT" ? "no_space" : "renderer_failed", message);
}
