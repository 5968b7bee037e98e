/** The most of an answer that is read. Lists of models are a few kilobytes; descriptions carry licences and templates. */
const answerBytes = 1_048_576;
/** For the whole exchange: these programs list their models without loading one. */
const answerMs = 2_500;

/** Asks one server. Null for everything but a successful JSON answer within the bounds. */
export type Ask = (path: string, body?: Record<string, string>) => Promise<unknown>;

/**
 * How a server that may be anything is asked: bounded in bytes and time. Redirects are not followed, so that nothing leads elsewhere.
 * @param origin without a trailing slash
 */
export function askOf(origin: string, apiKey: string | undefined, signal?: AbortSignal): Ask {
  return async (path, body) => {
    try {
      const response = await fetch(`${origin}${path}`, {
        ...(body && { method: "POST", body: JSON.stringify(body) }),
        headers: {
          ...(body && { "content-type": "application/json" }),
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]),
      });
      if (response.ok) return JSON.parse(await textOf(response));
      await response.body?.cancel();
      return null;
    } catch {
      return null;
    }
  };
}

/** @throws for an answer beyond the bound */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytes) throw new Error("the answer is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
