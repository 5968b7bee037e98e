import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { answerTimeoutMs } from "./goals.ts";

/** What came of a request. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RequestOptions {
  method?: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: object;
  /** Told of each whole line as it comes; then the answer's text is empty. */
  onLine?: (line: string) => void;
}

/** Kept connections, as browsers keep them; as many as there are requests under way. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 4_096 });

/** Sends one request and reads the whole answer. @throws with the reason when it does not complete in time */
export function sendRequest(url: string, { method = "GET", headers, body, onLine }: RequestOptions): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const sent = request(url, {
    agent,
    method,
    headers: { ...headers, ...(bytes && { "content-type": "application/json", "content-length": bytes.length }) },
  });
  const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${answerTimeoutMs / 1_000} s`)), answerTimeoutMs);
  sent.once("close", () => clearTimeout(timer));
  sent.once("error", (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? error.message)));
  sent.once("response", (response) => {
    const { statusCode: status = 0 } = response;
    const lines = onLine && status < 400 ? readLines(onLine) : null;
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => (lines ? lines(chunk) : chunks.push(chunk)));
    response.once("error", (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? error.message)));
    response.once("end", () => resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString() }));
  });
  sent.end(bytes);
  return promise;
}

/** Opens a stream of server-sent events; `onData` is told of each event's data. Returns how to hang up; `onEnd` is told when the other side did. */
export function followEvents(
  url: string,
  headers: Record<string, string>,
  onData: (data: string) => void,
  onEnd: (reason: string) => void,
): () => void {
  let over = false;
  const end = (reason: string): void => {
    if (!over) onEnd(reason);
    over = true;
  };
  const sent: ClientRequest = request(url, { agent, headers: { ...headers, accept: "text/event-stream" } });
  sent.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  sent.once("response", (response: IncomingMessage) => {
    if (response.statusCode !== 200) {
      response.resume();
      return end(String(response.statusCode));
    }
    const lines = readLines((line) => {
      if (line.startsWith("data: ")) onData(line.slice(6));
    });
    response.on("data", lines);
    response.once("error", () => end("broken off"));
    response.once("end", () => end("ended"));
  });
  sent.end();
  return () => {
    over = true;
    sent.destroy();
  };
}

/** Splits chunks into lines. */
function readLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") onLine(line);
  };
}
