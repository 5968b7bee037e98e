/** What of a service worker's scope is used here: the library of its types cannot stand beside the one of pages. */

/** Something a worker lives on for. */
export interface Task {
  waitUntil(work: Promise<unknown>): void;
  /** While installing, in browsers that have it. */
  addRoutes?(routes: object[]): Promise<void>;
}

export interface FetchTask extends Task {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

interface Tasks {
  install: Task;
  activate: Task;
  message: Task & { readonly data: unknown };
  fetch: FetchTask;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void>; matchAll(options: { type: "window" }): Promise<readonly { readonly url: string }[]> };
  readonly registration: { navigationPreload?: { enable(): Promise<void> }; unregister(): Promise<boolean> };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Tasks>(name: Name, listener: (task: Tasks[Name]) => void): void;
}
