/** The used part of a service worker's scope. TypeScript's worker library conflicts with its DOM library. */

/** An event that can extend the worker's lifetime. */
export interface Task {
  waitUntil(work: Promise<unknown>): void;
  /** On install, in browsers that support static routing. */
  addRoutes?(routes: object[]): Promise<void>;
}

export interface FetchTask extends Task {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

interface PushTask extends Task {
  readonly data: { text(): string } | null;
}

interface NotificationTask extends Task {
  readonly notification: { close(): void };
}

interface Tasks {
  install: Task;
  activate: Task;
  message: Task & { readonly data: unknown };
  fetch: FetchTask;
  push: PushTask;
  notificationclick: NotificationTask;
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled?: boolean }): Promise<readonly WindowClient[]>;
    openWindow(path: string): Promise<unknown>;
  };
  readonly registration: {
    navigationPreload?: { enable(): Promise<void> };
    pushManager?: PushManager;
    showNotification(title: string, options: NotificationOptions): Promise<void>;
    unregister(): Promise<boolean>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Tasks>(name: Name, listener: (task: Tasks[Name]) => void): void;
}
