import { ServerInterceptingCall, type ServerInterceptor } from "@grpc/grpc-js";

/** Bytes of a call that may be on their way to its connection. */
const windowBytes = 64 * 1024;

/**
 * Sends messages of a call while earlier ones are on their way. gRPC's own call waits for the connection after each, so that every event
 * of a read would be a write of its own; messages that wait together are written together.
 */
export const sendWindow: ServerInterceptor = (_method, call) => new WindowedCall(call);

class WindowedCall extends ServerInterceptingCall {
  #unsent = 0;
  #waiting: (() => void) | null = null;

  /** Every message is bytes here. */
  override sendMessage(message: Buffer, callback: () => void): void {
    const { length } = message;
    this.#unsent += length;
    super.sendMessage(message, () => {
      this.#unsent -= length;
      if (this.#unsent >= windowBytes) return;
      const waiting = this.#waiting;
      this.#waiting = null;
      waiting?.();
    });
    if (this.#unsent < windowBytes) callback();
    else this.#waiting = callback;
  }
}
