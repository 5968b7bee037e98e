import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { PushSubscription } from "@colloquy/schemas/reminders/requests.ts";
import { importJWK, jwtVerify } from "jose";
import { issueCertificate } from "../event-store/embedded/security/certificate.ts";
import { publicFetch } from "../http/public-fetch.ts";

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  /** Decrypted with the subscription's keys; null where they do not fit. */
  text: string | null;
  /** The verified token by which the sender identifies itself, and its key. */
  vapid: { aud: unknown; sub: unknown; publicKey: string } | null;
}

/** A push service over HTTPS and the browsers that subscribe to it: it decrypts what it gets, as a browser does. */
export async function startPushService() {
  const host = "push.example";
  const { authority, certificate, key } = await issueCertificate(Date.now(), { name: host, hosts: [host], addresses: [], days: 2 });
  const received: ReceivedPush[] = [];
  const browsers = new Map<string, { curve: ReturnType<typeof createECDH>; auth: Buffer }>();
  const service = {
    received,
    /** What it answers: a status, or null to hang up. */
    answer: (_path: string): number | null => 201,
    /** A browser that subscribes. */
    subscribe(): PushSubscription {
      const curve = createECDH("prime256v1");
      const p256dh = curve.generateKeys("base64url");
      const auth = randomBytes(16);
      const path = `/send/${browsers.size + 1}`;
      browsers.set(path, { curve, auth });
      return { endpoint: `${origin}${path}`, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    /** A fetch that takes this machine for the service. */
    fetch: () =>
      publicFetch({
        bytes: 10_000,
        ms: 5_000,
        ca: authority,
        lookup: ((_name: string, _options: object, answer: (error: null, found: object[]) => void) =>
          answer(null, [{ address: "127.0.0.1", family: 4 }])) as never,
        allows: (address) => address === "127.0.0.1",
      }),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const { url: path = "", headers } = request;
    const body = await buffer(request);
    const browser = browsers.get(path);
    received.push({ path, headers, text: browser ? decrypt(body, browser) : null, vapid: await senderOf(headers.authorization) });
    const status = service.answer(path);
    if (status === null) request.socket.destroy();
    else response.writeHead(status).end("a push service's answer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `https://${host}:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, { origin });
}

/** RFC 8188 and 8291, written from the text and not with the sender's library. */
function decrypt(body: Buffer, { curve, auth }: { curve: ReturnType<typeof createECDH>; auth: Buffer }): string | null {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const sealed = body.subarray(21 + sender.length);
  try {
    const derive = (secret: Uint8Array, saltOf: Uint8Array, info: Buffer, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, saltOf, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), curve.getPublicKey(), sender]);
    const secret = derive(curve.computeSecret(sender), auth, info, 32);
    const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
  } catch {
    return null;
  }
}

/** RFC 8292. */
async function senderOf(authorization = ""): Promise<ReceivedPush["vapid"]> {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  try {
    const { payload } = await jwtVerify(token, await importJWK({ kty: "EC", crv: "P-256", x, y } as never, "ES256"));
    return { aud: payload.aud, sub: payload.sub, publicKey };
  } catch {
    return null;
  }
}
