import type { FailureCode } from "@colloquy/schemas/explainers/render.ts";

/** A failed render. People see only the code; the message is for the log. */
export class RenderFailure extends Error {
  override name = "RenderFailure";
  readonly code: FailureCode;
  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
  /** Whether another attempt may succeed; a layout that was refused never will. */
  get retryable(): boolean {
    return this.code !== "layout_refused";
  }
}

/** The failure of an error. */
export function failureOf(error: unknown): RenderFailure {
  if (error instanceof RenderFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : "";
  return new RenderFailure(code === "ENOSPC" || code === "EDQUOT" ? "no_space" : "renderer_failed", message);
}
