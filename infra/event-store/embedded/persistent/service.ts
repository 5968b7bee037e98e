import { PersistentSubscriptionsService } from "@eventstore/db-client/generated/persistent_grpc_pb.js";
import type {
  CreateReq,
  DeleteReq,
  GetInfoReq,
  ListReq,
  ReadReq,
  ReplayParkedReq,
  UpdateReq,
} from "@eventstore/db-client/generated/persistent_pb.js";
import type { ServerDuplexStream, ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import { asIs } from "../discovery-services.ts";
import { accessDenied, type CallError, invalidArgument, shuttingDown, writeFailed } from "../errors.ts";
import { BadRequest } from "../requests.ts";
import type { Running } from "../running-calls.ts";
import type { Guard } from "../security/open-security.ts";
import { message, whole } from "../wire.ts";
import { Refused } from "./errors.ts";
import type { Groups } from "./groups.ts";
import { infoResponse, listResponse } from "./info.ts";
import { answerOf, connectRequest, createRequest, listRequest, namedGroup, replayRequest, updateRequest } from "./requests.ts";
import type { Connection } from "./runner.ts";

/** EventStoreDB's `PersistentSubscriptions`, over the groups. */

/** The client's own definitions, answering with bytes we encode. */
export const persistentDefinition = {
  create: { ...PersistentSubscriptionsService.create, responseSerialize: asIs },
  update: { ...PersistentSubscriptionsService.update, responseSerialize: asIs },
  delete: { ...PersistentSubscriptionsService.delete, responseSerialize: asIs },
  read: { ...PersistentSubscriptionsService.read, responseSerialize: asIs },
  getInfo: { ...PersistentSubscriptionsService.getInfo, responseSerialize: asIs },
  replayParked: { ...PersistentSubscriptionsService.replayParked, responseSerialize: asIs },
  list: { ...PersistentSubscriptionsService.list, responseSerialize: asIs },
  restartSubsystem: { ...PersistentSubscriptionsService.restartSubsystem, responseSerialize: asIs },
};

const empty = Buffer.alloc(0);
const confirmation = (): Buffer => whole(message(2, message(1, crypto.randomUUID())));

function asError(error: unknown): CallError {
  if (error instanceof Refused) return error.error;
  if (error instanceof BadRequest) return invalidArgument(error.message);
  return writeFailed(error instanceof Error ? error : new Error(String(error)));
}

export function persistentService(groups: Groups, running: Running, guard: Guard) {
  /** What only operators may ask: a handler that does something with the request, or says what was wrong. */
  const unary =
    <Request>(handle: (request: Request) => Buffer | undefined) =>
    (call: ServerUnaryCall<Request, Buffer>, callback: sendUnaryData<Buffer>): void => {
      if (running.stopping()) return void callback(shuttingDown());
      if (!guard.mayOperate(call.metadata)) return void callback(accessDenied());
      try {
        callback(null, handle(call.request) ?? empty);
      } catch (error) {
        callback(asError(error));
      }
    };

  /** One that has nothing to tell when it is done. */
  const done =
    <Request>(handle: (request: Request) => void) =>
    (request: Request): undefined => {
      handle(request);
    };

  return {
    create: unary(done((request: CreateReq) => groups.create(createRequest(request)))),
    update: unary(
      done((request: UpdateReq) => {
        const { group, settings } = updateRequest(request);
        groups.update(group, settings);
      }),
    ),
    delete: unary(done((request: DeleteReq) => groups.remove(namedGroup(request)))),
    getInfo: unary((request: GetInfoReq) => infoResponse(groups.info(namedGroup(request)))),
    list: unary((request: ListReq) => listResponse(groups.list(listRequest(request)))),
    replayParked: unary(
      done((request: ReplayParkedReq) => {
        const { group, stopAt } = replayRequest(request);
        groups.replay(group, stopAt);
      }),
    ),
    restartSubsystem: unary(done(() => groups.restart())),

    read(call: ServerDuplexStream<ReadReq, Buffer>): void {
      let connection: Connection | null = null;
      let over = false;
      const leave = (): void => {
        over = true;
        connection?.leave();
        connection = null;
      };
      const fail = (error: CallError): void => {
        if (over) return;
        leave();
        call.emit("error", error);
      };

      function connect(request: ReadReq): void {
        // Opened before the stop and named after it: the groups are gone, but not for good.
        if (running.stopping()) throw new Refused(shuttingDown());
        const options = request.getOptions();
        if (!options) throw new BadRequest("The first message must name the group.");
        const { group, slots } = connectRequest(options);
        const mayRead = (stream: string): boolean => guard.may(call.metadata, "read", stream);
        if (!mayRead(group.source)) throw new Refused(accessDenied());
        const joined = groups.connect(group, {
          slots,
          from: call.getPeer(),
          username: guard.nameOf(call.metadata),
          connectionName: String(call.metadata.get("connection-name")[0] ?? ""),
          mayRead,
          confirm: () => void call.write(confirmation()),
          deliver: (bytes) => call.write(bytes),
          fail,
        });
        if (over) joined.leave();
        else connection = joined;
      }

      if (running.stopping()) return void fail(shuttingDown());
      call.on("data", (request: ReadReq) => {
        if (over) return;
        try {
          if (!connection) return connect(request);
          const answer = answerOf(request);
          if (!answer) throw new BadRequest("Only acknowledgements may follow the first message.");
          const { ids, action, reason } = answer;
          if (action === "ack") connection.ack(ids);
          else connection.nack(ids, action, reason);
        } catch (error) {
          fail(asError(error));
        }
      });
      call.on("drain", () => connection?.ready());
      call.on("end", () => {
        if (over) return;
        leave();
        call.end();
      });
      call.on("cancelled", leave);
      call.on("close", leave);
      call.on("error", leave);
    },
  };
}
