import { foreignWord } from '../../core/base/foreignWords';
import type { JsonObject } from '../../core/base/json';
import { toolError, unfitInput } from '../../core/vocabulary/errors';
import type { CallExplanation, CapabilityAnswer } from '../../core/ports/governance';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { CheckCapabilityInput } from './inputs';

/** Answers from the governance port; a capability's verdict from the resolver, a call's from the gate's preview. */
export const checkCapability: ToolHandler<CheckCapabilityInput> = {
  accesses: noAccesses,
  async run({ capability, tool, arguments: args }, { ports }) {
    if ((capability === undefined) === (tool === undefined))
      throw unfitInput('give either `capability` or `tool`, not both; `arguments` go with `tool`');
    if (tool !== undefined) return { payload: explained(await ports.governance.why(tool, args ?? {})) };
    if (args !== undefined) throw unfitInput('/arguments go with `tool`, not with `capability`');
    const answer = await ports.governance.resolve(capability ?? '');
    if ('unknown' in answer) {
      const near =
        answer.near.length > 0
          ? `; did you mean ${answer.near.map((one) => `\`${foreignWord(one)}\``).join(', ')}`
          : '';
      throw toolError('not_found', `no capability is called \`${capability ?? ''}\`${near}`);
    }
    return { payload: resolved(answer) };
  },
};

function resolved(answer: CapabilityAnswer): JsonObject {
  return {
    capability: answer.id,
    verdict: answer.verdict,
    blocking: answer.blocking,
    required_actions: answer.requiredActions,
    warnings: answer.warnings,
    ...(answer.accounts.length === 0 ? {} : { accounts: answer.accounts }),
    ...(answer.tools.length === 0
      ? {}
      : {
          tools: answer.tools.map(({ name, effect, why }) => ({ name, effect, ...(why === undefined ? {} : { why }) })),
        }),
  };
}

function explained(answer: CallExplanation): JsonObject {
  const reasons = answer.steps
    .filter((step) => step.effect !== 'pass')
    .flatMap((step) => step.reasons.map((reason) => `${step.step}: ${reason.text}`));
  return {
    tool: answer.tool,
    effect: answer.effect,
    reasons,
    ...(answer.message === undefined ? {} : { message: answer.message }),
  };
}
