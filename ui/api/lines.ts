/** Thrown when a stream stayed silent longer than its sender promises. */
export class SilenceError extends Error {
  override name = "Silence";
}

/**
 * Yields the lines of a body as they arrive, whatever the borders of its chunks (inside a character, too).
 * A last line without its end counts only when `keepTail` says so: a stream that broke off left half a line.
 * @param silenceMs how long nothing may arrive before `Silence` is thrown
 * @param finish a reader who stops at a line of the sender's choosing lets the body come to its end, because breaking it off looks
 *   like a failure to whoever watches the network
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  options: { silenceMs: number; keepTail?: boolean; finish?: boolean },
): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let failed = false;
  try {
    for (;;) {
      const { done, value } = await withSilenceTimeout(reader.read(), options.silenceMs);
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      let end = rest.indexOf("\n");
      while (end !== -1) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        yield line.endsWith("\r") ? line.slice(0, -1) : line;
        end = rest.indexOf("\n");
      }
      if (done) break;
    }
    if (options.keepTail && rest) yield rest;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // Whoever stops listening early also frees the connection.
    void (options.finish && !failed ? drain(reader) : reader.cancel()).catch(() => undefined);
  }
}

/** How long a body may take to end once nobody wants more of it. */
const endMs = 5_000;

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), endMs);
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer);
  }
}

function withSilenceTimeout<Value>(arrival: Promise<Value>, silenceMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SilenceError(`nothing arrived for ${silenceMs} ms`)), silenceMs);
    arrival.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
