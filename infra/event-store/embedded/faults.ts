import { Metadata, ResponderBuilder, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder, status } from "@grpc/grpc-js";

/** Each so many calls one is refused at its start, and each so many reads one is broken off after some messages. */
const refusedEach = 37;
const brokenEach = 6;
const longestMessages = 120;
const streams = "/event_store.client.streams.Streams/";

/**
 * What a cluster does while it elects: calls are refused with `UNAVAILABLE` or by a node that is not the leader, and reads, subscriptions and
 * the stream of appends break off in the middle. For tests; the sequence is the same each time.
 */
export function faultyCalls(address: { host: string; port: () => number }): ServerInterceptor {
  let calls = 0;
  return ({ path }, call) => {
    if (!path.startsWith(streams)) return new ServerInterceptingCall(call);
    calls += 1;
    const number = calls;
    const isRefused = number % refusedEach === 0;
    // A long-lived stream is broken after some messages, so that whoever waits makes progress.
    let left = number % brokenEach === 0 ? 1 + ((number * 17) % longestMessages) : Number.POSITIVE_INFINITY;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      call.sendStatus(number % 2 === 0 ? unavailable() : notLeader(address.host, address.port()));
    };
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        if (isRefused) end();
        else next(metadata);
      })
      .build();
    const responder = new ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendMessage((message, next) => {
        left -= 1;
        if (isOver) return;
        if (left <= 0) end();
        else next(message);
      })
      .withSendStatus((given, next) => {
        if (!isOver) next(given);
      })
      .build();
    return new ServerInterceptingCall(call, responder);
  };
}

/** How a node answers that knows no leader. */
export const unavailable = () => ({ code: status.UNAVAILABLE, details: "Server Is Not Ready" });

/** How a node that follows names the leader, to which the client then goes. */
export function notLeader(host: string, port: number) {
  const metadata = new Metadata();
  metadata.set("exception", "not-leader");
  metadata.set("leader-endpoint-host", host);
  metadata.set("leader-endpoint-port", String(port));
  return { code: status.NOT_FOUND, details: "Leader info available", metadata };
}
