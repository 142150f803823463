import { say } from '../../base/sentence';
import type { Access } from '../../vocabulary/access';
import { isObject, type Json } from '../../base/json';
import { isToolError, permissionDenied, refusal, toolError } from '../../vocabulary/errors';
import { guestFiles } from '../../files/guestFiles';
import { bodyText } from '../../net/exchange';
import { parseHttpUrl } from '../../net/url';
import { missingPort, need } from '../../ports/need';
import type { BoundFile, ModuleHandlerSpec } from './handlerSpec';
import { secretMissing } from '../../vocabulary/template';
import { payloadOf } from './toolCall';
import type { ToolContext, ToolHandler } from '../../capability/tool';
import { messageOf } from '../../base/errorText';

const maxOutput = 1_000_000;
const outside = 'modules';

/**
 * A tool that runs a file (definition handler `module`): in the sandbox with the ports that it declares, or, once
 * trusted, in Node. What runs is the text that was approved, kept since it was read.
 * @param check throws where the file says something else meanwhile.
 */
export function moduleHandler(
  spec: ModuleHandlerSpec,
  timeoutMs: number,
  approved: BoundFile | undefined,
  check: () => Promise<void>,
): ToolHandler {
  return {
    missing: async ({ ports }) =>
      spec.mode === 'node' ? missingPort(ports.trustedModules, outside) : missingPort(ports.sandbox, 'sandbox'),
    accesses: (): readonly Access[] =>
      spec.mode === 'node' ? [{ effect: 'system.exec', resource: `node module ${spec.file} (not sandboxed)` }] : [],
    preview: async () => (spec.mode === 'node' ? { lines: [say('preview_node_module', spec.file)] } : {}),
    async run(input, context) {
      const code = approved?.text;
      if (approved === undefined || code === undefined)
        throw refusal('definition_error', say('module_not_read', spec.file));
      await check();
      const guest = { config: context.config, user: { type: context.actor.type, id: context.actor.id } };
      if (spec.mode === 'node') {
        const runner = need(context.ports.trustedModules, spec.file, outside);
        const args = [input, { ...guest, signal: context.signal }];
        const answer = await runner.run({ file: approved.path, code }, spec.exportName, args);
        return { payload: plainJson(answer, spec.file) };
      }
      const sandbox = need(context.ports.sandbox, spec.file, 'sandbox');
      const functions = hostFunctions(spec, context);
      const outcome = await sandbox
        .run(
          {
            code,
            fileName: spec.file,
            language: /\.[cm]?ts$/.test(spec.file) ? 'typescript' : 'javascript',
            call: { exportName: spec.exportName, args: [input as Json], context: guest },
            hostFunctions: [...functions.keys()],
          },
          { timeoutMs, memoryMb: spec.memoryMb, maxOutput },
          async (name, [first, second]) => {
            const run = functions.get(name);
            if (!run) throw new TypeError(`${name} is not offered`);
            return run(first, second);
          },
          context.signal,
        )
        .catch((error: unknown) => {
          throw withoutPlace(error, spec.file, context);
        });
      if (outcome.output !== '')
        context.ports.log.debug(`${spec.file} wrote ${outcome.output.length} characters to its console`);
      return { payload: outcome.value ?? null };
    },
  };
}

/**
 * A module's failure as a model may read it. Where in the file it was goes to the log, for whoever wrote the module.
 */
function withoutPlace(error: unknown, file: string, { ports: { log } }: ToolContext): unknown {
  const place = isToolError(error) ? error.data.details?.['place'] : undefined;
  if (!isToolError(error) || place === undefined) return error;
  log.warn(`${file}: ${error.message} (${String(place)})`);
  return toolError(error.data.code, error.message);
}

/** Copies a value as JSON does; what JSON cannot carry is a fault of the module. */
function plainJson(value: unknown, what: string): Json {
  if (value === undefined) return null;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw toolError('invalid_output', `the result of \`${what}\` cannot be written as JSON: ${messageOf(error)}`);
  }
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** Tells whether a host fits one of the patterns; `*.example.com` is any name below it. */
function hostFits(host: string, patterns: readonly string[]): boolean {
  const name = host.toLowerCase();
  return patterns.some((raw) => {
    const pattern = raw.toLowerCase();
    return pattern === '*' || pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)));
  });
}

type HostFunction = (first: Json | undefined, second: Json | undefined) => Promise<Json>;

/**
 * What the code in the sandbox may ask for, by name: only what the module declares. Every use is judged by the gate as
 * an access met while running.
 */
function hostFunctions({ ports, file }: ModuleHandlerSpec, context: ToolContext): ReadonlyMap<string, HostFunction> {
  const files = guestFiles(context, file);
  const text = (value: Json | undefined, what: string): string => {
    if (typeof value === 'string') return value;
    throw new TypeError(`${what} must be a string`);
  };
  const functions = new Map<string, HostFunction>();
  const { fetch: hosts, secrets, tools } = ports;
  if (hosts)
    functions.set('fetch', async (address, options) =>
      hostFetch(text(address, 'the URL'), isObject(options) ? options : {}, hosts, file, context),
    );
  if (ports.files) functions.set('files.read', async (path) => files.read(path));
  if (ports.files) functions.set('files.list', async (path) => files.list(path));
  if (ports.files === 'write') functions.set('files.write', async (path, content) => files.write(path, content));
  if (secrets)
    functions.set('secrets.get', async (first) => {
      const secret = text(first, 'the name');
      if (!secrets.includes(secret)) throw permissionDenied(file, `does not declare the secret \`${secret}\``);
      const value = await context.ports.secrets.get(secret);
      if (value === undefined) throw secretMissing(secret);
      return value;
    });
  if (tools)
    functions.set('tools.call', async (first, input) => {
      const tool = text(first, 'the tool');
      if (!tools.includes(tool)) throw permissionDenied(file, `does not declare the tool \`${tool}\``);
      return payloadOf(tool, await context.invokeTool(tool, input ?? {}));
    });
  return functions;
}

async function hostFetch(
  address: string,
  options: Record<string, unknown>,
  hosts: readonly string[],
  file: string,
  context: ToolContext,
): Promise<Json> {
  const url = parseHttpUrl(address);
  if (!hostFits(url.hostname, hosts))
    throw permissionDenied('fetch', `of \`${url.hostname}\` is not declared by the module`);
  const method = typeof options['method'] === 'string' ? options['method'].toUpperCase() : 'GET';
  if (!/^[A-Z]{1,20}$/.test(method)) throw new TypeError('the method must be letters');
  const headers = Object.fromEntries(
    Object.entries(isObject(options['headers']) ? options['headers'] : {}).map(([key, value]) => [key, String(value)]),
  );
  const verdict = await context.access({ effect: 'network.http', resource: url.href, method });
  if (!verdict.allowed) throw permissionDenied(file, verdict.reason);
  const response = await context.send(
    {
      url: url.href,
      method,
      headers,
      ...(typeof options['body'] === 'string' ? { body: options['body'] } : {}),
      firstByteTimeoutMs: 30_000,
      bodyTimeoutMs: 30_000,
      maxBytes: 2_000_000,
      signal: context.signal,
    },
    30_000,
  );
  return { status: response.status, headers: { ...response.headers }, body: bodyText(response), url: response.url };
}
