import { say, type Sentence } from '../base/sentence';
import type { Problem } from '../base/problem';
import { visibleText } from '../base/visible';
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
  /** The last answers of channels that are refreshed; the error where one failed. */
  readonly channels: readonly { readonly name: string; readonly error?: string }[];
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

const shown = (text: string): string => visibleText(text).text.slice(0, 200);

function installed({ version, missingParts }: DoctorFacts): readonly DoctorCheck[] {
  if (missingParts.length === 0) return [{ area: 'installed', state: 'ok', said: say('doctor_installed', version) }];
  return missingParts.map((part) => ({
    area: 'installed',
    state: 'fault',
    said: say('doctor_part_missing', part),
    step: say('doctor_step_install'),
  }));
}

function on(facts: DoctorFacts): readonly DoctorCheck[] {
  const { profile, mode, capabilities, tools, isTrusted } = facts;
  const errors = facts.problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  return [
    tools > 0
      ? { area: 'on', state: 'ok', said: say('doctor_profile', shown(profile), capabilities, tools, mode) }
      : {
          area: 'on',
          state: 'fault',
          said: say('doctor_no_tools', shown(profile)),
          step: say('doctor_step_choose'),
          mend: { command: 'chooseTools' },
        },
    isTrusted
      ? { area: 'on', state: 'ok', said: say('doctor_trusted') }
      : {
          area: 'on',
          state: 'note',
          said: say('doctor_untrusted'),
          step: say('doctor_step_trust'),
          mend: { command: 'workspaceTrust' },
        },
    first === undefined
      ? { area: 'on', state: 'ok', said: say('doctor_no_mistakes') }
      : {
          area: 'on',
          state: 'fault',
          said: say('doctor_mistakes', errors.length, shown(first.message)),
          step: say('doctor_step_validate'),
          mend: { command: 'validateEverything' },
        },
  ];
}

function serverCheck({ name, state, tools, detail }: ServerStatus): DoctorCheck {
  const area = 'reachable';
  const server = shown(name);
  switch (state) {
    case 'running':
      return { area, state: 'ok', said: say('doctor_server', server, tools) };
    case 'starting':
    case 'stopped':
      return { area, state: 'ok', said: say('doctor_server_rests', server) };
    case 'disabled':
      return { area, state: 'note', said: say('doctor_server_off', server) };
    case 'failed':
      return {
        area,
        state: 'fault',
        said: say('doctor_server_fails', server, detail === undefined ? '' : `: ${shown(detail)}`),
        step: say('doctor_step_start'),
        mend: { command: 'startMcpServer', of: name },
      };
    default:
      return {
        area,
        state: 'fault',
        said: say('doctor_server_waits', server),
        step: say('doctor_step_review'),
        mend: { command: 'reviewMcpServer', of: name },
      };
  }
}

function definitionChecks({ definitions, pendingDefinitions }: DoctorFacts): readonly DoctorCheck[] {
  const loaded = say('doctor_definitions', definitions);
  return [
    ...(definitions > 0 ? [{ area: 'reachable', state: 'ok', said: loaded } as const] : []),
    ...(pendingDefinitions > 0
      ? [
          {
            area: 'reachable',
            state: 'fault',
            said: say('doctor_definitions_wait', pendingDefinitions),
            step: say('doctor_step_approve'),
            mend: { command: 'approveDefinitions' },
          } as const,
        ]
      : []),
  ];
}

function channelChecks({ channels }: DoctorFacts): readonly DoctorCheck[] {
  const answering = channels.filter(({ error }) => error === undefined).length;
  return [
    ...(answering > 0 ? [{ area: 'reachable', state: 'ok', said: say('doctor_channels', answering) } as const] : []),
    ...channels.flatMap(({ name, error }): readonly DoctorCheck[] =>
      error === undefined
        ? []
        : [
            {
              area: 'reachable',
              state: 'fault',
              said: say('doctor_channel_fails', shown(name), shown(error)),
              step: say('doctor_step_reload'),
              mend: { command: 'reloadChannels' },
            },
          ],
    ),
  ];
}

function protectedBy({ preset, rules, meters }: DoctorFacts): readonly DoctorCheck[] {
  return [
    { area: 'protected', state: 'ok', said: say('doctor_policy', preset, rules) },
    ...meters.flatMap(agentChecks),
  ];
}

function agentChecks({ agent, name, isInstalled, faults, notes }: AgentProtection): readonly DoctorCheck[] {
  const area = 'protected';
  const [fault] = faults;
  if (fault)
    return [
      {
        area,
        state: isInstalled ? 'fault' : 'note',
        said: say('doctor_agent_open', name, fault.said),
        step: fault.step,
        mend: { command: 'protectAgent', of: agent },
      },
    ];
  return [
    { area, state: 'ok', said: say('doctor_agent_holds', name) },
    ...notes.map(({ said, step }): DoctorCheck => ({
      area,
      state: 'note',
      said: say('doctor_agent', name, said),
      step,
    })),
  ];
}
