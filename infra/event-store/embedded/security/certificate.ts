import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { pki } from "node-forge";

/** What the server proves itself with (PEM). */
export interface ServerCertificate {
  authority: string;
  certificate: string;
  key: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const validDays = 730;
/** Made anew at a start that finds less than this left, so that none runs out under a server that serves for a year. */
const leastDays = 365;
const rsaBits = 2048;
const ofThisMachine = { name: "Colloquy event store", hosts: ["localhost"], addresses: ["127.0.0.1", "::1"], days: validDays };

const folderOf = (folder: string): string => join(folder, "tls");
export const authorityFile = (folder: string): string => join(folderOf(folder), "ca.crt");
const files = { authority: "ca.crt", certificate: "server.crt", key: "server.key" } as const;

/**
 * The certificate kept in a folder, made when there is none or it is about to run out. Only whoever holds the folder's lock may call it.
 * The authority's key is thrown away once it has signed: nobody can issue a second certificate with it.
 */
export async function serverCertificate(folder: string, now = Date.now()): Promise<ServerCertificate> {
  const kept = readKept(folder);
  if (kept && usable(kept, now)) return kept;
  const made = await issueCertificate(now, ofThisMachine);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(folder, "tls."));
  for (const [name, file] of Object.entries(files))
    writeFileSync(join(draft, file), made[name as keyof ServerCertificate], { mode: 0o600, flush: true });
  rmSync(folderOf(folder), { recursive: true, force: true });
  renameSync(draft, folderOf(folder));
  return made;
}

function readKept(folder: string): ServerCertificate | null {
  const read = (name: keyof ServerCertificate): string => readFileSync(join(folderOf(folder), files[name]), "utf8");
  try {
    return { authority: read("authority"), certificate: read("certificate"), key: read("key") };
  } catch {
    return null;
  }
}

function usable({ authority, certificate, key }: ServerCertificate, now: number): boolean {
  try {
    const served = new X509Certificate(certificate);
    return (
      served.verify(new X509Certificate(authority).publicKey) &&
      served.checkPrivateKey(createPrivateKey(key)) &&
      served.validToDate.getTime() - now > leastDays * dayMs
    );
  } catch {
    return false;
  }
}

export interface CertificateOptions {
  /** Its subject's name. */
  name: string;
  hosts: readonly string[];
  addresses: readonly string[];
  days: number;
  /** Whether it also proves a client, as between the nodes of a cluster. */
  isClient?: boolean;
}

/** An authority and the one certificate it ever signs. */
export async function issueCertificate(
  now: number,
  { name, hosts, addresses, days, isClient }: CertificateOptions,
): Promise<ServerCertificate> {
  // Loaded only here: most starts find a certificate.
  const { default: forge } = await import("node-forge");
  const pair = promisify(generateKeyPair);
  const makeKey = async (): Promise<{ publicKey: pki.PublicKey; privateKey: pki.rsa.PrivateKey; pem: string }> => {
    const { publicKey, privateKey } = await pair("rsa", { modulusLength: rsaBits });
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    return {
      publicKey: forge.pki.publicKeyFromPem(publicKey.export({ type: "spki", format: "pem" }).toString()),
      privateKey: forge.pki.privateKeyFromPem(pem),
      pem,
    };
  };
  const [authority, server] = await Promise.all([makeKey(), makeKey()]);

  function certificate(subject: string, key: pki.PublicKey, extensions: object[]): pki.Certificate {
    const made = forge.pki.createCertificate();
    made.publicKey = key;
    made.serialNumber = `4${randomBytes(16).toString("hex").slice(1)}`;
    // An hour ago, for a clock that is set back a little.
    made.validity.notBefore = new Date(now - dayMs / 24);
    made.validity.notAfter = new Date(now + days * dayMs);
    made.setSubject([{ name: "commonName", value: subject }]);
    made.setIssuer([{ name: "commonName", value: authorityName }]);
    made.setExtensions(extensions);
    made.sign(authority.privateKey, forge.md.sha256.create());
    return made;
  }

  const root = certificate(authorityName, authority.publicKey, [
    { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
  const leaf = certificate(name, server.publicKey, [
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true, ...(isClient && { clientAuth: true }) },
    { name: "subjectAltName", altNames: [...addresses.map(ip), ...hosts.map((value) => ({ type: dnsName, value }))] },
  ]);
  return { authority: forge.pki.certificateToPem(root), certificate: forge.pki.certificateToPem(leaf), key: server.pem };
}

const authorityName = "Colloquy event store authority";
/** Kinds of a subject alternative name (RFC 5280, 4.2.1.6). */
const dnsName = 2;
const ipAddress = 7;
const ip = (address: string): object => ({ type: ipAddress, ip: address });
