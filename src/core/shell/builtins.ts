import { type Field, isOpenField, plainField } from './field';
import { type Io, type Reader, wordsOf } from './reader';

/** What a builtin of the shell printed; undefined as a whole where a name is none that is known here. */
interface BuiltinAnswer {
  readonly output: string | undefined;
}

const silent: BuiltinAnswer = { output: '' };

/** Runs the builtins that change what the shell holds, or that run text. */
export function readBuiltin(
  name: string,
  args: readonly Field[],
  reader: Reader,
  words: string,
  io: Io,
): BuiltinAnswer | undefined {
  const { scope } = reader;
  const operands = args.filter(({ text }) => !/^-[a-zA-Z]+$|^--$/.test(text));
  switch (name) {
    case 'cd':
    case 'chdir':
    case 'pushd': {
      const [target = plainField('~')] = operands;
      const isBack = args.some(({ text }) => text === '-') || /^[+-]\d/.test(target.text);
      scope.enter(isBack || !target.isKnown || target.isPattern ? undefined : target.text);
      scope.set('PWD', [target.text], { isOpen: !target.isKnown, adds: true });
      return silent;
    }
    case 'popd':
      scope.enter(undefined);
      return silent;
    case 'eval':
      return { output: reader.runText(wordsOf(args)) };
    case '.':
    case 'source': {
      const [file] = operands;
      if (file?.text === '/dev/stdin' && io.stdin !== undefined) return { output: reader.runText(io.stdin) };
      if (file) reader.touch('fs.read', file, words);
      reader.unknown(file?.text.startsWith('/dev/') ? 'piped_into_shell' : 'runs_script', words);
      return { output: undefined };
    }
    case 'alias':
      for (const { text } of operands) {
        const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
        if (key === undefined || value === undefined) continue;
        scope.aliases.set(key, value);
        reader.apart((inner) => inner.runText(value));
      }
      return silent;
    case 'set':
      if (args.some(({ text }) => text === '--') || operands.length > 0)
        scope.setArguments(
          operands.map(({ text }) => text),
          operands.some(isOpenField),
        );
      return silent;
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const names = operands.map(({ text }) => text).filter((text) => /^[a-zA-Z_]\w*$/.test(text));
      const isWhole = name !== 'read' || args.some(({ text }) => /^-\w*a/.test(text));
      const values = io.stdin?.split(isWhole && name === 'read' ? /\s+/ : '\n').filter((line) => line !== '') ?? [];
      const parts = [...values, ...values.flatMap((line) => line.split(/\s+/))];
      for (const one of names.length > 0 ? names : [name === 'read' ? 'REPLY' : 'MAPFILE'])
        scope.set(one, isWhole ? values : parts, { isOpen: io.stdin === undefined, isArray: isWhole });
      return name === 'read' ? silent : undefined;
    }
    case 'printf':
      if (args[0]?.text === '-v' && args[1]) {
        const format = args.slice(2);
        const output = reader.apart((inner) => inner.runWords([plainField('printf'), ...format], io));
        scope.set(args[1].text, output === undefined ? [] : [output], { isOpen: output === undefined });
        return silent;
      }
      return undefined;
    case 'hash':
      // From now on the name means that file.
      if (!args.some(({ text }) => /^-\w*p/.test(text))) return undefined;
      for (const file of operands) reader.touch('fs.read', file, words);
      reader.unknown('runs_script', words);
      return silent;
    case 'unset':
      for (const { text } of operands) scope.variables.delete(text);
      return silent;
    case 'shift': {
      const all = scope.variables.get('@');
      if (all) scope.setArguments(all.values.slice(1), all.isOpen);
      return silent;
    }
    default:
      return undefined;
  }
}
