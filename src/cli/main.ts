import { didYouMean } from '../core/base/nearest';
import { filterGrammar } from '../core/registry/filterGrammar';
import { consentUsage, optionsOf, usage, workspaceUsage } from './usage';
import { parseArgs, type CliArgs, type CliIo, forPeople, UsageError } from './args';
import { ownVersion } from './ownVersion';
import { hookUsage } from '../core/hooks/hostEvent';

interface Command {
  /** How it is called; it takes the options that are named here and no others. */
  readonly usage: string;
  /** How it is called by programs, which the entry sees to. */
  readonly byPrograms?: string;
  run(args: CliArgs, io: CliIo): Promise<number>;
}

/** Every command; its code is loaded when it is called. */
const commands: Readonly<Record<string, Command>> = {
  list: {
    usage: `list [FILTER…] [--json] [--as user|agent] ${workspaceUsage}\n    FILTER: ${filterGrammar}`,
    run: async (args, io) => (await import('./list')).runList(args, io),
  },
  call: {
    usage: `call TOOL JSON [--as user|agent] [--json | --text] ${consentUsage} ${workspaceUsage}`,
    run: async (args, io) => (await import('./call')).runCall(args, io),
  },
  resolve: {
    usage: `resolve CAPABILITY [--states FILE] ${workspaceUsage}`,
    run: async (args, io) => (await import('./resolve')).runResolve(args, io),
  },
  validate: {
    usage: `validate [--servers] [--json] ${workspaceUsage}`,
    run: async (args, io) => (await import('./validate')).runValidate(args, io),
  },
  doctor: {
    usage: `doctor [--json] [--home DIR] [--private DIR] ${workspaceUsage}`,
    run: async (args, io) => (await import('./doctor')).runDoctor(args, io),
  },
  policy: {
    usage: usage.policy,
    run: actionsOf('policy', {
      test: async (...given) => (await import('./policyTest')).runPolicyTest(...given),
      diff: async (...given) => (await import('./policyDiff')).runPolicyDiff(...given),
      import: async (...given) => (await import('./policyExchange')).runPolicyImport(...given),
      export: async (...given) => (await import('./policyExchange')).runPolicyExport(...given),
    }),
  },
  bundle: {
    usage: usage.bundle,
    run: actionsOf('bundle', {
      key: async (...given) => (await import('./bundleSign')).runBundleKey(...given),
      make: async (...given) => (await import('./bundleMake')).runBundleMake(...given),
      sign: async (...given) => (await import('./bundleSign')).runBundleSign(...given),
      verify: async (...given) => (await import('./bundleShow')).runBundleVerify(...given),
      show: async (...given) => (await import('./bundleShow')).runBundleShow(...given),
    }),
  },
  why: {
    usage: `why TOOL [JSON] [--as user|agent] [--json | --text] [--plan FILE] ${workspaceUsage}`,
    run: async (args, io) => (await import('./why')).runWhy(args, io),
  },
  serve: {
    usage: `serve [--http PORT --token-file FILE [--api-token-file FILE]] ${consentUsage} ${workspaceUsage}`,
    run: async (args, io) => (await import('./serve')).runServe(args, io),
  },
  plan: {
    usage: `plan freeze FILE [--approve] [--out FROZEN] ${workspaceUsage}`,
    run: async (args, io) => (await import('./plan')).runPlan(args, io),
  },
  'admin-token': {
    usage: 'admin-token set --state-dir DIR --admin-token-file FILE [--current-token-file FILE]',
    run: async (args, io) => (await import('./adminToken')).runAdminToken(args, io),
  },
  hook: {
    usage: usage.hookAgents,
    byPrograms: hookUsage,
    // What an agent starts is seen to by the entry: a hook starts with every call of another agent.
    run: async (args, io) => (await import('./hookAgents')).runHookAgents(args, io),
  },
  changes: {
    usage: usage.changes,
    run: async (args, io) => (await import('./changes')).runChanges(args, io),
  },
  audit: {
    usage: usage.audit,
    run: async (args, io) => (await import('./audit')).runAudit(args, io),
  },
};

type Action = (words: readonly string[], args: CliArgs, io: CliIo) => Promise<number>;

/** A command that does one of several things, of which the first word names one; the others are its own. */
function actionsOf(command: string, actions: Readonly<Record<string, Action>>): Command['run'] {
  return async (args, io) => {
    const [name = '', ...words] = args.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action) return action(words, args, io);
    const known = Object.keys(actions)
      .join(', ')
      .replace(/, (?=\w+$)/, ' and ');
    throw new UsageError(`\`${name}\` is not an action of \`${command}\`; known are ${known}`);
  };
}

/**
 * What the operating system refused, such as a folder that cannot be made: its text says which, a stack adds nothing.
 */
const isOfSystem = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error;

const usageOf = ({ usage: text, byPrograms }: Command, { started = 'agent-capabilities' }: CliIo): string =>
  [byPrograms, text].flatMap((one) => (one === undefined ? [] : `${started} ${one}`)).join('\n  ');

const asksForHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/** Runs one command. Exit codes: 0 success, 1 tool error, denial or problem found, 2 usage. */
export async function main(argv: readonly string[], streams: CliIo): Promise<number> {
  const io = forPeople(streams);
  const [name = '', ...rest] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === '--version') {
    io.out(ownVersion);
    return 0;
  }
  if (!command) {
    const usage = Object.values(commands).map((one) => `  ${usageOf(one, io)}`);
    const isHelp = name === 'help' || asksForHelp(name);
    const unknown =
      name === '' || isHelp ? '' : `there is no command \`${name}\`${didYouMean(name, Object.keys(commands))}\n`;
    (isHelp ? io.out : io.error)(`${unknown}usage:\n${usage.join('\n')}`);
    return isHelp ? 0 : 2;
  }
  if (rest.length === 1 && asksForHelp(rest[0])) {
    io.out(`usage: ${usageOf(command, io)}`);
    return 0;
  }
  try {
    return await command.run(parseArgs(rest, optionsOf(command.usage)), io);
  } catch (error) {
    if (isOfSystem(error)) {
      io.error(error.message);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    io.error(`${error.message}\nusage: ${usageOf(command, io)}`);
    return 2;
  }
}
