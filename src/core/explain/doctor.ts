import { defined } from '../base/json';
import { say, type Sentence, withTexts } from '../base/sentence';
import type { Problem } from '../base/problem';
import { visible } from '../base/visible';
import type { ServerStatus } from '../foreign/serverStatus';
import type { AgentProtection } from '../protection/meter';

/** What a check is about, in the order in which they are shown. */
export const doctorAreas = ['installed', 'on', 'reachable', 'protected'] as const;
export type DoctorArea = (typeof doctorAreas)[number];

/** A command of the editor that mends what was found; `workspaceTrust` is the editor's own. */
interface DoctorMend {
  readonly command:
    | 'approveDefinitions'
    | 'checkProtection'
    | 'chooseTools'
    | 'protectAgent'
    | 'reloadChannels'
    | 'reviewMcpServer'
    | 'startMcpServer'
    | 'validateEverything'
    | 'workspaceTrust';
  /** The server or agent that it is for. */
  readonly of?: string;
}

export interface DoctorCheck {
  readonly area: DoctorArea;
  /** `fault`: something that was set up does not work; `note`: it could be better. */
  readonly state: 'ok' | 'note' | 'fault';
  readonly said: Sentence;
  /** What to do, where there is something. */
  readonly step?: Sentence;
  readonly mend?: DoctorMend;
}

/** All that is looked at, gathered once. */
export interface DoctorFacts {
  readonly version: string;
  /** Files of the installation that are not there. */
  readonly missingParts: readonly string[];
  readonly profile: string;
  readonly mode: string;
  readonly capabilities: number;
  readonly tools: number;
  readonly isTrusted: boolean;
  readonly problems: readonly Problem[];
  readonly servers: readonly ServerStatus[];
  readonly definitions: number;
  readonly pendingDefinitions: number;
  /** The last answers of channels that are refreshed; what is told of one that failed. */
  readonly channels: readonly { readonly name: string; readonly error?: Sentence }[];
  readonly preset: string;
  readonly rules: number;
  /** The agents that are used here, or that were protected. */
  readonly meters: readonly AgentProtection[];
}

/** Looks at everything, and says of each what is well, what is not, and what mends it. Nothing is changed. */
export function examine(facts: DoctorFacts): readonly DoctorCheck[] {
  return [
    ...installed(facts),
    ...on(facts),
    ...facts.servers.map(serverCheck),
    ...definitionChecks(facts),
    ...channelChecks(facts),
    ...protectedBy(facts),
  ];
}

const shown = (text: string): string => visible(text).slice(0, 200);

const ok = (area: DoctorArea, said: Sentence): DoctorCheck => ({ area, state: 'ok', said });

const fault = (area: DoctorArea, said: Sentence, step: Sentence, mend?: DoctorMend): DoctorCheck =>
  defined({ area, state: 'fault', said, step, mend });

function installed({ version, missingParts }: DoctorFacts): readonly DoctorCheck[] {
  if (missingParts.length === 0) return [ok('installed', say('doctor_installed', version))];
  return missingParts.map((part) => fault('installed', say('doctor_part_missing', part), say('doctor_step_install')));
}

function on(facts: DoctorFacts): readonly DoctorCheck[] {
  const { profile, mode, capabilities, tools, isTrusted } = facts;
  const errors = facts.problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  return [
    tools > 0
      ? ok('on', say('doctor_profile', shown(profile), capabilities, tools, mode))
      : fault('on', say('doctor_no_tools', shown(profile)), say('doctor_step_choose'), { command: 'chooseTools' }),
    isTrusted
      ? ok('on', say('doctor_trusted'))
      : {
          area: 'on',
          state: 'note',
          said: say('doctor_untrusted'),
          step: say('doctor_step_trust'),
          mend: { command: 'workspaceTrust' },
        },
    first === undefined
      ? ok('on', say('doctor_no_mistakes'))
      : fault('on', say('doctor_mistakes', errors.length, withTexts(first.said, shown)), say('doctor_step_validate'), {
          command: 'validateEverything',
        }),
  ];
}

function serverCheck({ name, state, tools, detail }: ServerStatus): DoctorCheck {
  const area = 'reachable';
  const server = shown(name);
  switch (state) {
    case 'running':
      return ok(area, say('doctor_server', server, tools));
    case 'starting':
    case 'stopped':
      return ok(area, say('doctor_server_rests', server));
    case 'disabled':
      return { area, state: 'note', said: say('doctor_server_off', server) };
    case 'failed': {
      const said = say('doctor_server_fails', server, withTexts(detail ?? say('unknown_reason'), shown));
      return fault(area, said, say('doctor_step_start'), { command: 'startMcpServer', of: name });
    }
    default:
      return fault(area, say('doctor_server_waits', server), say('doctor_step_review'), {
        command: 'reviewMcpServer',
        of: name,
      });
  }
}

function definitionChecks({ definitions, pendingDefinitions: waiting }: DoctorFacts): readonly DoctorCheck[] {
  const [said, step] = [say('doctor_definitions_wait', waiting), say('doctor_step_approve')];
  return [
    ...(definitions > 0 ? [ok('reachable', say('doctor_definitions', definitions))] : []),
    ...(waiting > 0 ? [fault('reachable', said, step, { command: 'approveDefinitions' })] : []),
  ];
}

function channelChecks({ channels }: DoctorFacts): readonly DoctorCheck[] {
  const answering = channels.filter(({ error }) => error === undefined).length;
  const failing = channels.flatMap(({ name, error }) => {
    if (error === undefined) return [];
    const said = say('doctor_channel_fails', shown(name), withTexts(error, shown));
    return [fault('reachable', said, say('doctor_step_reload'), { command: 'reloadChannels' })];
  });
  return [...(answering > 0 ? [ok('reachable', say('doctor_channels', answering))] : []), ...failing];
}

function protectedBy({ preset, rules, meters }: DoctorFacts): readonly DoctorCheck[] {
  return [ok('protected', say('doctor_policy', preset, rules)), ...meters.flatMap(agentChecks)];
}

function agentChecks({ agent, name, isInstalled, faults, notes }: AgentProtection): readonly DoctorCheck[] {
  const area = 'protected';
  const [first] = faults;
  if (first) {
    const open = fault(area, say('doctor_agent_open', name, first.said), first.step, {
      command: 'protectAgent',
      of: agent,
    });
    return [isInstalled ? open : { ...open, state: 'note' }];
  }
  return [
    ok(area, say('doctor_agent_holds', name)),
    ...notes.map(({ said, step }) => ({ area, state: 'note', said: say('doctor_agent', name, said), step }) as const),
  ];
}
