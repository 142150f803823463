import { worded } from '../../src/core/base/sentence';
import type { JsonSchema } from '../../src/core/base/schema';
import { isToolError } from '../../src/core/vocabulary/errors';
import { callAccesses } from '../../src/core/gate/steps';
import { foreignAccesses } from '../../src/core/foreign/argumentReader';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../src/core/policy/rules/parse';
import { presetBoundaries, type PresetName } from '../../src/core/policy/rules/presets';
import type { FileSystem } from '../../src/core/ports/files';
import { fakeCall } from './gateCall';
import type { Effect } from '../../src/core/vocabulary/decision';

export interface ForeignCall {
  readonly tool?: string;
  readonly schema?: JsonSchema;
  readonly rules?: unknown;
  readonly preset?: PresetName;
  readonly allowedPrivateHosts?: readonly string[];
  readonly files: FileSystem;
  readonly cwd?: string;
  readonly readOnly?: boolean;
}

export interface ForeignVerdict {
  readonly effect: Effect;
  /** The code of the refusal, where the call was refused before any rule. */
  readonly code?: string;
  readonly reason: string;
  readonly resources: readonly string[];
}

export type ForeignJudge = (input: unknown) => Promise<ForeignVerdict>;

/**
 * Judges calls of a foreign tool as the gate does in steps 5 and 8: its accesses from the arguments, then all rules.
 */
export function foreignJudge(options: ForeignCall): ForeignJudge {
  const policy = new PolicyEngine([
    ...presetBoundaries(options.preset ?? 'balanced', { allowedPrivateHosts: options.allowedPrivateHosts ?? [] }),
    ...parseBoundaries(options.rules ?? [], 'user').value,
  ]);
  const facts = {
    tool: options.tool ?? 'fetch',
    schema: options.schema ?? {},
    sideEffects: [],
    readOnly: options.readOnly ?? false,
    mapping: {},
  };
  const template = fakeCall({ source: { type: 'mcp', server: 'files' }, capability: 'mcp_files', tool: 'fetch' });
  return async (input) => {
    try {
      const found = await foreignAccesses(facts, input, options.files, options.cwd);
      const judged = callAccesses(template.tool, found);
      const call = { ...template, input, ...judged };
      const { effect, reasons } = policy.judge(call, call.accesses);
      return {
        effect,
        reason: reasons.map(({ said }) => worded(said)).join('; '),
        resources: judged.accesses.map(({ resource }) => resource),
      };
    } catch (error) {
      if (!isToolError(error)) throw error;
      return { effect: 'deny', code: error.data.code, reason: error.data.message, resources: [] };
    }
  };
}

/** Closes a folder of the workspace, and keys wherever they are. */
export const noSecret = [
  { id: 'no-secret', match: { path: 'secret/**' }, decision: 'deny', reason: 'secret' },
  { id: 'no-ssh', match: { path: '**/.ssh/**' }, decision: 'deny', reason: 'keys' },
];
