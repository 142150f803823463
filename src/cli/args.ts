import { writeFileSync, type WriteFileOptions } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../core/base/errorText';
import type { Json } from '../core/base/json';
import type { Clock } from '../core/ports/platform';
import type { Actor } from '../core/vocabulary/toolDefinition';
import { visible } from '../core/base/visible';

/** A mistake in how a command was typed; exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Does what a person asked for; where it fails, what they typed is at fault, in these words. */
export function asked<Result>(fault: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${fault} (${messageOf(error)})`);
  }
}

/** Where the command line reads and writes, so that tests need no process. */
export interface CliIo {
  out(text: string): void;
  error(text: string): void;
  /** Prints what a program reads, as it is; everything else is printed with what nobody sees made visible. */
  verbatim?(text: string): void;
  readonly environment: NodeJS.ProcessEnv;
  /** How this program was started, to be typed again; `agent-capabilities` where it is left out. */
  readonly started?: string;
  readonly signal?: AbortSignal;
  /** The streams of a command that speaks a protocol on them; the process's own where they are left out. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** What measures how long a person took to answer; the machine's where it is left out. */
  readonly clock?: Clock;
}

/** The words and options of one command. */
export interface CliArgs {
  readonly words: readonly string[];
  has(name: string): boolean;
  value(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Splits arguments by the options that a command knows; an unknown option or a missing value is a usage error. */
export function parseArgs(args: readonly string[], known: Readonly<Record<string, boolean>>): CliArgs {
  const words: string[] = [];
  const options = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const [name = '', ...rest] = arg.slice(2).split('=');
    const takesValue = Object.hasOwn(known, name) ? known[name] : undefined;
    if (takesValue === undefined)
      throw new UsageError(
        `\`--${name}\` is not an option here; known are ${Object.keys(known)
          .map((one) => `--${one}`)
          .join(', ')}`,
      );
    let value = rest.length > 0 ? rest.join('=') : undefined;
    if (takesValue && value === undefined) value = args[++index];
    if (takesValue && value === undefined) throw new UsageError(`\`--${name}\` needs a value`);
    if (!takesValue && value !== undefined) throw new UsageError(`\`--${name}\` takes no value`);
    options.set(name, [...(options.get(name) ?? []), value ?? '']);
  }
  return {
    words,
    has: (name) => options.has(name),
    value: (name) => options.get(name)?.at(-1),
    all: (name) => options.get(name) ?? [],
  };
}

/**
 * The call of `call TOOL JSON` and `why TOOL JSON`.
 * @param otherwise stands for an input that is left out; without it the input has to be there.
 */
export function readCall(
  args: CliArgs,
  command: 'call' | 'why',
  otherwise?: string,
): { readonly tool: string; readonly input: Json; readonly actor: Actor } {
  const [tool, text = otherwise, ...rest] = args.words;
  if (tool === undefined || text === undefined || rest.length > 0)
    throw new UsageError(`usage: ${command} TOOL ${otherwise === undefined ? 'JSON' : '[JSON]'}`);
  const input = asked(`the input of \`${tool}\` must be JSON`, () => JSON.parse(text) as Json);
  return { tool, input, actor: { type: actorType(args, 'agent'), id: 'command-line', isUnproven: true } };
}

/** Whose part a command takes, by `--as`. */
export function actorType(args: CliArgs, otherwise: Actor['type']): Actor['type'] {
  const type = args.value('as') ?? otherwise;
  if (type !== 'user' && type !== 'agent') throw new UsageError(`\`--as\` must be user or agent (got \`${type}\`)`);
  return type;
}

/**
 * Reads `--set KEY=JSON`; a value that is no JSON is taken as text, so that `--set policy.preset=strict` works in any
 * shell.
 */
export function settingsFromArgs(args: CliArgs): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const one of args.all('set')) {
    const at = one.indexOf('=');
    if (at <= 0) throw new UsageError(`\`--set\` must be KEY=JSON (got \`${one}\`)`);
    const key = one.slice(0, at).replace(/^agentCapabilities\./, '');
    const text = one.slice(at + 1);
    try {
      out[key] = JSON.parse(text);
    } catch {
      out[key] = text;
    }
  }
  return out;
}

/** The value of an option that takes one of a few. */
export function oneOf<Value extends string>(
  args: CliArgs,
  name: string,
  values: readonly Value[],
  otherwise: Value,
): Value {
  const given = args.value(name) ?? otherwise;
  const found = values.find((one) => one === given);
  if (found === undefined) throw new UsageError(`\`--${name}\` must be ${values.join(', ')} (got \`${given}\`)`);
  return found;
}

/** Prints what a program reads, as it is. */
export function verbatim(io: CliIo, text: string): void {
  if (io.verbatim) io.verbatim(text);
  else io.out(text);
}

/** The same streams for people: no text, whoever wrote it, moves the cursor or hides. */
export const forPeople = (io: CliIo): CliIo => ({
  ...io,
  out: (text) => io.out(visible(text)),
  error: (text) => io.error(visible(text)),
  verbatim: (text) => io.out(text),
});

/** Prints a value as JSON that people can read too. */
export function outJson(io: CliIo, value: unknown): void {
  verbatim(io, JSON.stringify(value, undefined, 2));
}

/** Writes a file that an option names; one that cannot be written is a usage error. */
export function writeNamed(file: string, text: string, options: WriteFileOptions = {}): void {
  asked(`\`${file}\` cannot be written`, () => writeFileSync(file, text, options));
}

/** Writes what was made to `--out`, else prints it. */
export function hand(text: string, args: CliArgs, io: CliIo): void {
  const out = args.value('out');
  if (out === undefined) verbatim(io, text.trimEnd());
  else writeNamed(out, text);
}
