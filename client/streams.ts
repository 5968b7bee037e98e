import type { StreamEvent } from "@colloquy/schemas/contracts/route-types.ts";

/** The lines of a body as they come, whatever the borders of its chunks. Whoever stops early frees the connection. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const whole = (rest + part.value).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) yield line.replace(/\r$/, "");
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** JSON values, one a line. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  for await (const line of lines(body)) if (line.trim() !== "") yield JSON.parse(line);
}

/** Server-sent events whose data is JSON. Comments, which keep the connection open, are passed over. Ends with the connection: go on by the last `id`. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent<unknown>, void> {
  let id: string | null = null;
  let event = "message";
  let data: string[] = [];
  for await (const line of lines(body)) {
    const [, field, value = ""] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
    if (line !== "") continue;
    if (data.length > 0) yield { id, event, data: JSON.parse(data.join("\n")) as unknown };
    [event, data] = ["message", []];
  }
}
