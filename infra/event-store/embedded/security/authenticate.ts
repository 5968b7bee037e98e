import { type Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder, status } from "@grpc/grpc-js";
import { notAuthenticated } from "../errors.ts";
import type { Caller, Users } from "./users.ts";

/** What anybody may ask, because a client asks it to learn whom it speaks to. */
const openToAll = ["/event_store.client.server_features.ServerFeatures/", "/event_store.client.gossip.Gossip/"];

/**
 * Lets a call through once its credentials are known to be right, and notes whose it is. Without credentials, and with wrong ones, it
 * ends here, whatever it asks.
 * @param refusedFirst so many calls end here though their credentials are right, as with an EventStoreDB that has just been installed
 */
export function authenticating(users: Users, callers: WeakMap<Metadata, Caller>, refusedFirst = 0): ServerInterceptor {
  let left = refusedFirst;
  return ({ path }, call) => {
    const refuse = (): void => call.sendStatus(notAuthenticated());
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        if (openToAll.some((service) => path.startsWith(service))) return next(metadata);
        const [authorization] = metadata.get("authorization");
        if (typeof authorization !== "string") return refuse();
        users.signIn(authorization).then(
          (caller) => {
            if (!caller || left-- > 0) return refuse();
            callers.set(metadata, caller);
            next(metadata);
          },
          () => call.sendStatus({ code: status.INTERNAL, details: "The credentials could not be checked." }),
        );
      })
      .build();
    return new ServerInterceptingCall(call, { start: (next) => next(listener) });
  };
}
