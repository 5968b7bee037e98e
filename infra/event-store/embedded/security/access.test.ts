import { expect } from "chai";
import { mayAccess, type Operation } from "./access.ts";

describe("who may do what in the event store", () => {
  const admin = { name: "admin", groups: ["$admins"] };
  const ops = { name: "ops", groups: ["$ops"] };
  const anna = { name: "anna", groups: ["editors"] };
  const deeds: Operation[] = ["read", "write", "delete"];

  /** Given what metadata and `$settings` say: what somebody may do to a stream. */
  const allowed = (
    caller: typeof anna,
    stream: string,
    { metadata = {}, settings = {} }: { metadata?: Record<string, Record<string, unknown>>; settings?: Record<string, unknown> } = {},
  ): Operation[] =>
    deeds.filter((deed) => mayAccess(caller, deed, stream, { metadataOf: (name) => metadata[name] ?? {}, settings: () => settings }));

  it("opens users' streams and their metadata to everybody who signed in, and system streams to admins, as long as nothing else is said", () => {
    for (const caller of [admin, ops, anna]) {
      expect(allowed(caller, "note-1")).to.deep.equal(deeds);
      expect(allowed(caller, "$$note-1")).to.deep.equal(["read", "write"]);
    }
    for (const stream of ["$settings", "$$$settings", "$all", "$et-Noted"])
      for (const caller of [ops, anna]) expect(allowed(caller, stream), stream).to.deep.equal([]);
    expect(allowed(admin, "$settings")).to.deep.equal(deeds);
    expect(allowed(admin, "$$$settings")).to.deep.equal(["read", "write"]);
    expect(allowed(admin, "$all")).to.deep.equal(["read"]);
  });

  it("follows a stream's own list, role by role, by name and by group", () => {
    const metadata = { "note-1": { $acl: { $r: ["anna", "$ops"], $w: "editors", $d: [], $mr: "$admins" } } };
    expect(allowed(anna, "note-1", { metadata })).to.deep.equal(["read", "write"]);
    expect(allowed(ops, "note-1", { metadata })).to.deep.equal(["read"]);
    expect(allowed(admin, "note-1", { metadata })).to.deep.equal(deeds);
    expect(allowed(anna, "$$note-1", { metadata })).to.deep.equal(["write"]);
    expect(allowed(anna, "note-2", { metadata })).to.deep.equal(deeds);
  });

  it("follows the default list where the stream's own says nothing", () => {
    const settings = { $userStreamAcl: { $w: "$admins", $r: "editors" }, $systemStreamAcl: { $r: "$ops" } };
    expect(allowed(anna, "note-1", { settings })).to.deep.equal(["read", "delete"]);
    expect(allowed(ops, "note-1", { settings })).to.deep.equal(["delete"]);
    expect(allowed(ops, "$all", { settings })).to.deep.equal(["read"]);
    expect(allowed(ops, "$settings", { settings })).to.deep.equal(["read"]);
    expect(allowed(anna, "note-1", { settings, metadata: { "note-1": { $acl: { $w: ["$all"] } } } })).to.deep.equal(deeds);
  });

  it("takes a list that makes no sense for none", () => {
    for (const $acl of [null, "anna", 7, { $r: 4, $w: null }])
      expect(allowed(anna, "note-1", { metadata: { "note-1": { $acl } } })).to.deep.equal(deeds);
    expect(allowed(anna, "note-1", { metadata: { "note-1": { $acl: { $r: [4] } } } })).to.deep.equal(["write", "delete"]);
  });
});
