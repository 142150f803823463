import { plainWords } from '../../../src/core/base/translate';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import { hookInvocation } from '../../../src/core/gate/hookCall';
import type { ConfirmerAnswer } from '../../../src/core/policy/approvals/approvals';
import { type PresetName, presetNames } from '../../../src/core/policy/rules/presets';
import { describeApproval } from '../../../src/core/present/approvalText';
import { reasonKey } from '../../../src/core/vocabulary/decision';
import { nodeCrypto } from '../../../src/node/system';
import { openSystem } from '../system';
import { inlineWorker } from '../web';
import { page, projectFiles } from './project';
import { type Session, type SessionCall, sessions } from './sessions';

/** How the person answers: each call by itself, or for the session wherever that is offered. */
export const people = ['once', 'session'] as const;
export type Person = (typeof people)[number];

/** What was asked in one session. */
interface Asked {
  readonly session: string;
  /** The rules of each question. */
  readonly questions: readonly (readonly string[])[];
  readonly denied: number;
  readonly failed: readonly string[];
}

/** What was asked in all sessions by one preset of one person. */
export interface Count {
  readonly preset: PresetName;
  readonly person: Person;
  readonly questions: number;
  readonly sessions: number;
  readonly calls: number;
  readonly denied: number;
  /** Questions by rule; one that two rules ask counts for both. */
  readonly rules: Readonly<Record<string, number>>;
  /** The most that one session asked. */
  readonly most: number;
  /** Calls that failed though they were let through: scripts that do not fit the tools. */
  readonly failed: readonly string[];
}

/** The widest answer for the session that the question itself offers; what is not offered is allowed once. */
function answer(person: Person, request: ApprovalRequest): ConfirmerAnswer {
  if (person === 'once') return { outcome: 'allow-once' };
  const { lastingButtons } = describeApproval(request, plainWords);
  for (const button of lastingButtons)
    if (button.id === 'allow-files')
      return { outcome: 'always', grant: { scope: 'session', cover: 'files', folder: button.folder } };
  return { outcome: lastingButtons.some(({ id }) => id === 'allow-session') ? 'allow-session' : 'allow-once' };
}

/** Runs one session in a workspace of its own, through the whole composition. */
async function run({ name, calls }: Session, preset: string, person: Person): Promise<Asked> {
  const questions: string[][] = [];
  const system = await openSystem({
    files: projectFiles,
    user: { policy: { preset } },
    platform: {
      worker: inlineWorker,
      http: () => ({
        send: async (request) => ({
          url: request.url,
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: new TextEncoder().encode(page),
        }),
      }),
      approvals: {
        type: 'person',
        confirmer: {
          confirm: async (request) => {
            questions.push(request.reasons.filter((one) => !one.advisory).map(reasonKey));
            return answer(person, request);
          },
        },
      },
    },
  });
  await system.core.tools.loadHostTools();
  let denied = 0;
  const failed: string[] = [];
  const invoke = (call: SessionCall) => {
    const { tool, input } = call;
    if (call.isHost !== true) return system.call(tool, input);
    const about = { kind: 'before', agent: 'claude', event: 'PreToolUse', session: name, cwd: system.folder } as const;
    return system.core.gate.router.invoke(hookInvocation({ ...about, tool, input }, nodeCrypto));
  };
  for (const call of calls) {
    const result = await invoke(call);
    if (result.success) continue;
    if (result.error.code === 'denied_by_policy') denied++;
    else if (result.error.code !== 'no_match') failed.push(`${name}: ${call.tool}: ${result.error.message}`);
  }
  system.dispose();
  return { session: name, questions, denied, failed };
}

/** Counts the questions of all sessions, by preset and answer. */
export async function countQuestions(
  presets: readonly PresetName[] = presetNames,
  answers: readonly Person[] = people,
): Promise<readonly Count[]> {
  const counts: Count[] = [];
  for (const preset of presets)
    for (const person of answers) {
      const seen: Asked[] = [];
      for (const one of sessions) seen.push(await run(one, preset, person));
      const rules: Record<string, number> = {};
      for (const rule of seen.flatMap((one) => one.questions).flat()) rules[rule] = (rules[rule] ?? 0) + 1;
      counts.push({
        preset,
        person,
        questions: seen.reduce((sum, one) => sum + one.questions.length, 0),
        sessions: seen.length,
        calls: sessions.reduce((sum, one) => sum + one.calls.length, 0),
        denied: seen.reduce((sum, one) => sum + one.denied, 0),
        rules,
        most: Math.max(...seen.map((one) => one.questions.length)),
        failed: seen.flatMap((one) => one.failed),
      });
    }
  return counts;
}

/** The table of `test/bench/README.md`, by which the number is held. */
export function questionTable(counts: readonly Count[]): readonly string[] {
  return [
    '| preset | answered | questions | a session | most in one | denied | questions by rule |',
    '|---|---|---|---|---|---|---|',
    ...counts.map(({ preset, person, questions, sessions: all, most, denied, rules }) => {
      const byRule = Object.entries(rules).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      const shown = byRule.map(([rule, number]) => `\`${rule}\` ${number}`).join(', ');
      return `| ${preset} | ${person} | ${questions} | ${(questions / all).toFixed(2)} | ${most} | ${denied} | ${shown} |`;
    }),
  ];
}
