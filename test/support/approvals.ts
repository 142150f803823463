import { plainWords } from '../../src/core/base/translate';
import { say } from '../../src/core/base/sentence';
import type { Access } from '../../src/core/vocabulary/access';
import type { ApprovalAnswer, ApprovalRequest } from '../../src/core/call/gateCall';
import { AdminToken, type TokenHasher } from '../../src/core/policy/approvals/adminToken';
import { ApprovalQueue, type ConfirmerAnswer } from '../../src/core/policy/approvals/approvals';
import { describeApproval } from '../../src/core/present/approvalText';
import { GrantStore } from '../../src/core/policy/grants/grants';
import { type FakeCall, fakeCall } from './gateCall';
import { FakeClock, fakePorts, MemorySecrets, MemoryStore } from './toolContext';
import type { Reason } from '../../src/core/vocabulary/decision';

/** What a call that writes one file touches. */
export const write = (resource: string): Access => ({ effect: 'fs.write', resource });

/** The reason that a person can answer for longer than one call. */
export const permission: Reason = { said: say('confirmation_for_agents'), waivable: true };

/** Keeps a token so that a test can read what is kept. */
export const plainHasher: TokenHasher = {
  hash: async (token) => `h:${token}`,
  verify: async (token, stored) => stored === `h:${token}`,
};

/** A queue of questions with its grants and its admin token; what it shows a person waits in `shown` for an answer. */
export function world(timeoutSeconds = 300) {
  const clock = new FakeClock();
  const stores = { workspace: new MemoryStore(), user: new MemoryStore() };
  const { crypto } = fakePorts();
  const grants = new GrantStore({ clock, crypto, ...stores });
  const secrets = new MemorySecrets();
  const admin = new AdminToken({ secrets, hasher: plainHasher, clock });
  const shown: { request: ApprovalRequest; answer: (answer: ConfirmerAnswer) => void; signal: AbortSignal }[] = [];
  const refused: string[] = [];
  const queue = new ApprovalQueue({
    isShownWhole: (request) => !describeApproval(request, plainWords).truncated,
    confirmer: {
      confirm: (request, signal) => new Promise((answer) => shown.push({ request, answer, signal })),
      refused: (_request, why) => refused.push(why.outcome),
    },
    grants,
    clock,
    admin,
    timeoutSeconds: () => timeoutSeconds,
  });
  let id = 0;
  const ask = (
    options: FakeCall = {},
    reasons: readonly Reason[] = [permission],
    controller = new AbortController(),
    preview = {},
  ) => {
    const call = fakeCall({ accesses: [write('src/a.ts')], input: { path: 'src/a.ts', content: 'x' }, ...options });
    const request: ApprovalRequest = {
      id: `ask-${++id}`,
      call,
      accesses: call.accesses,
      reasons,
      preview,
      needsAdmin: reasons.some((one) => one.admin),
    };
    const out: { answer?: ApprovalAnswer; request: ApprovalRequest; controller: AbortController } = {
      request,
      controller,
    };
    void queue.ask(request, controller.signal).then((answer) => (out.answer = answer));
    return out;
  };
  return { clock, stores, crypto, grants, secrets, admin, shown, refused, queue, ask };
}
