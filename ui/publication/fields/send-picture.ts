import { addressOf } from "@colloquy/schemas/contracts/address.ts";
import { accountHeader, publishHeader } from "@colloquy/schemas/headers.ts";
import type { EditorAssetResponse } from "@colloquy/schemas/publication/requests.ts";
import { problemOf, RequestFailed, unreachable } from "../../api/problems.ts";

export interface Sending {
  courseId: string;
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** From 0 to 1. */
  onProgress(part: number): void;
  signal: AbortSignal;
}

/** Uploads a picture. @throws {RequestFailed} with a message for the author */
export type SendPicture = (sending: Sending) => Promise<EditorAssetResponse>;

/** XMLHttpRequest, because `fetch` reports no upload progress. */
export const sendPicture =
  (accountId: string): SendPicture =>
  ({ courseId, sha256, bytes, onProgress, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("PUT", addressOf("PUT /api/course-editor/assets/:sha256", { parameters: { sha256 }, query: { course: courseId } }));
      request.setRequestHeader(publishHeader, "1");
      request.setRequestHeader(accountHeader, accountId);
      request.setRequestHeader("content-type", "application/octet-stream");
      request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total);
      request.onerror = () => reject(new RequestFailed(unreachable()));
      request.onabort = () => reject(new DOMException("stopped", "AbortError"));
      request.onload = () => void answerOf(request).then(resolve, reject);
      signal.addEventListener("abort", () => request.abort(), { once: true });
      if (signal.aborted) reject(new DOMException("stopped", "AbortError"));
      else request.send(bytes);
    });

async function answerOf(request: XMLHttpRequest): Promise<EditorAssetResponse> {
  if (request.status === 200) {
    try {
      return JSON.parse(request.responseText) as EditorAssetResponse;
    } catch (error) {
      throw new RequestFailed(unreachable(), error);
    }
  }
  const headers = new Headers();
  for (const name of ["content-type", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  throw new RequestFailed(await problemOf(new Response(request.responseText, { status: request.status, headers })));
}
