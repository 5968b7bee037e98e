import { expect } from "chai";
import { ConfigurationError, readConfig } from "./config.ts";
import { s3Settings } from "./object-store/open.ts";

const whole = { S3_ENDPOINT: "https://s3.example/", S3_BUCKET: "courses", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
const settings = (environment: Record<string, string>) => s3Settings(readConfig(environment));

describe("the event store's address", () => {
  it("asks the leader: another node's events may come too late to be seen", () => {
    const read = (url: string) => readConfig({ EVENTSTORE_URL: url }).EVENTSTORE_URL;
    expect(read("esdb://db:2113?tls=false&nodePreference=leader")).to.contain("leader");
    for (const other of ["follower", "random", "readonlyreplica", "LeaderNot"])
      expect(() => read(`esdb://db:2113?nodePreference=${other}&tls=false`)).to.throw(ConfigurationError, /nodePreference must be leader/);
  });

  it("is refused in production when it lacks TLS or credentials, with what to do", () => {
    const read = (more: Record<string, string>) => readConfig({ NODE_ENV: "production", ...more });
    for (const address of ["esdb://a:b@db:2113?tls=false", "esdb://db:2113?tls=true", "esdb://db:2113"])
      expect(() => read({ EVENTSTORE_URL: address }), address).to.throw(
        ConfigurationError,
        /write esdb:\/\/user:password@host:2113\?tls=true/,
      );
    expect(() => read({ EVENTSTORE_EMBEDDED_INSECURE: "on" })).to.throw(ConfigurationError, /refused in production/);
    for (const accepted of ["esdb://a:b@db:2113?tls=true", "esdb://db:2113?userCertFile=/a&userKeyFile=/b"])
      expect(read({ EVENTSTORE_URL: accepted }).EVENTSTORE_URL).to.equal(accepted);
    expect(readConfig({ EVENTSTORE_URL: "esdb://db:2113?tls=false" }).development).to.equal(true);
    expect(read({}).EVENTSTORE_EMBEDDED_INSECURE).to.equal("off");
  });
});

describe("the variables of an S3", () => {
  it("mean the folder when there are none", () => {
    expect(settings({})).to.equal(null);
    expect(settings({ S3_ENDPOINT: "" })).to.equal(null);
  });

  it("are refused by halves, naming what is missing and why", () => {
    for (const missing of ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])
      expect(() => readConfig({ ...whole, [missing]: "" }), missing).to.throw(new RegExp(`${missing}: needed because S3_\\w+ is set`));
    expect(() => readConfig({ S3_PREFIX: "colloquy" })).to.throw("S3_BUCKET: needed because S3_PREFIX is set");
  });

  it("are checked one by one, and no secret is repeated", () => {
    expect(() => readConfig({ ...whole, S3_ENDPOINT: "s3.example" })).to.throw("S3_ENDPOINT");
    expect(() => readConfig({ ...whole, S3_BUCKET: "a/b" })).to.throw("expected the name of a bucket");
    expect(() => readConfig({ ...whole, S3_PREFIX: "a/../b" })).to.throw("S3_PREFIX");
    expect(() => readConfig({ ...whole, S3_BUCKET: "" }))
      .to.throw(Error)
      .with.property("message")
      .that.does.not.contain("secret");
  });

  it("have defaults for the region, the prefix and the addressing", () => {
    expect(settings(whole)).to.include({ endpoint: "https://s3.example", region: "us-east-1", prefix: "", addressing: "path" });
    expect(settings({ ...whole, S3_PREFIX: "/a/b/", S3_ADDRESSING: "virtual-host" })).to.include({
      prefix: "a/b/",
      addressing: "virtual-host",
    });
    const amazon = { ...whole, S3_ENDPOINT: "https://s3.eu-central-1.amazonaws.com" };
    expect(settings(amazon)?.addressing).to.equal("virtual-host");
    expect(settings({ ...amazon, S3_BUCKET: "with.dots" })?.addressing).to.equal("path");
    expect(settings({ ...whole, S3_ENDPOINT: "https://notamazonaws.com" })?.addressing).to.equal("path");
  });
});

describe("the address of a database", () => {
  it("is refused when it cannot be read, without its password", () => {
    for (const address of [
      "postgres://u:canary7secret#1@host/db",
      "postgres://u:canary7secret@host:port/db",
      "mysql://u:canary7secret@host/db",
    ])
      expect(() => readConfig({ DATABASE_URL: address }))
        .to.throw(Error)
        .with.property("message")
        .that.matches(/DATABASE_URL: \S/)
        .and.does.not.contain("canary7secret");
    for (const address of ["postgres://postgres@127.0.0.1:5432/test?options=-c%20search_path%3Da", "sqlite:///a/b.db", "sqlite://b c.db"])
      expect(readConfig({ DATABASE_URL: address }).DATABASE_URL).to.equal(address);
  });
});
