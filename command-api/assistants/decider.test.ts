import type { AssistantEvent } from "@colloquy/schemas/assistants/events.ts";
import { expect } from "chai";
import { givenFor, type Past } from "../given.fixture.ts";
import { type AssistantsCommand, assistantsDecider } from "./decider.ts";

const at = "2026-11-21T08:00:00.000Z";
const later = "2026-11-21T09:00:00.000Z";
const given = givenFor(assistantsDecider);
const connect = (more: Partial<Extract<AssistantsCommand, { type: "connect" }>> = {}): AssistantsCommand => ({
  type: "connect",
  clientId: "robin",
  name: "Robin",
  scopes: ["sources:read"],
  at,
  ...more,
});
const connected: AssistantEvent = {
  type: "AssistantConnected",
  data: { schemaVersion: 1, clientId: "robin", name: "Robin", scopes: ["sources:read"], at },
};
const disconnect: AssistantsCommand = { type: "disconnect", clientId: "robin", requestId: "request-1", at };
const allow: AssistantsCommand = { type: "allow", clientId: "robin", requestId: "request-2", at: later };
const noteRoles = (onlyReads: boolean): AssistantsCommand => ({ type: "note roles", onlyReads, at });
const forget: AssistantsCommand = { type: "forget", at: later };

describe("the decider of an account's assistants", () => {
  it("connects an assistant once", () => {
    given()
      .when(connect())
      .then(connected)
      .when(connect({ at: later }))
      .then();
  });

  it("records other scopes or another name and keeps the time of the first connection", () => {
    const { state } = given(connected)
      .when(connect({ name: "Robin 2" }))
      .then("AssistantConnected")
      .when(connect({ name: "Robin 2", scopes: ["sources:read", "tutor:read"], at: later }))
      .then("AssistantConnected");
    expect(state.assistants.robin).to.deep.include({ connectedAt: at, name: "Robin 2", scopes: ["sources:read", "tutor:read"] });
  });

  it("keeps a disconnected assistant disconnected when it asks for more", () => {
    const { state } = given(connected)
      .when(disconnect)
      .then("AssistantDisconnected")
      .when(connect({ scopes: ["tutor:read"], at: later }))
      .then("AssistantConnected");
    expect(state.assistants.robin?.disconnectedAt).to.equal(at);
  });

  it("connects a disconnected assistant again when its account allows it", () => {
    const { state } = given(connected).when(disconnect).then("AssistantDisconnected").when(allow).then("AssistantAllowed");
    expect(state.assistants.robin?.disconnectedAt).to.equal(null);
  });

  it("changes nothing when a request comes again, and rejects its id for another request", () => {
    const ended: Past<AssistantEvent> = {
      type: "AssistantDisconnected",
      data: { schemaVersion: 1, clientId: "robin", at },
      metadata: { requestId: "request-1" },
    };
    const again = given(connected, ended).when(allow).then("AssistantAllowed");
    again.when(disconnect).then();
    again.when({ ...allow, requestId: "request-1" }).thenRejected("request_id_reused");
  });

  it("disconnects and allows once", () => {
    given(connected).when(allow).then();
    given(connected).when(disconnect).then("AssistantDisconnected").when(disconnect).then();
  });

  it("rejects an assistant that is not the account's", () => {
    given().when(disconnect).thenRejected("not_found");
    given().when(allow).thenRejected("not_found");
  });

  it("records roles only when they change", () => {
    given().when(noteRoles(false)).then();
    given().when(noteRoles(true)).then("AccountRolesSeen").when(noteRoles(true)).then().when(noteRoles(false)).then("AccountRolesSeen");
  });

  it("forgets all assistants and when tokens are valid from, but not the roles", () => {
    const { state } = given(connected).when(noteRoles(true)).then("AccountRolesSeen").when(forget).then("AssistantsForgotten");
    expect(state).to.deep.include({ assistants: {}, notBefore: Date.parse(later), onlyReads: true, isForgotten: true });
  });

  it("ends what was granted, also where no assistant was used yet", () => {
    given().when({ type: "end grants", at: later }).then("AssistantsForgotten");
  });

  it("forgets nothing where nothing was recorded since", () => {
    given().when(forget).then();
    given(connected).when(forget).then("AssistantsForgotten").when(forget).then();
    given().when(noteRoles(true)).then("AccountRolesSeen").when(forget).then("AssistantsForgotten");
  });
});
