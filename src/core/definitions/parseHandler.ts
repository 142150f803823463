import { closedArgument, closedCommand } from './handlers/commandWall';
import { isObject, type Json, typeName } from '../base/json';
import { refusedVariable } from '../policy/rules/codeLoadingVariables';
import type { HandlerSpec, ModulePorts, ProcessHandlerSpec, ResponseSpec } from './handlers/handlerSpec';
import { parseCompose } from './parseCompose';
import { ObjectReader, pointerTo, type Findings } from './reader';
import { parseTemplate, references, templateFault, type Template, templatesIn } from '../vocabulary/template';

/** What a handler's templates may refer to. */
export interface HandlerScope {
  /** Undefined where the input is open (no listed properties). */
  readonly inputs: ReadonlySet<string> | undefined;
  readonly configs: ReadonlySet<string> | undefined;
  /** The folder of the definition's file, workspace-relative. */
  readonly folder: string;
}

export const handlerTypes = ['http', 'command', 'process', 'module', 'tool', 'mcp', 'compose'] as const;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Reads a handler. A text is the path of a module. Undefined where a fault keeps it from being used. */
export function parseHandler(
  raw: unknown,
  pointer: string,
  findings: Findings,
  scope: HandlerScope,
): HandlerSpec | undefined {
  const before = errorsIn(findings);
  const value = typeof raw === 'string' ? { type: 'module', file: raw } : raw;
  if (!isObject(value)) {
    findings.error(pointer, `a handler must be an object or the path of a module (got ${typeName(raw)})`);
    return undefined;
  }
  const reader = new ObjectReader(value, pointer, findings);
  const type = reader.oneOf('type', handlerTypes);
  if (type === undefined) {
    if (!reader.has('type'))
      findings.error(pointer, `\`type\` is required: one of ${handlerTypes.map((one) => `\`${one}\``).join(', ')}`);
    return undefined;
  }
  const handler = byType(type, reader, scope);
  reader.finish();
  const roots =
    type === 'compose'
      ? ['input', 'config', 'steps', 'item', 'index']
      : ['input', 'config', ...(type === 'http' || type === 'process' ? ['secret'] : [])];
  checkReferences(value, pointer, findings, scope, roots);
  return errorsIn(findings) > before ? undefined : handler;
}

function errorsIn(findings: Findings): number {
  return findings.problems.filter((one) => one.severity === 'error').length;
}

function byType(
  type: (typeof handlerTypes)[number],
  reader: ObjectReader,
  scope: HandlerScope,
): HandlerSpec | undefined {
  switch (type) {
    case 'http':
      return parseHttp(reader);
    case 'command':
      return parseCommand(reader);
    case 'process':
      return parseProcess(reader);
    case 'module':
      return parseModule(reader, scope);
    case 'tool': {
      const tool = reader.required('tool');
      return tool === undefined ? undefined : { type, tool, input: json(reader.object('input') ?? {}) };
    }
    case 'mcp': {
      const server = reader.required('server');
      const tool = reader.required('tool');
      if (server === undefined || tool === undefined) return undefined;
      return { type, tool: `mcp:${server}:${tool}`, input: json(reader.object('input') ?? {}) };
    }
    case 'compose':
      return parseCompose(reader);
  }
}

/** Everything in a document has passed `sanitizeJson`; this names its type. */
export function json(value: unknown): Json {
  return value as Json;
}

function template(reader: ObjectReader, key: string): Template | undefined {
  const value = reader.required(key);
  return value === undefined ? undefined : parseTemplate(value);
}

function parseHttp(reader: ObjectReader): HandlerSpec | undefined {
  const method =
    reader.oneOf('method', methods, {
      get: 'GET',
      head: 'HEAD',
      post: 'POST',
      put: 'PUT',
      patch: 'PATCH',
      delete: 'DELETE',
    }) ?? 'GET';
  const url = template(reader, 'url');
  if (url) checkUrl(reader, url);
  const headers: Record<string, Template> = {};
  for (const [name, value] of Object.entries(reader.object('headers') ?? {})) {
    const at = pointerTo(reader.at('headers'), name);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) reader.findings.error(at, `\`${name}\` is not a header name`);
    else if (/^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i.test(name))
      reader.findings.error(at, `the header \`${name}\` is set by the client and cannot be given`);
    else if (typeof value !== 'string')
      reader.findings.error(at, `the header \`${name}\` must be string (got ${typeName(value)})`);
    else headers[name] = parseTemplate(value);
  }
  const body = reader.raw('body');
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    reader.error('body', `cannot be sent with ${method}; use POST, PUT, PATCH or DELETE`);
  const bodyType =
    reader.oneOf('bodyType', ['json', 'form', 'text']) ??
    (typeof body === 'string' && !/^\$\{[^}]*\}$/.test(body) ? 'text' : 'json');
  if (bodyType === 'json' && typeof body === 'string' && !/^\$\{[^}]*\}$/.test(body))
    reader.error(
      'body',
      'must be written as JSON here, so that every value is escaped by itself; use bodyType `text` for plain text',
    );
  if (bodyType === 'form' && body !== undefined && !isObject(body))
    reader.error('body', `must be an object for a form (got ${typeName(body)})`);
  const contentType = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1].text ?? '';
  if (
    bodyType === 'text' &&
    typeof body === 'string' &&
    /json|urlencoded/i.test(contentType) &&
    references(parseTemplate(body)).length > 0
  )
    reader.error(
      'body',
      `must be written as an object where it is \`${contentType}\`, so that every value is escaped by itself`,
    );
  if (bodyType === 'text' && body !== undefined && typeof body !== 'string')
    reader.error('body', `must be string for text (got ${typeName(body)})`);
  const query = reader.object('query') ?? {};
  const response = parseResponse(reader.reader('response'));
  const maxBytes = reader.number('maxBytes', { minimum: 1, maximum: 50_000_000 }) ?? 2_000_000;
  if (!url) return undefined;
  return {
    type: 'http',
    method,
    url,
    query: query as Readonly<Record<string, Json>>,
    headers,
    ...(body === undefined ? {} : { body: json(body) }),
    bodyType,
    response,
    maxBytes,
  };
}

/** Scheme, host and port must be literal or configuration of the user, so that no input decides who is contacted. */
function checkUrl(reader: ObjectReader, url: Template): void {
  const [first] = url.parts;
  const literal = typeof first === 'string' ? first : '';
  if (!/^https?:\/\//i.test(literal)) {
    reader.error('url', 'must begin with http:// or https://');
    return;
  }
  if (
    !/^https?:\/\/[^/?#\\\s@]+(?:[/?#]|$)/i.test(literal) ||
    (url.parts.length > 1 && !/^https?:\/\/[^/?#]+[/?#]/i.test(literal))
  )
    reader.error('url', 'must name its host literally, without a user name and without `${…}` in it, followed by `/`');
  else if (!URL.canParse(literal)) reader.error('url', 'is not a usable URL');
  else if (/(?:^|\/)\.\.?(?:\/|$)/.test(literal.replace(/[?#].*$/, '').replace(/^https?:\/\//i, '')))
    reader.error('url', 'must not hold `.` or `..` segments');
}

function parseResponse(reader: ObjectReader | undefined): ResponseSpec {
  if (!reader) return { type: 'auto' };
  const type = reader.oneOf('type', ['auto', 'json', 'text']) ?? 'auto';
  const select = reader.text('select');
  const error = reader.text('error');
  for (const key of ['select', 'error']) {
    const value = reader.raw(key);
    if (typeof value === 'string' && value !== '' && !value.startsWith('/'))
      reader.error(key, `must be a JSON pointer such as \`/data/items\` (got \`${value}\`)`);
  }
  const rawMap = reader.object('map');
  const map: Record<string, string> = {};
  for (const [name, value] of Object.entries(rawMap ?? {})) {
    if (typeof value === 'string' && (value === '' || value.startsWith('/'))) map[name] = value;
    else
      reader.findings.error(
        pointerTo(reader.at('map'), name),
        `must be a JSON pointer such as \`/main/temp\` (got ${JSON.stringify(value)})`,
      );
  }
  reader.finish();
  return {
    type,
    ...(select === undefined ? {} : { select }),
    ...(rawMap === undefined ? {} : { map }),
    ...(error === undefined ? {} : { error }),
  };
}

function parseCommand(reader: ObjectReader): HandlerSpec | undefined {
  const command = reader.required('command');
  const args = reader.list('args') ?? [];
  if (command === undefined) return undefined;
  if (command.includes('${')) reader.error('command', 'must be literal, without `${…}`');
  const why = closedCommand(command);
  if (why !== undefined) reader.error('command', `cannot be \`${command}\`: it ${why}`);
  const given = closedArgument(args);
  if (given !== undefined) reader.error('args', `cannot hold what ${given}`);
  return { type: 'command', command, args: args.map(json) };
}

function parseProcess(reader: ObjectReader): HandlerSpec | undefined {
  const command = reader.required('command');
  if (command !== undefined) checkBinary(reader, command);
  const args = reader.texts('args') ?? [];
  const cwd = reader.text('cwd') ?? '';
  if (cwd.includes('${') || !isInside(cwd))
    reader.error('cwd', 'must be a literal path inside the workspace, without `..`');
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(reader.object('env') ?? {})) {
    const at = pointerTo(reader.at('env'), name);
    const refused = refusedVariable(name);
    if (refused?.effect === 'not_a_name') reader.findings.error(at, `\`${name}\` ${refused.reason}`);
    else if (refused)
      reader.findings.error(at, `\`${name}\` decides which code runs and cannot be set: it ${refused.reason}`);
    else if (typeof value !== 'string') reader.findings.error(at, `must be string (got ${typeName(value)})`);
    else env[name] = value;
  }
  const stdin = reader.text('stdin');
  const output = reader.oneOf('output', ['text', 'json', 'lines']) ?? 'text';
  const maxOutputBytes = reader.number('maxOutputBytes', { minimum: 1, maximum: 50_000_000 }) ?? 1_000_000;
  const codes = (reader.list('okExitCodes') ?? [0]).filter(
    (one): one is number => typeof one === 'number' && Number.isInteger(one),
  );
  const allowOptions = reader.flag('allowOptions') ?? false;
  if (command === undefined) return undefined;
  const spec: ProcessHandlerSpec = {
    type: 'process',
    command,
    args,
    cwd,
    env,
    ...(stdin === undefined ? {} : { stdin }),
    output,
    maxOutputBytes,
    okExitCodes: codes,
    allowOptions,
  };
  return spec;
}

function checkBinary(reader: ObjectReader, command: string): void {
  const plain = command.replaceAll('\\', '/');
  if (command.includes('${')) reader.error('command', 'must be literal, without `${…}`');
  else if (plain.split('/').includes('..')) reader.error('command', 'must not hold `..`');
  else if (/[\0\n\r]/.test(command) || command.trim() !== command)
    reader.error('command', 'must be one program, without surrounding space or line ends');
  else if (/\s/.test(command) && !plain.includes('/'))
    reader.error('command', `must be the program alone (got \`${command}\`); put the arguments into \`args\``);
  else if (/\.(?:bat|cmd|ps1|vbs)$/i.test(command)) reader.error('command', 'cannot be a script that needs a shell');
  else if (/(?:^|\/)(?:sh|bash|zsh|fish|dash|ksh|csh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)$/i.test(plain))
    reader.error('command', 'cannot be a shell; name the program and its arguments');
  else if (plain.includes('/') && !plain.startsWith('/') && !/^[A-Za-z]:\//.test(plain) && !plain.startsWith('./'))
    reader.error('command', 'must be a plain name, an absolute path, or a path in the workspace that begins with `./`');
}

/** Tells whether a workspace-relative path stays below the workspace by its text alone. */
export function isInside(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  return (
    !plain.startsWith('/') && !/^[A-Za-z]:/.test(plain) && !plain.includes('\0') && !plain.split('/').includes('..')
  );
}

function parseModule(reader: ObjectReader, scope: HandlerScope): HandlerSpec | undefined {
  const file = reader.required('file');
  const exportName = reader.text('export') ?? 'default';
  const mode = reader.oneOf('mode', ['sandbox', 'node']) ?? 'sandbox';
  const memoryMb = reader.number('memoryMb', { minimum: 1, maximum: 512 }) ?? 32;
  const ports = parsePorts(reader.reader('ports'));
  if (file === undefined) return undefined;
  if (!isInside(file) || file.includes('${')) {
    reader.error('file', 'must be a literal path beside the definition, without `..`');
    return undefined;
  }
  if (!/\.(?:[cm]?[jt]s)$/.test(file)) {
    reader.error('file', 'must end in .js, .mjs, .cjs, .ts, .mts or .cts');
    return undefined;
  }
  const parts = file
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return {
    type: 'module',
    file: [scope.folder, ...parts].filter(Boolean).join('/'),
    exportName,
    ports,
    memoryMb,
    mode,
  };
}

function parsePorts(reader: ObjectReader | undefined): ModulePorts {
  if (!reader) return {};
  const fetch =
    reader.raw('fetch') === true ? ['*'] : reader.raw('fetch') === false ? undefined : reader.texts('fetch');
  const files = reader.raw('files') === true ? 'read' : reader.oneOf('files', ['read', 'write']);
  const secrets = reader.texts('secrets');
  const tools = reader.texts('tools');
  reader.finish();
  return {
    ...(fetch ? { fetch } : {}),
    ...(files ? { files } : {}),
    ...(secrets ? { secrets } : {}),
    ...(tools ? { tools } : {}),
  };
}

/** Reports every `${…}` that names nothing there is, at the string that holds it. */
export function checkReferences(
  raw: unknown,
  pointer: string,
  findings: Findings,
  scope: HandlerScope,
  roots: readonly string[],
): void {
  for (const { pointer: at, template: one } of templatesIn(raw, pointer)) {
    const fault = templateFault(one.text);
    if (fault !== undefined)
      findings.error(
        at,
        `\`${fault}\` is not a reference; write \`\${input.name}\`, or \`$\${\` for the characters themselves`,
      );
    for (const reference of references(one)) {
      const word = one.text.slice(reference.offset, reference.offset + reference.length);
      const [first] = reference.path;
      if (!roots.includes(reference.root))
        findings.error(
          at,
          `\`${word}\` cannot be used here; known are ${roots.map((root) => `\`${root}\``).join(', ')}`,
        );
      else if (reference.root === 'input' && first !== undefined && scope.inputs && !scope.inputs.has(first))
        findings.error(at, `\`${word}\` names no property of the input schema`, 'unknown_reference');
      else if (reference.root === 'config' && first !== undefined && scope.configs && !scope.configs.has(first))
        findings.error(at, `\`${word}\` names no property of the configuration schema`, 'unknown_reference');
    }
  }
}
