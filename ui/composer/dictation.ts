import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { msg } from "../messages/page.ts";

/** The used part of the Web Speech API, which TypeScript's DOM library lacks. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}
interface RecognitionResults extends Event {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}

/** The browser's speech recogniser; null if there is none. */
function recogniser(): (new () => Recognition) | null {
  const names = globalThis as { SpeechRecognition?: new () => Recognition; webkitSpeechRecognition?: new () => Recognition };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition ?? null;
}

const errorWords: Readonly<Record<string, PlainMessageKey>> = {
  "not-allowed": "composer.browserMayNotUseMicrophoneHere",
  "service-not-allowed": "composer.browserDoesNotAllowSpeechRecognition",
  "audio-capture": "composer.noMicrophoneFoundConnectOneTry",
  network: "composer.speechRecognitionNeedsConnectionCouldNot",
  "no-speech": "composer.nothingHeardTryAgain",
  "language-not-supported": "composer.browserDoesNotRecogniseSpeechOwn",
};
const otherError = "composer.dictationStoppedWorkingTry";

export interface DictationParts {
  /** Final text. */
  heard(text: string): void;
  /** What happened and what to do. */
  failed(words: string): void;
  announce(text: string): void;
}

/** Dictation by the browser's speech recogniser: passes on final text, exposes the rest as `interim`. */
export class Dictation implements ReactiveController {
  /** Recognised text that may still change. */
  interim = "";
  readonly #host: ReactiveControllerHost;
  readonly #parts: DictationParts;
  #running: Recognition | null = null;

  constructor(host: ReactiveControllerHost, parts: DictationParts) {
    this.#host = host;
    this.#parts = parts;
    host.addController(this);
  }

  get available(): boolean {
    return recogniser() !== null;
  }
  get listening(): boolean {
    return this.#running !== null;
  }

  hostDisconnected(): void {
    this.#running?.abort();
    this.#running = null;
  }

  start(): void {
    const Recogniser = recogniser();
    if (!Recogniser || this.#running) return;
    const recognition = new Recogniser();
    Object.assign(recognition, { lang: navigator.language, continuous: true, interimResults: true });
    recognition.addEventListener("result", (event) => {
      if (this.#running === recognition) this.#results(event as RecognitionResults);
    });
    recognition.addEventListener("error", (event) => {
      if (this.#running === recognition) this.#failed((event as Event & { error?: string }).error ?? "");
    });
    recognition.addEventListener("end", () => this.#ended(recognition));
    this.#running = recognition;
    this.#host.requestUpdate();
    try {
      recognition.start();
      this.#parts.announce(msg("composer.listening"));
    } catch {
      this.#failed("");
      this.#ended(recognition);
    }
  }

  /** Stops listening; speech until now is still recognised. */
  stop(): void {
    this.#running?.stop();
  }

  /** Stops listening at once and returns the interim text, which is not passed on any more. */
  take(): string {
    const words = this.interim.trim();
    const recognition = this.#running;
    if (!recognition) return "";
    this.#ended(recognition);
    recognition.abort();
    return words;
  }

  #results({ results, resultIndex }: RecognitionResults): void {
    this.interim = "";
    for (const result of Array.from(results).slice(resultIndex)) {
      const words = result[0]?.transcript ?? "";
      if (result.isFinal) this.#parts.heard(words.trim());
      else this.interim += words;
    }
    this.#host.requestUpdate();
  }

  #failed(code: string): void {
    if (code !== "aborted") this.#parts.failed(msg(errorWords[code] ?? otherError));
  }

  #ended(recognition: Recognition): void {
    if (this.#running !== recognition) return;
    this.#running = null;
    this.interim = "";
    this.#host.requestUpdate();
    this.#parts.announce(msg("composer.dictationIsOff"));
  }
}
