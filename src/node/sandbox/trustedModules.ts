import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { toolError } from '../../core/errors';
import type { ModuleRunner } from '../../core/ports/sandbox';

/**
 * Runs a file as a CommonJS module in this process, with everything that Node can do. Only for definitions of mode `node`, whose file the user
 * trusted by its content; the caller has compared the content before. The file is read anew for each call.
 */
export function createTrustedModules(): ModuleRunner {
  return {
    async run(file, exportName, args) {
      if (!/\.c?js$/.test(file))
        throw toolError(
          'unsupported',
          `\`${path.basename(file)}\` cannot run outside the sandbox: only .js and .cjs files with \`module.exports\` can`,
        );
      const code = await readFile(file, 'utf8');
      const module: { exports: unknown } = { exports: {} };
      // The user trusted this very file to run here; that is what the mode means.
      const compiled = new Function('module', 'exports', 'require', '__filename', '__dirname', `${code}\n//# sourceURL=${file}`);
      compiled(module, module.exports, createRequire(file), file, path.dirname(file));
      const space = module.exports;
      const named = typeof space === 'object' && space !== null ? (space as Record<string, unknown>)[exportName] : undefined;
      const run = exportName === 'default' && typeof space === 'function' ? space : named;
      if (typeof run !== 'function') throw toolError('sandbox_error', `\`${path.basename(file)}\` has no function \`${exportName}\``);
      return (await run(...args)) as unknown;
    },
  };
}
