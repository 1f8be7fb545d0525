/** A kind of question that one process asks another, with its answer; both are JSON. */
export interface Topic<Question, Answer> {
  readonly name: string;
  /** Never there: it holds the types. */
  readonly types?: (question: Question) => Answer;
}

export function topic<Question, Answer>(name: string): Topic<Question, Answer> {
  return { name };
}

/** What is sent: questions with their topics, answers, and why a question has none; each with the question's number. */
export interface Parcel {
  asked: [number: number, topic: string, question: unknown][];
  told: [number: number, answer: unknown][];
  failed: [number: number, message: string][];
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

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
  private closed: Error | undefined;

  /** @param send hands a message to the other process; one that is gone takes none, which is no error */
  constructor(private readonly send: (parcel: Parcel) => void) {}

  get isOpen(): boolean {
    return !this.closed;
  }

  /** @throws Error when the other end knows no answer, or is gone */
  ask<Question, Answer>({ name }: Topic<Question, Answer>, question: Question): Promise<Answer> {
    if (this.closed) return Promise.reject(this.closed);
    const number = (this.asked += 1);
    this.filling().asked.push([number, name, question]);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
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
    for (const [number, name, question] of asked) this.reply(number, name, question);
    for (const [number, answer] of told) this.settle(number)?.resolve(answer);
    for (const [number, message] of failed) this.settle(number)?.reject(new Error(message));
  }

  /** The other end is gone. */
  close(): void {
    this.closed ??= new Error('the other process is gone');
    for (const { reject } of this.waiting.values()) reject(this.closed);
    this.waiting.clear();
  }

  private reply(number: number, name: string, question: unknown): void {
    const tell = (answer: unknown) => void this.filling().told.push([number, answer]);
    const fail = (error: unknown) =>
      void this.filling().failed.push([number, error instanceof Error ? error.message : String(error)]);
    const reply = this.replies.get(name);
    if (!reply) return fail(new Error(`nobody here answers ${name}`));
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
