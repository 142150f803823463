import { closedArgument, closedCommand } from './handlers/commandWall';
import { defined, isObject, type Json } from '../base/json';
import { type Findings, got, gotJson, type ObjectReader, pointerTo, readerOf } from '../base/jsonReader';
import { say } from '../base/sentence';
import { hasDots } from '../net/url';
import { refusedVariable } from '../policy/rules/codeLoadingVariables';
import type { HttpHandlerSpec, ModulePorts, ResponseSpec, WrittenHandlerSpec } from './handlers/handlerSpec';
import { parseCompose } from './parseCompose';
import { parseTemplate, references, templateFault, type Template, templatesIn } from '../vocabulary/template';

/** What a handler's templates may refer to. */
interface HandlerScope {
  /** Undefined where the input is open (no listed properties). */
  readonly inputs: ReadonlySet<string> | undefined;
  readonly configs: ReadonlySet<string> | undefined;
  /** The folder of the definition's file, workspace-relative. */
  readonly folder: string;
}

const handlerTypes = ['http', 'command', 'process', 'module', 'tool', 'mcp', 'compose'] as const;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Reads a handler. A text is the path of a module. Undefined where a fault keeps it from being used. */
export function parseHandler(
  raw: unknown,
  pointer: string,
  findings: Findings,
  scope: HandlerScope,
): WrittenHandlerSpec | undefined {
  const before = findings.errors();
  const value = typeof raw === 'string' ? { type: 'module', file: raw } : raw;
  const reader = readerOf(value, pointer, findings, say('a_handler'), say('module_or_object'));
  if (!reader) return undefined;
  const type = reader.oneOf('type', handlerTypes);
  if (type === undefined) {
    if (!reader.has('type')) findings.error(pointer, say('property', 'type', say('is_required_one_of', handlerTypes)));
    return undefined;
  }
  const handler = readers[type](reader, scope);
  reader.finish();
  const roots =
    type === 'compose'
      ? ['input', 'config', 'steps', 'item', 'index']
      : ['input', 'config', ...(type === 'http' || type === 'process' ? ['secret'] : [])];
  checkReferences(value, pointer, findings, scope, roots);
  return findings.errors() > before ? undefined : handler;
}

const readers: Readonly<
  Record<(typeof handlerTypes)[number], (reader: ObjectReader, scope: HandlerScope) => WrittenHandlerSpec | undefined>
> = {
  http: parseHttp,
  command: parseCommand,
  process: parseProcess,
  module: parseModule,
  compose: parseCompose,
  tool(reader) {
    const tool = reader.required('tool');
    return tool === undefined ? undefined : { type: 'tool', tool, input: json(reader.object('input') ?? {}) };
  },
  mcp(reader) {
    const [server, tool] = [reader.required('server'), reader.required('tool')];
    if (server === undefined || tool === undefined) return undefined;
    return { type: 'mcp', tool: `mcp:${server}:${tool}`, input: json(reader.object('input') ?? {}) };
  },
};

/** Everything in a document has passed `sanitizeJson`; this names its type. */
function json(value: unknown): Json {
  return value as Json;
}

function parseHttp(reader: ObjectReader): WrittenHandlerSpec | undefined {
  const synonyms = Object.fromEntries(methods.map((one) => [one.toLowerCase(), one]));
  const method = reader.oneOf('method', methods, synonyms) ?? 'GET';
  const address = reader.required('url');
  const url = address === undefined ? undefined : parseTemplate(address);
  if (url) checkUrl(reader, url);
  const headers = parseHeaders(reader);
  const content = parseBody(reader, method, headers);
  const query = reader.object('query') ?? {};
  const response = parseResponse(reader.reader('response'));
  const maxBytes = reader.number('maxBytes', { minimum: 1, maximum: 50_000_000, isWhole: true }) ?? 2_000_000;
  if (!url) return undefined;
  return defined({
    type: 'http',
    method,
    url,
    query: query as Readonly<Record<string, Json>>,
    headers,
    ...content,
    response,
    maxBytes,
  });
}

function parseHeaders(reader: ObjectReader): Readonly<Record<string, Template>> {
  const headers: Record<string, Template> = {};
  const spellings = new Map<string, string>();
  for (const [name, value] of Object.entries(reader.object('headers') ?? {})) {
    const at = pointerTo(reader.at('headers'), name);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) reader.findings.error(at, say('no_header_name', name));
    else if (/^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i.test(name))
      reader.findings.error(at, say('header_of_client', name));
    else if (typeof value !== 'string') reader.findings.error(at, say('header_no_string', name, got(value)));
    else if (spellings.has(name.toLowerCase()))
      reader.findings.error(at, say('request_header_twice', name, spellings.get(name.toLowerCase()) ?? ''));
    else {
      headers[name] = parseTemplate(value);
      spellings.set(name.toLowerCase(), name);
    }
  }
  return headers;
}

/** Reads the body of a request and how it is sent, which its method and its headers must fit. */
function parseBody(
  reader: ObjectReader,
  method: (typeof methods)[number],
  headers: Readonly<Record<string, Template>>,
): Pick<HttpHandlerSpec, 'body' | 'bodyType'> {
  const body = reader.raw('body');
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) reader.error('body', say('body_not_sent', method));
  const isText = typeof body === 'string' && !/^\$\{[^}]*\}$/.test(body);
  const bodyType = reader.oneOf('bodyType', ['json', 'form', 'text']) ?? (isText ? 'text' : 'json');
  if (bodyType === 'json' && isText) reader.error('body', say('body_as_json'));
  if (bodyType === 'form' && body !== undefined && !isObject(body))
    reader.error('body', say('must_be', say('object_for_form'), got(body)));
  if (bodyType === 'text' && typeof body === 'string') checkTextBody(reader, body, headers);
  else if (bodyType === 'text' && body !== undefined)
    reader.error('body', say('must_be', say('string_for_text'), got(body)));
  return defined({ body: body as Json | undefined, bodyType });
}

/** What is filled into a text is not escaped, so that JSON and forms with values of a call are written as objects. */
function checkTextBody(reader: ObjectReader, body: string, headers: Readonly<Record<string, Template>>): void {
  const contentType = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1].text ?? '';
  const isFilledIn = references(parseTemplate(body)).length > 0;
  if (isFilledIn && /json|urlencoded/i.test(contentType)) reader.error('body', say('body_as_object', contentType));
}

/** Scheme, host and port must be literal or configuration of the user, so that no input decides who is contacted. */
function checkUrl(reader: ObjectReader, url: Template): void {
  const [first] = url.parts;
  const literal = typeof first === 'string' ? first : '';
  if (!/^https?:\/\//i.test(literal)) {
    reader.error('url', say('url_scheme'));
    return;
  }
  if (
    !/^https?:\/\/[^/?#\\\s@]+(?:[/?#]|$)/i.test(literal) ||
    (url.parts.length > 1 && !/^https?:\/\/[^/?#]+[/?#]/i.test(literal))
  )
    reader.error('url', say('url_host'));
  else if (!URL.canParse(literal)) reader.error('url', say('url_no_url'));
  else if (hasDots(url.parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')))
    reader.error('url', say('url_segments'));
}

function parseResponse(reader: ObjectReader | undefined): ResponseSpec {
  if (!reader) return { type: 'auto' };
  const type = reader.oneOf('type', ['auto', 'json', 'text']) ?? 'auto';
  const select = reader.text('select');
  const error = reader.text('error');
  for (const key of ['select', 'error']) {
    const value = reader.raw(key);
    if (typeof value === 'string' && value !== '' && !value.startsWith('/'))
      reader.error(key, say('must_be_pointer', '/data/items', `\`${value}\``));
  }
  const rawMap = reader.object('map');
  const map: Record<string, string> = {};
  for (const [name, value] of Object.entries(rawMap ?? {})) {
    if (typeof value === 'string' && (value === '' || value.startsWith('/'))) map[name] = value;
    else reader.findings.error(pointerTo(reader.at('map'), name), say('must_be_pointer', '/main/temp', gotJson(value)));
  }
  reader.finish();
  return defined({ type, select, map: rawMap && map, error });
}

function parseCommand(reader: ObjectReader): WrittenHandlerSpec | undefined {
  const command = reader.required('command');
  const args = reader.list('args') ?? [];
  if (command === undefined) return undefined;
  if (command.includes('${')) reader.error('command', say('must_be_literal'));
  const why = closedCommand(command);
  if (why !== undefined) reader.error('command', say('command_closed', command, why));
  const given = closedArgument(args);
  if (given !== undefined) reader.error('args', say('argument_closed', given));
  return { type: 'command', command, args: args.map(json) };
}

function parseProcess(reader: ObjectReader): WrittenHandlerSpec | undefined {
  const command = reader.required('command');
  if (command !== undefined) checkBinary(reader, command);
  const args = reader.texts('args') ?? [];
  const cwd = reader.text('cwd') ?? '';
  if (cwd.includes('${') || !isInside(cwd)) reader.error('cwd', say('path_inside'));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(reader.object('env') ?? {})) {
    const at = pointerTo(reader.at('env'), name);
    const refused = refusedVariable(name);
    if (refused?.isName === false) reader.findings.error(at, say('variable_no_name', name, refused.reason));
    else if (refused) reader.findings.error(at, say('variable_refused', name, refused.reason));
    else if (typeof value !== 'string') reader.findings.error(at, say('must_be', 'string', got(value)));
    else env[name] = value;
  }
  const stdin = reader.text('stdin');
  const output = reader.oneOf('output', ['text', 'json', 'lines']) ?? 'text';
  const maxOutputBytes =
    reader.number('maxOutputBytes', { minimum: 1, maximum: 50_000_000, isWhole: true }) ?? 1_000_000;
  const codes = readExitCodes(reader);
  const allowOptions = reader.flag('allowOptions') ?? false;
  if (command === undefined) return undefined;
  return defined({
    type: 'process',
    command,
    args,
    cwd,
    env,
    stdin,
    output,
    maxOutputBytes,
    okExitCodes: codes,
    allowOptions,
  });
}

function readExitCodes(reader: ObjectReader): readonly number[] {
  const codes: number[] = [];
  for (const [index, one] of (reader.list('okExitCodes') ?? [0]).entries())
    if (typeof one === 'number' && Number.isInteger(one)) codes.push(one);
    else {
      const at = pointerTo(reader.at('okExitCodes'), index);
      reader.findings.error(at, say('part_must_be', say('an_exit_code'), say('a_whole_number'), gotJson(one)));
    }
  return codes;
}

function checkBinary(reader: ObjectReader, command: string): void {
  const plain = command.replaceAll('\\', '/');
  if (command.includes('${')) reader.error('command', say('must_be_literal'));
  else if (plain.split('/').includes('..')) reader.error('command', say('no_parent'));
  else if (/[\0\n\r]/.test(command) || command.trim() !== command) reader.error('command', say('program_one'));
  else if (/\s/.test(command) && !plain.includes('/')) reader.error('command', say('program_alone', command));
  else if (/\.(?:bat|cmd|ps1|vbs)$/i.test(command)) reader.error('command', say('program_script'));
  else if (/(?:^|\/)(?:sh|bash|zsh|fish|dash|ksh|csh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)$/i.test(plain))
    reader.error('command', say('program_shell'));
  else if (plain.includes('/') && !plain.startsWith('/') && !/^[A-Za-z]:\//.test(plain) && !plain.startsWith('./'))
    reader.error('command', say('program_path'));
}

/** Tells whether a workspace-relative path stays below the workspace by its text alone. */
function isInside(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  return (
    !plain.startsWith('/') && !/^[A-Za-z]:/.test(plain) && !plain.includes('\0') && !plain.split('/').includes('..')
  );
}

function parseModule(reader: ObjectReader, scope: HandlerScope): WrittenHandlerSpec | undefined {
  const file = reader.required('file');
  const exportName = reader.text('export') ?? 'default';
  const mode = reader.oneOf('mode', ['sandbox', 'node']) ?? 'sandbox';
  const memoryMb = reader.number('memoryMb', { minimum: 1, maximum: 512, isWhole: true }) ?? 32;
  const ports = parsePorts(reader.reader('ports'));
  if (file === undefined) return undefined;
  if (!isInside(file) || file.includes('${')) return void reader.error('file', say('module_path'));
  if (!/\.(?:[cm]?[jt]s)$/.test(file)) return void reader.error('file', say('module_type'));
  const parts = file.replaceAll('\\', '/').split('/');
  const path = [scope.folder, ...parts.filter((part) => part !== '.')].filter(Boolean).join('/');
  return { type: 'module', file: path, exportName, ports, memoryMb, mode };
}

function parsePorts(reader: ObjectReader | undefined): ModulePorts {
  if (!reader) return {};
  const fetch =
    reader.raw('fetch') === true ? ['*'] : reader.raw('fetch') === false ? undefined : reader.texts('fetch');
  const files = reader.raw('files') === true ? 'read' : reader.oneOf('files', ['read', 'write']);
  const secrets = reader.texts('secrets');
  const tools = reader.texts('tools');
  reader.finish();
  return defined({ fetch, files, secrets, tools });
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
    if (fault !== undefined) findings.error(at, say('no_reference', fault));
    for (const reference of references(one)) {
      const word = one.text.slice(reference.offset, reference.offset + reference.length);
      const [first] = reference.path;
      if (!roots.includes(reference.root)) findings.error(at, say('reference_not_here', word, roots));
      else if (reference.root === 'input' && first !== undefined && scope.inputs && !scope.inputs.has(first))
        findings.error(at, say('reference_no_input', word), 'unknown_reference');
      else if (reference.root === 'config' && first !== undefined && scope.configs && !scope.configs.has(first))
        findings.error(at, say('reference_no_config', word), 'unknown_reference');
    }
  }
}
