import { isObject } from '../../core/base/json';
import type { Mode } from '../../core/vocabulary/decision';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { CommandId } from '../manifest/commands/commandTable';
import { type ByCommand, type CommandRun, mapCommands } from '../manifest/commands/commandRun';
import type { OwnArgument } from '../manifest/commands/runCommand';
import type { Translate } from '../../core/base/translate';
import type { TextQuestions } from './textQuestions';

export interface OutsideCallsOptions {
  readonly questions: TextQuestions;
  readonly registry: Pick<CapabilityRegistry, 'capability' | 'tool' | 'toolsOf'>;
  /** That of the active profile. */
  readonly mode: () => Mode;
  /** Tells whether a value is a row that the view gave to the editor. */
  readonly isRow: (value: unknown) => boolean;
  /** What a command is called in the palette. */
  readonly titleOf: (id: string) => string;
  /**
   * What a call of one of `askedWhereWider` would allow beyond what holds now, in lines; undefined where it is nothing.
   */
  readonly wider: (id: string, args: readonly unknown[]) => readonly string[] | undefined;
  /** Resolves once what holds is known as the settings files say it: the editor reads them a moment late. */
  readonly caughtUp: () => Promise<void>;
  readonly t: Translate;
}

/**
 * Commands that widen what agents may do, that run a tool or that write a file: they take arguments from the rows of
 * our own views alone. Called with arguments by anybody else (another extension, a link, a task, a keybinding) they ask
 * the person first. From the palette they take none and show what they offer. Others that widen take nothing from
 * arguments: they ask a question of their own, or only show a form.
 */
export const askedFromOutside: ReadonlySet<CommandId> = new Set([
  'changes.redo',
  'changes.undo',
  'changes.undoSince',
  'copyClientConfiguration',
  'deleteProfile',
  'duplicateProfile',
  'enableCapability',
  'exportProfile',
  'renameProfile',
  'resetProfile',
  'runTool',
  'toggleSelected',
  'toggleTool',
  'undo',
]);

/** Commands that take anybody's argument as long as it makes nothing wider: what it would, a person is asked about. */
const askedWhereWider: ReadonlySet<CommandId> = new Set(['disableCapability', 'setMode', 'switchProfile']);

/** The wall in front of our own commands. */
export class OutsideCalls {
  readonly #own = new WeakSet<object>();
  readonly #options: OutsideCallsOptions;

  constructor(options: OutsideCallsOptions) {
    this.#options = options;
  }

  /** Marks an argument of our own. */
  own<Value>(value: Value): OwnArgument<Value> {
    const argument = { value };
    this.#own.add(argument);
    return argument;
  }

  /** Puts the wall in front of those of the commands that need it. */
  guard(commands: ByCommand<CommandRun>): ByCommand<CommandRun> {
    return mapCommands(commands, (run, id) => this.#guarded(id, run));
  }

  #guarded(id: CommandId, run: CommandRun): CommandRun {
    const isAsked = askedFromOutside.has(id);
    if (!isAsked && !askedWhereWider.has(id)) return (...args) => run(...this.#plain(args));
    return async (...args) => {
      if (args.every((one) => one === undefined || this.#isOurs(one))) return run(...this.#plain(args));
      // What is shown is what is used: whoever called cannot change it while the person reads.
      const copy = args.map(plainCopy);
      const isMeant = await (isAsked ? this.#isMeantAtAll(id, copy) : this.#isMeantWhereWider(id, copy));
      return isMeant ? run(...copy) : undefined;
    };
  }

  async #isMeantAtAll(id: string, args: readonly unknown[]): Promise<boolean> {
    return this.#isMeant(id, args, (await Promise.all(args.map((one) => this.#describe(one)))).flat());
  }

  async #isMeantWhereWider(id: string, args: readonly unknown[]): Promise<boolean> {
    for (let agreed: string | undefined; ;) {
      await this.#options.caughtUp();
      const more = this.#options.wider(id, args);
      const text = more?.join('\n');
      // What changed while the person read is another question.
      if (more === undefined || text === agreed) return true;
      if (!(await this.#isMeant(id, args, more))) return false;
      agreed = text;
    }
  }

  #plain(args: readonly unknown[]): readonly unknown[] {
    return args.map((one) =>
      typeof one === 'object' && one !== null && this.#own.has(one) && 'value' in one ? one.value : one,
    );
  }

  #isOurs(value: unknown): boolean {
    if (Array.isArray(value)) return value.every((one) => this.#options.isRow(one));
    return (typeof value === 'object' && value !== null && this.#own.has(value)) || this.#options.isRow(value);
  }

  #isMeant(id: string, args: readonly unknown[], about: readonly string[]): Promise<boolean> {
    const { questions, titleOf, t } = this.#options;
    const question = {
      title: t('Another program asks for "{0}". Do it?', titleOf(id)),
      lines: [
        t(
          'It was not you who chose this: an extension, a link, a task or a keybinding called the command with arguments.',
        ),
        '',
        ...about,
        ...args.map((one) => JSON.stringify(one, undefined, 2) ?? 'undefined'),
      ],
      name: 'command.txt',
    };
    return questions.confirms(question, t('Do It'));
  }

  /** What an argument that names a capability or a tool stands for. */
  async #describe(value: unknown): Promise<readonly string[]> {
    if (typeof value !== 'string') return [];
    const { summaryWords } = await import('../../core/present/capabilityRow');
    const { meetingAndRisk } = await import('../../core/present/toolRow');
    const { shownName } = await import('../../core/present/words');
    const { registry, t } = this.#options;
    const capability = registry.capability(value);
    const tool = capability ? undefined : registry.tool(value);
    const tools = capability ? registry.toolsOf(capability.id) : tool ? [tool] : [];
    return [
      ...(capability ? [`${shownName(capability)}: ${summaryWords(capability, t)}`] : []),
      ...tools.map((one) => `• ${one.definition.name} · ${meetingAndRisk(one, this.#options.mode(), t)}`),
    ];
  }
}

/** What an argument says, without whatever else hangs on it. */
function plainCopy(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The title of a command in the manifest, for people who read English; its id where there is none. */
export function commandTitle(manifest: unknown, id: string): string {
  const contributes = isObject(manifest) && isObject(manifest['contributes']) ? manifest['contributes'] : {};
  const commands: readonly unknown[] = Array.isArray(contributes['commands']) ? contributes['commands'] : [];
  const found = commands.find((one) => isObject(one) && one['command'] === `agentCapabilities.${id}`);
  return isObject(found) && typeof found['title'] === 'string' ? found['title'] : id;
}
