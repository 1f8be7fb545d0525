/** A kind of question that one process asks another, with its answer; both are JSON. */
export interface Topic<Question, Answer> {
  readonly name: string;
  /** How long an answer is waited for, milliseconds. */
  readonly patience: number;
  /** Only for the types; never set. */
  readonly types?: (question: Question) => Answer;
}

/** How long to wait for an answer before the process counts as hanging, milliseconds. */
const PATIENCE_MS = 1000;

export function topic<Question, Answer>(name: string, patience = PATIENCE_MS): Topic<Question, Answer> {
  return { name, patience };
}

/** There is no answer: the other process is gone, or silent. */
export class LineError extends Error {}

/** One message: questions with their topics, answers, and errors, each with the question's number. */
export interface LineMessage {
  questions: [number: number, topic: string, question: unknown][];
  answers: [number: number, answer: unknown][];
  failures: [number: number, message: string][];
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  /** Checks after which it fails. */
  looks: number;
  /** Messages received from the other end before the question was sent. */
  heard: number;
}

/**
 * How often to check for questions without an answer, milliseconds. It counts checks and not time: while this
 * process stood still, answers may have arrived that it has not read yet. One timer for all, because one for
 * each question is expensive.
 */
const LOOK_MS = 100;

const emptyMessage = (): LineMessage => ({ questions: [], answers: [], failures: [] });

/**
 * One end of the line between two processes. Questions and answers of one turn of the event loop are sent as
 * one message: a separate message for each rate limit would cost a third of a small request.
 */
export class Line {
  private readonly replies = new Map<string, (question: never) => unknown>();
  private readonly waiting = new Map<number, Waiting>();
  private message: LineMessage | undefined;
  private questions = 0;
  private closed: LineError | undefined;
  private heard = 0;
  private silent = false;
  private readonly looking: NodeJS.Timeout;
  private silenceListener: (silent: boolean) => void = () => undefined;

  /** @param send passes a message to the other process; if that is gone, the message is lost without error */
  constructor(private readonly send: (message: LineMessage) => void) {
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
  }

  get isOpen(): boolean {
    return !this.closed;
  }

  /** Whether an answer is overdue and nothing has come since the question. */
  get isSilent(): boolean {
    return this.silent;
  }

  /** Sets what is called when the other end falls silent, and when it answers again. */
  onSilence(listener: (silent: boolean) => void): void {
    this.silenceListener = listener;
  }

  /**
   * @throws LineError when the other end is gone or does not answer in time; Error when it knows no answer
   */
  ask<Question, Answer>({ name, patience }: Topic<Question, Answer>, question: Question): Promise<Answer> {
    if (this.closed) return Promise.reject(this.closed);
    const number = (this.questions += 1);
    this.filling().questions.push([number, name, question]);
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

  /** Handles a message of the other end. */
  take({ questions, answers, failures }: LineMessage): void {
    this.heard += 1;
    this.note(false);
    for (const [number, name, question] of questions) this.reply(number, name, question);
    for (const [number, answer] of answers) this.settle(number)?.resolve(answer);
    for (const [number, message] of failures) this.settle(number)?.reject(new Error(message));
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
    this.silenceListener(silent);
  }

  private reply(number: number, name: string, question: unknown): void {
    const answerWith = (answer: unknown) => void this.filling().answers.push([number, answer]);
    const fail = (error: unknown) =>
      void this.filling().failures.push([number, error instanceof Error ? error.message : String(error)]);
    const reply = this.replies.get(name);
    if (!reply) return fail(new Error(`no process answers ${name}`));
    try {
      const answer = reply(question as never);
      if (answer instanceof Promise) answer.then(answerWith, fail);
      else answerWith(answer);
    } catch (error) {
      fail(error);
    }
  }

  private settle(number: number): Waiting | undefined {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    return waiting;
  }

  private filling(): LineMessage {
    if (this.message) return this.message;
    setImmediate(() => {
      const { message } = this;
      this.message = undefined;
      if (message && !this.closed) this.send(message);
    });
    return (this.message = emptyMessage());
  }
}
