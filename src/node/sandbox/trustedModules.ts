import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { toolError } from '../../core/vocabulary/errors';
import type { ModuleRunner } from '../../core/ports/sandbox';

/**
 * Runs a text as a CommonJS module in this process, with everything that Node can do. Only for definitions of mode
 * `node`, whose text the user trusted. Modules of Node itself can be required; files cannot, neither by `require` nor
 * by `import`, because nobody approved theirs.
 */
export function createTrustedModules(): ModuleRunner {
  return {
    async run({ file, code }, exportName, args) {
      const name = path.basename(file);
      if (!/\.c?js$/.test(file))
        throw toolError(
          'unsupported',
          `\`${name}\` cannot run outside the sandbox: only .js and .cjs files with \`module.exports\` can`,
        );
      const module: { exports: unknown } = { exports: {} };
      // The user trusted this very text to run here; that is what the mode means. Without a callback, `import` is
      // refused.
      const compiled: unknown = compileFunction(code, ['module', 'exports', 'require', '__filename', '__dirname'], {
        filename: file,
      });
      if (typeof compiled !== 'function') throw toolError('sandbox_error', `\`${name}\` is not a module`);
      Reflect.apply(compiled, module.exports, [module, module.exports, requireBuiltIn(name), file, path.dirname(file)]);
      const space = module.exports;
      const named: unknown = typeof space === 'object' && space !== null ? Reflect.get(space, exportName) : undefined;
      const run = exportName === 'default' && typeof space === 'function' ? space : named;
      if (typeof run !== 'function') throw toolError('sandbox_error', `\`${name}\` has no function \`${exportName}\``);
      const answer: unknown = await Reflect.apply(run, undefined, args);
      return answer;
    },
  };
}

/** `node:module` makes other requires, which would read files again. */
const refused: ReadonlySet<string> = new Set(['module']);

function requireBuiltIn(name: string): (wanted: unknown) => unknown {
  const builtIn = createRequire(path.join(path.parse(process.cwd()).root, 'builtin.js'));
  return (wanted) => {
    if (typeof wanted === 'string' && isBuiltin(wanted) && !refused.has(wanted.replace(/^node:/, '')))
      return builtIn(wanted);
    throw toolError(
      'unsupported',
      `\`${name}\` requires \`${String(wanted).slice(0, 80)}\`: only modules of Node itself can be required, because no other file was approved; put the code into one file`,
    );
  };
}
