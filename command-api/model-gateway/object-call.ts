import type { JSONSchema7 } from "@ai-sdk/provider";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { createDeadlines } from "./deadlines.ts";
import { CallFailure, failureOf } from "./failures.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";
import { abortableBy, type Prompt, streamParts, type Usage, usageOf } from "./transport.ts";

/**
 * Requests JSON as a stream, with timeouts for the connection, the first part (reasoning counts), the pause between two parts and the
 * whole. `schema` is sent if the model enforces schemas.
 * @param onText called with each chunk of the answer
 * @throws {CallFailure} or the caller's own reason. Closes the provider's request in every case.
 */
export async function requestJson(
  model: ModelTarget,
  details: CallDetails,
  request: Prompt & { name: string; schema: JSONSchema7 },
  caller: AbortSignal,
  onText: (text: string) => void = () => undefined,
): Promise<{ text: string; usage?: Usage }> {
  const deadlines = createDeadlines(caller);
  const { timeouts } = details;
  deadlines.start("whole", timeouts.wholeMs);
  deadlines.start("first", timeouts.firstTokenMs);
  deadlines.start("connect", timeouts.connectMs);
  const abortable = abortableBy(deadlines.signal);
  try {
    const { name, schema } = request;
    const connected = (): void => deadlines.stop("connect");
    const parts = await abortable(streamParts(model, details, request, deadlines.signal, connected, { type: "json", name, schema }));
    let text = "";
    for (;;) {
      const { done, value: part } = await abortable(parts.read());
      if (done) throw new CallFailure("unavailable");
      if (part.type === "error") throw part.error;
      if (part.type !== "stream-start") {
        deadlines.stop("first");
        deadlines.start("idle", timeouts.idleMs);
      }
      if (part.type === "text-delta") {
        text += part.delta;
        if (text.length > modelBounds.gateway.responseBytes) throw new CallFailure("invalid");
        onText(part.delta);
      }
      if (part.type !== "finish") continue;
      if (!text.trim()) throw new CallFailure("empty");
      const { inputTokens, outputTokens } = part.usage;
      return { text, ...usageOf({ inputTokens: inputTokens.total, outputTokens: outputTokens.total }) };
    }
  } catch (error) {
    // Only on failure: aborting an answered call would break a connection that the next call may reuse.
    deadlines.abort();
    if (caller.aborted) throw caller.reason;
    throw deadlines.expired() ?? failureOf(error);
  } finally {
    deadlines.clear();
  }
}
