import { bounds } from "@colloquy/schemas/bounds.ts";
import type { JSONSchema7 } from "ai";
import { createDeadlines } from "./deadlines.ts";
import { CallFailure, failureOf } from "./failures.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";
import { type Prompt, partsOf, type Usage, usageOf, waitingUntil } from "./transport.ts";

/**
 * Asks for JSON and reads it as it is written, by the same clocks as text: until the service is reached, until it begins (to think, too),
 * between two signs of life, and for the whole. `schema` is sent when the model enforces schemas.
 * @param onText told of each stretch of the answer
 * @throws {CallFailure} or the caller's own reason. The provider's request is closed in every case.
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
  const impatient = waitingUntil(deadlines.signal);
  try {
    const { name, schema } = request;
    const connected = (): void => deadlines.stop("connect");
    const parts = await impatient(partsOf(model, details, request, deadlines.signal, connected, { type: "json", name, schema }));
    let text = "";
    for (;;) {
      const { done, value: part } = await impatient(parts.read());
      if (done) throw new CallFailure("unavailable");
      if (part.type === "error") throw part.error;
      if (part.type !== "stream-start") {
        deadlines.stop("first");
        deadlines.start("idle", timeouts.idleMs);
      }
      if (part.type === "text-delta") {
        text += part.delta;
        if (text.length > bounds.gateway.responseBytes) throw new CallFailure("invalid");
        onText(part.delta);
      }
      if (part.type !== "finish") continue;
      if (!text.trim()) throw new CallFailure("empty");
      const { inputTokens, outputTokens } = part.usage;
      return { text, ...usageOf({ inputTokens: inputTokens.total, outputTokens: outputTokens.total }) };
    }
  } catch (error) {
    // Only now: aborting a call that was answered would break a connection the next call may be about to use.
    deadlines.abort();
    if (caller.aborted) throw caller.reason;
    throw deadlines.expired() ?? failureOf(error);
  } finally {
    deadlines.clear();
  }
}
