import type { Access } from '../../vocabulary/access';
import { defined, isObject, type Json, sanitizeJson } from '../../base/json';
import { valueAt } from '../../base/pointer';
import { invalidInput, toolError } from '../../vocabulary/errors';
import { exchange, isJsonType, statusError, wholeText } from '../../net/exchange';
import { hasDots } from '../../net/url';
import type { HttpResponse } from '../../ports/http';
import type { HttpHandlerSpec } from './handlerSpec';
import {
  asText,
  fillJson,
  fillText,
  lookUp,
  soleReference,
  type TemplateValues,
  templatesIn,
} from '../../vocabulary/template';
import { missingSecrets } from '../../ports/need';
import { readSecrets, secretNames } from './secrets';
import type { AccessContext, ToolHandler } from '../../capability/tool';

/** What a secret looks like where a URL is shown, judged or recorded. */
const hiddenSecrets: TemplateValues = new Proxy(
  {},
  { getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 'secret' }), get: () => 'secret' },
);

const unfit = (what: string, why: string): Error =>
  invalidInput([{ path: '', expected: `must not ${why}`, got: what }]);

/**
 * Builds the URL of a call. Each value is percent-encoded as one piece; a value that would change the path's structure
 * (`.`, `..`, however the rest of its segment is written) is refused. A query property without a value is left out,
 * one with an array is repeated.
 */
export function buildUrl(spec: HttpHandlerSpec, values: TemplateValues): URL {
  const text = fillText(spec.url, values, (value) => {
    if (/\p{Cs}/u.test(value)) throw unfit('half a surrogate pair', 'hold half a character in the URL');
    return encodeURIComponent(value);
  });
  const url = new URL(text);
  if (hasDots(text)) throw unfit('a value of `.` or `..`', 'change the path of the URL');
  for (const [key, template] of Object.entries(spec.query)) {
    const value = fillJson(template, values);
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value])
      url.searchParams.append(key, asText(item));
  }
  return url;
}

function buildHeaders(spec: HttpHandlerSpec, values: TemplateValues): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, template] of Object.entries(spec.headers)) {
    const sole = soleReference(template);
    if (sole && lookUp(sole, values) === undefined) continue;
    const text = fillText(template, values);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
      throw unfit(`the header ${name}`, 'hold line ends, control characters or characters beyond Latin-1');
    headers[name] = text;
  }
  return headers;
}

function buildBody(
  spec: HttpHandlerSpec,
  values: TemplateValues,
): { readonly body?: string; readonly contentType?: string } {
  if (spec.body === undefined) return {};
  const filled = fillJson(spec.body, values);
  if (filled === undefined) return {};
  switch (spec.bodyType) {
    case 'json':
      return { body: JSON.stringify(filled), contentType: 'application/json' };
    case 'text':
      return { body: asText(filled), contentType: 'text/plain; charset=utf-8' };
    case 'form': {
      const form = new URLSearchParams();
      for (const [key, value] of Object.entries(isObject(filled) ? filled : {}))
        for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value])
          form.append(key, asText(item));
      return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
    }
  }
}

const everyClients: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/** A tool that sends one request (definition handler `http`). */
export function httpHandler(spec: HttpHandlerSpec, timeoutMs: number): ToolHandler {
  const within = [...templatesIn(spec.query), ...templatesIn(spec.body)].map((one) => one.template);
  const templates = [spec.url, ...Object.values(spec.headers), ...within];
  const shown = (input: unknown, context: AccessContext): URL =>
    buildUrl(spec, { input, config: context.config, secret: hiddenSecrets });
  return {
    missing: ({ ports }) => missingSecrets(secretNames(templates), ports.secrets),
    accesses(input, context): readonly Access[] {
      return [{ effect: 'network.http', resource: shown(input, context).href, method: spec.method }];
    },
    preview: async (input, context) => ({
      stake: {
        sends: {
          to: shown(input, context).host,
          method: spec.method,
          headers: Object.keys(spec.headers),
          secrets: secretNames(templates),
        },
      },
    }),
    async run(input, context) {
      const secrets = await readSecrets(templates, context);
      const values: TemplateValues = { input, config: context.config, secret: secrets.values };
      const { body, contentType } = buildBody(spec, values);
      const own = buildHeaders(spec, values);
      const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
      const headers = {
        ...(names.has('accept')
          ? {}
          : { accept: spec.response.type === 'text' ? 'text/*, */*;q=0.5' : 'application/json, */*;q=0.5' }),
        ...(contentType === undefined || names.has('content-type') ? {} : { 'content-type': contentType }),
        ...own,
      };
      // Whatever a definition sends beyond what every client says is meant for the host that it names.
      const privateHeaders = new Set([...names].filter((name) => !everyClients.has(name)));
      const url = buildUrl(spec, values).href;
      try {
        const response = await exchange(
          defined({ url, method: spec.method, headers, body, maxBytes: spec.maxBytes, timeoutMs, privateHeaders }),
          context,
        );
        return { payload: secrets.hideIn(mapResponse(response, spec, secrets.hide)) };
      } catch (error) {
        // The client may quote the URL, and the server what it was sent.
        throw secrets.hideError(error);
      }
    },
  };
}

/**
 * Turns an answer into the payload, or throws for a status of 400 and above and for JSON that cannot be read where JSON
 * is expected.
 */
export function mapResponse(
  response: HttpResponse,
  { response: spec, method, maxBytes }: Pick<HttpHandlerSpec, 'response' | 'method' | 'maxBytes'>,
  hide: (text: string) => string = (text) => text,
): Json {
  const text = wholeText(response, maxBytes);
  const parsed = jsonIn(text, spec.type === 'json' || (spec.type === 'auto' && isJsonType(response)));
  if (response.status >= 400) {
    const named = spec.error === undefined ? undefined : valueAt(parsed, spec.error);
    // Before it is cut: half a secret would not be found.
    throw statusError(response, hide(named === undefined ? text.trim() : asText(named)));
  }
  if (method === 'HEAD') return { status: response.status, headers: response.headers };
  if (spec.type === 'text') return text;
  if (parsed === undefined) {
    if (text === '' && response.status === 204) return null;
    if (spec.type === 'json' || spec.select !== undefined || spec.map !== undefined)
      throw toolError(
        'invalid_output',
        `the server's answer is not JSON (got ${text.length} characters of ${response.headers['content-type'] ?? 'no type'})`,
      );
    return text;
  }
  const selected = spec.select === undefined ? parsed : valueAt(parsed, spec.select);
  if (selected === undefined)
    throw toolError('invalid_output', `the server's answer has nothing at \`${spec.select ?? ''}\``);
  if (spec.map === undefined) return selected as Json;
  return Object.fromEntries(
    Object.entries(spec.map).map(([name, pointer]) => [name, (valueAt(selected, pointer) ?? null) as Json]),
  );
}

function jsonIn(text: string, isJson: boolean): unknown {
  if (!isJson && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return sanitizeJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
