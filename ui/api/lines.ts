/** Thrown when a stream is silent for longer than its sender promises. */
export class SilenceError extends Error {
  override name = "Silence";
}

/**
 * Yields the lines of a body as they arrive, also when a chunk ends within a character. An unterminated last line is dropped: a
 * broken stream leaves half a line.
 * @param silenceMs silence after which `SilenceError` is thrown
 * @param finish when the reader stops early, reads the body to its end, because cancelling looks like a network failure in developer
 *   tools
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  options: { silenceMs: number; finish?: boolean },
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
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // Stopping early also frees the connection.
    void (options.finish && !failed ? drain(reader) : reader.cancel()).catch(() => undefined);
  }
}

/** How long a body may take to end after the reader stopped. */
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
