import { createECDH } from "node:crypto";
import type { Config } from "../config.ts";
import { deriveKey, loadOrCreateSecret } from "../secrets.ts";

/** Identifies this deployment to push services (VAPID, RFC 8292), base64url. Subscriptions are bound to the key. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

type SecretConfig = Pick<Config, "ACCOUNT_SECRET" | "DATA_DIR">;

/** The order of the curve P-256 (NIST SP 800-186): private keys are smaller. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derived from the account secret, which the data folder keeps or all machines share: every process has the same keys. */
export function vapidKeys(config: SecretConfig): VapidKeys {
  const secret = config.ACCOUNT_SECRET ?? loadOrCreateSecret(config.DATA_DIR, "account");
  const number = (BigInt(`0x${Buffer.from(deriveKey(secret, "push messages")).toString("hex")}`) % (order - 1n)) + 1n;
  const privateKey = Buffer.from(number.toString(16).padStart(64, "0"), "hex");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(privateKey);
  return { publicKey: curve.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

/** The public key for subscribing; null where reminders are off, or where browsers offer no push: without HTTPS or a service worker. */
export function reminderPublicKey(
  config: SecretConfig & Pick<Config, "publicUrl" | "REVIEW_REMINDERS" | "OFFLINE_READING">,
): string | null {
  const { protocol, hostname } = new URL(config.publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost" || hostname === "127.0.0.1";
  const isOffered = config.REVIEW_REMINDERS === "on" && config.OFFLINE_READING === "on" && isSecure;
  return isOffered ? vapidKeys(config).publicKey : null;
}

/** Whom push services may write to if there is trouble: an address that they accept. */
export const vapidSubject = ({ VAPID_SUBJECT: subject, publicUrl }: Pick<Config, "VAPID_SUBJECT" | "publicUrl">): string =>
  subject ?? (publicUrl.startsWith("https:") ? publicUrl : "mailto:operator@localhost");
