import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Signature Version 4 from the service's side, written from its specification and not from the client's code. */

export interface SignedRequest {
  method: string;
  /** As on the request line: path and query. */
  target: string;
  headers: IncomingHttpHeaders;
}

export interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
}

const oldestMs = 15 * 60_000;

/** Null for a request signed with the keys, else what S3 would answer. */
export function checkSignature(request: SignedRequest, keys: Keys, now = Date.now()): Refusal | null {
  const { headers } = request;
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!given) return refused(403, "AccessDenied", "The request is not signed");
  const [, accessKeyId, day = "", region, names = "", signature = ""] = given;
  if (accessKeyId !== keys.accessKeyId) return refused(403, "InvalidAccessKeyId", "There is no such access key");
  if (region !== keys.region) return refused(400, "AuthorizationHeaderMalformed", `Expecting region '${keys.region}'`);

  const signed = names.split(";");
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  const unsigned = mustBeSigned.filter((name) => !signed.includes(name));
  if (unsigned.length > 0) return refused(403, "AccessDenied", `Headers that were not signed: ${unsigned.join(", ")}`);
  const absent = signed.filter((name) => headers[name] === undefined);
  if (absent.length > 0) return refused(400, "AuthorizationHeaderMalformed", `Headers that were signed and not sent: ${absent.join(", ")}`);

  const time = String(headers["x-amz-date"] ?? "");
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!time.startsWith(day) || Number.isNaN(at)) return refused(403, "AccessDenied", "The request has no valid x-amz-date");
  if (Math.abs(now - at) > oldestMs) return refused(403, "RequestTimeTooSkewed", "The request's time is too far from the server's");

  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonicalRequest(request, signed))].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, "hex")))
    return refused(403, "SignatureDoesNotMatch", "The signature is not the one that was calculated here");
  return null;
}

function canonicalRequest({ method, target, headers }: SignedRequest, signed: string[]): string {
  const [path = "/", query = ""] = target.split("?", 2);
  const pairs = query
    .split("&")
    .filter(Boolean)
    .map((pair) => pair.split("=", 2).map((part) => encoded(decodeURIComponent(part))))
    .map(([name = "", value = ""]) => `${name}=${value}`)
    .sort();
  return [
    method,
    path.split("/").map(decodeURIComponent).map(encoded).join("/"),
    pairs.join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, " ")}`),
    "",
    signed.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n");
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const refused = (status: number, code: string, message: string): Refusal => ({ status, code, message });
