/**
 * The promise's answer, or an error when it takes longer than `ms`; what it was to do goes on all the same. A plain timer: an aborted one
 * makes two errors with their stacks at every call, a tenth of what an append costs its client.
 */
export function withTimeout<Result>(promise: Promise<Result>, ms: number, late = `No answer within ${ms} ms.`): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(late)), Math.max(ms, 0));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
