/** A kind of question that one process asks another, with its answer; both are JSON. */
export interface Topic<Question, Answer> {
  readonly name: string;
  /** How long an answer is waited for, milliseconds. */
  readonly patience: number;
  /** Never there: it holds the types. */
  readonly types?: (question: Question) => Answer;
}

/** Milliseconds after which a process that has not answered is taken for one that hangs. */
const PATIENCE_MS = 1000;

export function topic<Question, Answer>(name: string, patience = PATIENCE_MS): Topic<Question, Answer> {
  return { name, patience };
}

/** There is no answer: the other process is gone, or says nothing. */
export class LineError extends Error {}

/** What is sent: questions with their topics, answers, and why a question has none; each with the question's number. */
export interface Parcel {
  asked: [number: number, topic: string, question: unknown][];
  told: [number: number, answer: unknown][];
  failed: [number: number, message: string][];
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  /** Looks after which it is given up. */
  looks: number;
  /** Messages that had come from the other end when it was asked. */
  heard: number;
}

/**
 * How often questions without an answer are looked at, milliseconds. Looks are counted and not time: while this process
 * stood still, answers came that it has not read yet. One timer for all, because one for each question is dear.
 */
const LOOK_MS = 100;

const noParcel = (): Parcel => ({ asked: [], told: [], failed: [] });

/**
 * One end of the line between two processes. What is asked and told in one turn of the event loop goes as one message: a
 * message of its own for each rate limit would cost a third of a small request.
 */
export class Line {
  private readonly replies = new Map<string, (question: never) => unknown>();
  private readonly waiting = new Map<number, Waiting>();
  private parcel: Parcel | undefined;
  private asked = 0;
  private closed: LineError | undefined;
  private heard = 0;
  private silent = false;
  private readonly looking: NodeJS.Timeout;
  private heed: (silent: boolean) => void = () => undefined;

  /** @param send hands a message to the other process; one that is gone takes none, which is no error */
  constructor(private readonly send: (parcel: Parcel) => void) {
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
  }

  get isOpen(): boolean {
    return !this.closed;
  }

  /** Whether an answer is overdue and nothing has come since the question. */
  get isSilent(): boolean {
    return this.silent;
  }

  /** Has `listener` told when the other end falls silent, and when it is heard again. */
  onSilence(listener: (silent: boolean) => void): void {
    this.heed = listener;
  }

  /** @throws LineError when the other end is gone or does not answer in time; Error when it knows no answer */
  ask<Question, Answer>({ name, patience }: Topic<Question, Answer>, question: Question): Promise<Answer> {
    if (this.closed) return Promise.reject(this.closed);
    const number = (this.asked += 1);
    this.filling().asked.push([number, name, question]);
    return new Promise((resolve, reject) => {
      const looks = Math.ceil(patience / LOOK_MS);
      this.waiting.set(number, { resolve: resolve as Waiting['resolve'], reject, looks, heard: this.heard });
    });
  }

  /** Answers questions of a topic from now on. */
  answer<Question, Answer>(
    { name }: Topic<Question, Answer>,
    reply: (question: Question) => Answer | Promise<Answer>,
  ): void {
    this.replies.set(name, reply);
  }

  /** Takes a message of the other end. */
  take({ asked, told, failed }: Parcel): void {
    this.heard += 1;
    this.note(false);
    for (const [number, name, question] of asked) this.reply(number, name, question);
    for (const [number, answer] of told) this.settle(number)?.resolve(answer);
    for (const [number, message] of failed) this.settle(number)?.reject(new Error(message));
  }

  /** The other end is gone. */
  close(): void {
    clearInterval(this.looking);
    this.closed ??= new LineError('the other process has ended');
    for (const { reject } of this.waiting.values()) reject(this.closed);
    this.waiting.clear();
  }

  private look(): void {
    for (const [number, waiting] of this.waiting) {
      waiting.looks -= 1;
      if (waiting.looks > 0) continue;
      this.waiting.delete(number);
      if (waiting.heard === this.heard) this.note(true);
      waiting.reject(new LineError('the other process does not answer'));
    }
  }

  private note(silent: boolean): void {
    if (silent === this.silent) return;
    this.silent = silent;
    this.heed(silent);
  }

  private reply(number: number, name: string, question: unknown): void {
    const tell = (answer: unknown) => void this.filling().told.push([number, answer]);
    const fail = (error: unknown) =>
      void this.filling().failed.push([number, error instanceof Error ? error.message : String(error)]);
    const reply = this.replies.get(name);
    if (!reply) return fail(new Error(`no process answers ${name}`));
    try {
      const answer = reply(question as never);
      if (answer instanceof Promise) answer.then(tell, fail);
      else tell(answer);
    } catch (error) {
      fail(error);
    }
  }

  private settle(number: number): Waiting | undefined {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    return waiting;
  }

  private filling(): Parcel {
    if (this.parcel) return this.parcel;
    setImmediate(() => {
      const { parcel } = this;
      this.parcel = undefined;
      if (parcel && !this.closed) this.send(parcel);
    });
    return (this.parcel = noParcel());
  }
}
