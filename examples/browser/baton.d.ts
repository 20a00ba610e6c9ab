// Types of baton.js and node.js, which export the same names.

/** What a reason says of its case. */
export type Args = Record<string, string | number>;

/** The answer to a command. `ok` 0 is a refusal with `err`; success is `applied` or `noop`. */
export interface Answer {
  ok: 0 | 1;
  st?: 'applied' | 'noop';
  why?: string;
  rev?: number;
  d?: Record<string, unknown>;
  err?: { code: string; msg: string; retry?: 0 | 1; at?: string; afterMs?: number; rev?: number; core?: string; reason?: string; args?: Args };
  [member: string]: unknown;
}

export type ViewName = 'watch' | 'remote' | 'full';
export type PlayingState = 'playing' | 'paused' | 'buffering' | 'stopped';
/** `once` is this entry alone. */
export type Turn = 'off' | 'on' | 'once';

/** A position as a line: `posMs` at the hub's `atMs`, moving by `rate` permille. */
export interface Line { posMs: number; atMs: number; rate: number }

/** What the room does, with the expected effects of presses that have no answer yet. */
export interface View {
  entry?: string;
  title?: string;
  artist?: string;
  album?: string;
  kind?: string;
  uri?: string;
  durationMs: number | null;
  line?: Line | null;
  st: PlayingState;
  isLive?: boolean;
  level?: number;
  muted: boolean;
  range?: [number, number];
  repeat?: boolean;
  shuffle?: boolean;
  single?: Turn;
  consume?: Turn;
  speed?: number;
  /** How far steps back and forward go, in ms. */
  steps: [number, number];
  queue?: Record<string, unknown>;
  next?: string | null;
  nextText?: string | null;
  roomName?: string;
  problem?: string;
  /** With the capability `reasons`: why, for a sentence of one's own. */
  reason?: string;
  args?: Args;
  art?: { id: string; w?: number; h?: number; colours?: string[] };
  predicted?: boolean;
}

/** A row of the queue. Without `kind` only the entry's name is known. */
export interface Row { entry: string; kind?: string; title?: string; artists?: string[]; album?: string; durMs?: number; [member: string]: unknown }

/** `key` makes the command count once, `guess` is its expected effect, `kind` names presses of which one at a time is enough, `at` is its moment where that is earlier. */
export interface PressOptions {
  key?: string | null;
  guess?: Partial<View> | null;
  kind?: string | null;
  ttl?: number;
  silent?: boolean;
  whole?: boolean;
  at?: number;
}

/** A press without an answer yet; `at` is when it was made, in ms of `performance.now()`. */
export interface Press { readonly m: string; readonly p: Record<string, unknown>; readonly kind: string | null; readonly at: number }

/** The part of `localStorage` that is used. */
export interface Store { getItem(name: string): string | null; setItem(name: string, text: string): void }

/** The part of a WebSocket that is used. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  onopen?: ((event: any) => void) | null;
  onmessage?: ((event: any) => void) | null;
  onclose?: ((event: any) => void) | null;
}

export interface HubOptions {
  url: string;
  view?: ViewName;
  /** The only profiles that the hub is asked about; all without it. */
  features?: string[];
  /** The language of the person, as a tag. */
  locale?: string;
  /** Capabilities, such as `reasons`. */
  caps?: string[];
  name?: string;
  app?: string;
  store?: Store | null;
  room?: string | null;
  ticket?: string | null;
  open?: (url: string, protocol: string) => SocketLike;
  /** A sentence in another language, for the code of an error and its English sentence. */
  words?: (code: string, sentence: string, error?: { reason?: string; args?: Args }) => string;
}

/** What `hub.on` tells. `change` and `queue`: something to draw. `say`: a sentence for a person. `live`: the state has come. */
export interface Events { change: undefined; queue: undefined; live: undefined; say: string }

/** What to say where the role of a device does not allow something, by role. */
export const refusals: Readonly<Record<string, string>>;

/** Random text of `bytes` bytes in base64url, for keys. */
export function token(bytes: number): string;

/** The items that the protocol itself names. */
export const items: {
  mix(name: string): string;
  shelf(name: string): string;
  found(words: string): string;
  list(id: string): string;
  listOf(uri: string): string;
};

/** An estimate of the hub's monotonic clock; null while it is unknown. */
export class Clock {
  best: { at: number; offset: number; error: number } | null;
  add(t1: number, t2: number, t3: number, t4: number, grain?: number): void;
  suppose(hubMs: number): void;
  forget(): void;
  get hubMs(): number | null;
  get errorMs(): number | null;
}

/** Does one operation of a `q` message to rows by place; gives back by how much the queue grew, or null for an unknown one. */
export function operate(rows: (Row | undefined)[], operation: unknown[]): number | null;

/** A copy of the hub's queue, as far as its rows were requested. */
export class QueueCopy {
  rows: (Row | undefined)[];
  length: number;
  rev: number | null;
  take(page: { rev: number; len: number; from?: number; rows: Row[] }): void;
  hear(message: { from?: number; rev: number; len?: number; ops?: unknown[][]; rows?: Row[]; reset?: 0 | 1 }): void;
}

/** Queries of which only the newest counts, for search as you type; an older one resolves to null. */
export class Latest {
  constructor(hub: Hub);
  ask(m: string, p?: Record<string, unknown>): Promise<Answer | null>;
}

/** One hub, one room of it followed. */
export class Hub {
  constructor(options?: HubOptions);
  readonly url: string;
  viewName: ViewName;
  name: string;
  app: string;
  ticket: string | null;
  clock: Clock;
  /** The hub's sections as they were sent. */
  said: Record<string, any>;
  rev: number | null;
  heardAt: number;
  epoch: string | null;
  boot: string | null;
  room: string | null;
  role: 'listener' | 'guest' | 'remote' | 'admin' | null;
  /** Which one of the section `listeners` this client is. */
  who: string | null;
  span: [number, number] | null;
  /** The hub's profiles with their versions, such as `library@1`; null until it has said them. */
  features: string[] | null;
  /** Whether the hub has this profile; what it has not said yet counts as there. */
  has(profile: string): boolean;
  live: boolean;
  queue: QueueCopy;
  stopped: string;
  stoppedBy: number | null;
  stats: { in: number; out: number; frames: number; roundTripMs: number | null; connections: number; since: number; events: { at: number; text: string }[] };
  client: string;
  run: string;
  on<Name extends keyof Events>(name: Name, hear: (value: Events[Name]) => void): this;
  save(): void;
  start(): void;
  leave(sentence: string): void;
  become(view: ViewName): void;
  /** Begins with what was kept for this view and room. */
  restore(): void;
  /** Another connection in the place of this one. */
  anew(): void;
  hurry(): void;
  wake(): void;
  get lostForMs(): number;
  get stale(): boolean;
  view(): View;
  position(view?: View): number | null;
  get lagMs(): number;
  press(m: string, p?: Record<string, unknown>, options?: PressOptions): Promise<Answer>;
  ask(m: string, p?: Record<string, unknown>, options?: PressOptions): Promise<Record<string, any> | null>;
  /** The pages of a search, as they come; `joined` names rows of earlier pages that have more places now. */
  search(question: Record<string, unknown>): AsyncGenerator<{ rows: any[]; asked?: string[]; missed?: string[]; joined?: { uri: string; places: string[] }[]; cursor?: string }>;
  get waiting(): Press[];
  isWaiting(kind: string): boolean;
  get isPlaying(): boolean;
  toggle(): Promise<Answer>;
  skip(m: 'next' | 'prev'): Promise<Answer | null>;
  seek(posMs: number): Promise<Answer | null>;
  seekBy(ms: number): Promise<Answer | null>;
  follow(room: string): Promise<Answer | null>;
  subscribe(what: Record<string, unknown>): Promise<Answer>;
  openQueue(from?: number, n?: number): Promise<boolean>;
  closeQueue(): void;
  readQueue(p: { from?: number; n?: number; ids?: string[] }): Promise<boolean>;
}
