import { request } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { expect } from "chai";
import { type S3Double, startS3Double } from "./s3-double.fixture.ts";
import { checkSignature, type SignedRequest } from "./s3-double-signature.fixture.ts";

/** The worked examples of Amazon's page "Signature Calculations for the Authorization Header". */
const published = {
  keys: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1" },
  now: Date.parse("2013-05-24T00:00:00Z"),
  empty: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
};
const example = (method: string, target: string, signature: string, headers: Record<string, string>): SignedRequest => {
  const all: Record<string, string> = { host: "examplebucket.s3.amazonaws.com", "x-amz-date": "20130524T000000Z", ...headers };
  const signed = Object.keys(all).sort().join(";");
  return {
    method,
    target,
    headers: {
      ...all,
      authorization: `AWS4-HMAC-SHA256 Credential=${published.keys.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signed},Signature=${signature}`,
    },
  };
};
const getRange = example("GET", "/test.txt", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", {
  range: "bytes=0-9",
  "x-amz-content-sha256": published.empty,
});

describe("the signatures the S3 double checks", () => {
  it("are those of Amazon's published examples", () => {
    const put = example("PUT", "/test%24file.text", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd", {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    });
    const list = example("GET", "/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7", {
      "x-amz-content-sha256": published.empty,
    });
    for (const one of [getRange, put, list]) expect(checkSignature(one, published.keys, published.now), one.target).to.equal(null);
  });

  it("fall with anything that was signed and changed, and with headers that were not signed", () => {
    const changed: [string, SignedRequest, string][] = [
      ["method", { ...getRange, method: "PUT" }, "SignatureDoesNotMatch"],
      ["path", { ...getRange, target: "/test.txt2" }, "SignatureDoesNotMatch"],
      ["query", { ...getRange, target: "/test.txt?versionId=1" }, "SignatureDoesNotMatch"],
      ["range", { ...getRange, headers: { ...getRange.headers, range: "bytes=0-10" } }, "SignatureDoesNotMatch"],
      ["unsigned", { ...getRange, headers: { ...getRange.headers, "x-amz-meta-a": "b" } }, "AccessDenied"],
      ["absent", { ...getRange, headers: { ...getRange.headers, range: undefined } }, "AuthorizationHeaderMalformed"],
      ["none", { ...getRange, headers: { ...getRange.headers, authorization: undefined } }, "AccessDenied"],
    ];
    for (const [what, request, code] of changed) expect(checkSignature(request, published.keys, published.now)?.code, what).to.equal(code);
    const { keys, now } = published;
    expect(checkSignature(getRange, { ...keys, secretAccessKey: "another" }, now)?.code).to.equal("SignatureDoesNotMatch");
    expect(checkSignature(getRange, { ...keys, accessKeyId: "another" }, now)?.code).to.equal("InvalidAccessKeyId");
    expect(checkSignature(getRange, { ...keys, region: "eu-west-1" }, now)?.code).to.equal("AuthorizationHeaderMalformed");
    expect(checkSignature(getRange, keys, now + 16 * 60_000)?.code).to.equal("RequestTimeTooSkewed");
  });
});

describe("the S3 double", () => {
  let double: S3Double;
  beforeEach(async () => {
    double = await startS3Double();
  });
  afterEach(() => double.close());

  async function send(
    method: string,
    key: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const url = `${double.endpoint}/${double.bucket}/${key}`;
    const signed = await new AwsV4Signer({ method, url, headers, service: "s3", ...double.keys }).sign();
    const answer = await fetch(signed.url, { method, headers: signed.headers, ...(body !== undefined && { body }) });
    return { status: answer.status, text: await answer.text() };
  }
  const hashOf = async (text: string): Promise<string> =>
    Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");

  it("answers nobody who has not signed", async () => {
    const answer = await fetch(`${double.endpoint}/${double.bucket}/a`);
    expect(answer.status).to.equal(403);
    expect(await answer.text()).to.contain("<Code>AccessDenied</Code>");
  });

  it("keeps no body that is not the one that was signed", async () => {
    const headers = { "x-amz-content-sha256": await hashOf("what was signed") };
    expect((await send("PUT", "a", headers, "something else!")).text).to.contain("XAmzContentSHA256Mismatch");
    expect(double.objects.size).to.equal(0);
    expect((await send("PUT", "a", headers, "what was signed")).status).to.equal(200);
  });

  it("keeps nothing of an upload that broke off", async () => {
    const url = `${double.endpoint}/${double.bucket}/a`;
    const headers = { "x-amz-content-sha256": await hashOf("whole") };
    const signed = await new AwsV4Signer({ method: "PUT", url, headers, service: "s3", ...double.keys }).sign();
    await new Promise((resolve) => {
      const upload = request(url, { method: "PUT", headers: { ...Object.fromEntries(signed.headers), "content-length": 5 } });
      upload.once("error", resolve);
      upload.write("who", () => upload.destroy(new Error("broke off")));
    });
    expect((await send("GET", "a")).text).to.contain("NoSuchKey");
  });

  it("is killed and started again where it was, with what it had", async () => {
    const headers = { "x-amz-content-sha256": await hashOf("kept") };
    expect((await send("PUT", "a", headers, "kept")).status).to.equal(200);
    await double.kill();
    const refused = await send("GET", "a").catch((error: Error) => error.cause);
    expect(refused).to.have.property("code", "ECONNREFUSED");
    await double.start();
    expect(await send("GET", "a")).to.deep.equal({ status: 200, text: "kept" });
  });

  it("tells a missing bucket from a missing object", async () => {
    double.bucket = "another-one";
    expect((await send("GET", "a")).text).to.contain("NoSuchBucket");
  });
});
