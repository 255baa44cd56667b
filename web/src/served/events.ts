/**
 * What the server tells of a run, as it happens: one stream a page, paused while nobody sees the page, begun again after
 * the last second that was told when its server comes back.
 */
import type { LiveSecondData, NowData } from "../data";

/** What a page does with what it is told. */
export interface Listener {
  now: (now: NowData) => void;
  seconds: (seconds: LiveSecondData[]) => void;
  /** The run is at rest, or its directory gone: nothing more comes. */
  end: (how: "end" | "gone") => void;
  trouble: (error: string) => void;
  /** Whether the server is there. */
  connected: (isConnected: boolean) => void;
}

/** After how long without a sign of life the server is taken for gone, and how long until it is tried again. */
const SILENCE_MS = 30_000;
const RETRY_MS = 1_000;

/** Listens until the run has ended. */
export class Events {
  readonly #listener: Listener;
  #source: EventSource | null = null;
  #lastId = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(listener: Listener) {
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => this.#follow());
    this.#follow();
  }

  /** Open while the page is seen and the run goes on. */
  #follow(): void {
    this.#close();
    if (!document.hidden && !this.#isOver) this.#open();
  }

  #open(): void {
    const source = new EventSource(this.#lastId === "" ? "events" : `events?after=${this.#lastId}`);
    const on = <T>(name: string, take: (data: T) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        this.#isAlive();
        if (event.lastEventId !== "") this.#lastId = event.lastEventId;
        take(JSON.parse(event.data) as T);
      });
    source.onopen = () => this.#isAlive();
    // The browser itself would give up on an answer that is none; so it is this page that tries again.
    source.onerror = () => this.#again(RETRY_MS);
    on<NowData>("now", this.#listener.now);
    on<LiveSecondData[]>("seconds", this.#listener.seconds);
    on<{ error: string }>("trouble", ({ error }) => this.#listener.trouble(error));
    on("beat", () => {});
    for (const how of ["end", "gone"] as const) on(how, () => this.#end(how));
    this.#source = source;
  }

  #isAlive(): void {
    this.#listener.connected(true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(0), SILENCE_MS);
  }

  #again(after_ms: number): void {
    this.#close();
    this.#listener.connected(false);
    this.#timer = setTimeout(() => this.#follow(), after_ms);
  }

  #end(how: "end" | "gone"): void {
    this.#isOver = true;
    this.#close();
    this.#listener.end(how);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }
}
