import { say } from '../../base/sentence';
import type { Access } from '../../vocabulary/access';
import { type Json, sanitizeJson } from '../../base/json';
import { invalidInput, toolError } from '../../vocabulary/errors';
import { resolvePath } from '../../files/paths';
import { shellLine } from '../../foreign/clientConfiguration';
import type { FileSystem } from '../../ports/files';
import { missingPort, missingSecrets, need } from '../../ports/need';
import type { ProcessHandlerSpec } from './handlerSpec';
import { asText, fillText, lookUp, parseTemplate, soleReference, type TemplateValues } from '../../vocabulary/template';
import { readSecrets, secretNames } from './secrets';
import type { AccessContext, ToolHandler } from '../../capability/tool';
import { accessLabel } from '../../ports/accessLabel';

/**
 * Builds the argument list. An argument that is one reference to an array becomes one argument for each item, and none
 * without a value. An argument whose first characters come from input must not begin with `-`, unless the definition
 * allows options.
 */
function buildArgs(spec: ProcessHandlerSpec, values: TemplateValues): readonly string[] {
  return spec.args.flatMap((text): readonly string[] => {
    const template = parseTemplate(text);
    const sole = soleReference(template);
    const value = sole ? lookUp(sole, values) : undefined;
    if (sole && (value === undefined || value === null)) return [];
    const made = sole && Array.isArray(value) ? value.map(asText) : [fillText(template, values)];
    for (const argument of made) {
      refuseNul(argument, 'an argument');
      const isOfInput = template.parts.length > 0 && typeof template.parts[0] !== 'string';
      if (isOfInput && argument.startsWith('-') && !spec.allowOptions) {
        const expected = 'must not begin with `-`, because the program would take it for an option';
        // The template and not what it became, which may be a secret.
        throw invalidInput([{ path: '', expected, got: `it from \`${text.slice(0, 100)}\`` }]);
      }
    }
    return made;
  });
}

/** No system hands a NUL to a program; what is not refused here ends as an error of the run time that quotes it. */
function refuseNul(text: string, where: string): void {
  if (text.includes('\0'))
    throw invalidInput([{ path: '', expected: 'must not hold NUL characters', got: `one in ${where}` }]);
}

function buildEnv(spec: ProcessHandlerSpec, values: TemplateValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(spec.env).map(([name, template]) => {
      const text = fillText(parseTemplate(template), values);
      refuseNul(text, `the variable ${name}`);
      return [name, text];
    }),
  );
}

const what = 'programs';

/**
 * A tool that runs a program (definition handler `process`).
 * @param check throws where the files by which it runs, in the root in which it runs, are not those that were approved.
 */
export function processHandler(spec: ProcessHandlerSpec, check: (root: FileSystem) => Promise<void>): ToolHandler {
  // The command line as people and rules see it.
  const shown = (input: unknown, context: AccessContext): string =>
    shellLine([spec.command, ...buildArgs(spec, { input, config: context.config, secret: {} })]);
  const templates = [...spec.args, ...Object.values(spec.env), spec.stdin ?? ''].map(parseTemplate);
  const secrets = secretNames(templates);
  return {
    missing: async ({ ports }) => [
      ...missingPort(ports.programs, what),
      ...(await missingSecrets(secrets, ports.secrets)),
    ],
    accesses: (input, context): readonly Access[] => [{ effect: 'system.exec', resource: shown(input, context) }],
    preview: async (input, context) => ({
      lines: [
        spec.cwd === ''
          ? say('preview_process_in_workspace', shown(input, context))
          : say('preview_process_in', spec.cwd, shown(input, context)),
      ],
      ...(secrets.length > 0 ? { stake: { sends: { to: spec.command, secrets } } } : {}),
    }),
    async run(input, context) {
      const programs = need(context.ports.programs, spec.command, what);
      const read = await readSecrets(templates, context);
      const values: TemplateValues = { input, config: context.config, secret: read.values };
      const env = buildEnv(spec, values);
      const { files } = context.ports;
      // It was approved as a program of the workspace; what has its name in a session is a file that an agent wrote.
      if (files.labelPrefix !== undefined && /^\.[\\/]/.test(spec.command))
        throw toolError(
          'not_available',
          `\`${spec.command}\` is a program of the workspace, and this profile works on session files; a profile with the root \`workspace\` can run it`,
        );
      const cwd = await files.canonical(await resolvePath(files, spec.cwd === '' ? '.' : spec.cwd));
      await check(files);
      const running = programs.run({
        command: spec.command,
        args: buildArgs(spec, values),
        cwd,
        env,
        ...(spec.stdin === undefined ? {} : { stdin: fillText(parseTemplate(spec.stdin), values) }),
        maxOutputBytes: spec.maxOutputBytes,
        signal: context.signal,
      });
      const result = await running.catch((error: unknown) => {
        throw read.hideError(error);
      });
      if (result.cut)
        throw toolError(
          'too_large',
          `\`${spec.command}\` wrote more than ${spec.maxOutputBytes} bytes and was ended; narrow the call`,
        );
      const stdout = read.hide(result.stdout);
      const stderr = read.hide(result.stderr);
      if (result.exitCode === undefined || !spec.okExitCodes.includes(result.exitCode))
        throw toolError(
          'process_error',
          `\`${spec.command}\` ended with ${result.exitCode === undefined ? 'a signal' : `exit code ${result.exitCode}`} in ${accessLabel(cwd, files)}: ${(stderr || stdout).trim().slice(-2000) || 'it wrote nothing'}`,
          { details: { exitCode: result.exitCode ?? null } },
        );
      return { payload: payloadOf(spec, stdout, stderr, result.exitCode) };
    },
  };
}

function payloadOf(spec: ProcessHandlerSpec, stdout: string, stderr: string, exitCode: number): Json {
  switch (spec.output) {
    case 'text':
      return { exit_code: exitCode, stdout, ...(stderr === '' ? {} : { stderr }) };
    case 'lines':
      return stdout.split(/\r?\n/).filter((line) => line !== '');
    case 'json':
      try {
        const value: unknown = sanitizeJson(JSON.parse(stdout));
        return value as Json;
      } catch {
        throw toolError('invalid_output', `\`${spec.command}\` wrote no JSON (got ${stdout.length} characters)`);
      }
  }
}
