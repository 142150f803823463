import type { Disposable } from '../../core/base/lifecycle';
import type { ServerUser } from '../../core/foreign/serverUser';
import type { ToolContext } from '../../core/capability/tool';

/** A server that asks more often than this during one call asks on the call's own time. */
const mostQuestions = 20;

interface WaitingCall {
  readonly pause: ToolContext['pause'];
  questions: number;
}

/**
 * The questions that one server has open with a person. Nothing in the protocol says which call a question belongs to,
 * so all calls of the server stop their clocks while one is open: a form that a person thinks about must not end the
 * call that asked.
 */
export class OpenQuestions {
  readonly #calls = new Set<WaitingCall>();
  readonly #open = new Set<Promise<unknown>>();

  /** Stops the clock of a call during every question until it is disposed; also during those that are open already. */
  hold(pause: ToolContext['pause']): Disposable {
    const call: WaitingCall = { pause, questions: 0 };
    this.#calls.add(call);
    for (const question of this.#open) stopClock(call, question);
    return { dispose: () => this.#calls.delete(call) };
  }

  /** The same person, whose questions are known here as long as they are open. */
  of(user: ServerUser): ServerUser {
    const { language, sample, signIn } = user;
    return {
      approveServer: (request, signal) => this.#during(user.approveServer(request, signal)),
      approveTools: (request, signal) => this.#during(user.approveTools(request, signal)),
      elicit: (request, signal) => this.#during(user.elicit(request, signal)),
      ...(language ? { language } : {}),
      ...(sample ? { sample: (request, signal) => this.#during(sample.call(user, request, signal)) } : {}),
      ...(signIn ? { signIn: (request, signal) => this.#during(signIn.call(user, request, signal)) } : {}),
    };
  }

  #during<T>(answer: Promise<T>): Promise<T> {
    // The clocks only wait for it; whether it fails is the asker's affair.
    const question = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#open.add(question);
    void question.then(() => this.#open.delete(question));
    for (const call of this.#calls) stopClock(call, question);
    return answer;
  }
}

function stopClock(call: WaitingCall, question: Promise<unknown>): void {
  if (call.questions++ < mostQuestions) void call.pause(question);
}
