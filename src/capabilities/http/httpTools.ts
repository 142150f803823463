import { trimmedEnd } from '../../core/base/text';
import { type Json, sanitizeJson } from '../../core/base/json';
import { bodyText, exchange, isJsonType } from '../../core/net/exchange';
import { parseHttpUrl } from '../../core/net/url';
import type { ToolOutcome } from '../../core/vocabulary/toolResult';
import type { ToolContext, ToolHandler } from '../../core/capability/tool';
import { unfit } from '../shared/parameters';
import type { HttpGetInput, HttpRequestInput } from './inputs';

const maxBytes = 2_000_000;
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i;

/** Checks headers as they will be sent, so that none can smuggle a second request. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw unfit('/headers', 'must have header names of letters, digits and `-`', `\`${name.slice(0, 40)}\``);
    if (ownHeaders.test(name)) throw unfit(`/headers/${name}`, 'is set by the client; leave it out', 'a value');
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw unfit(`/headers/${name}`, 'must be printable Latin-1 on one line', 'other characters');
  }
}

async function send(input: HttpRequestInput, context: ToolContext): Promise<ToolOutcome> {
  const given = input.headers ?? {};
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const isText = typeof input.body === 'string';
  const headers = {
    ...(names.has('accept') ? {} : { accept: 'application/json, */*;q=0.5' }),
    ...(input.body === undefined || names.has('content-type')
      ? {}
      : { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' }),
    ...given,
  };
  const response = await exchange(
    {
      url: input.url,
      method: input.method,
      headers,
      ...(input.body === undefined ? {} : { body: isText ? String(input.body) : JSON.stringify(input.body) }),
      maxBytes,
      timeoutMs: input.timeout,
      // What a caller sends to one origin may be a credential, and does not follow a redirect to another.
      privateHeaders: new Set(
        [...names].filter((name) => name !== 'accept' && name !== 'accept-language' && name !== 'user-agent'),
      ),
    },
    context,
  );
  const text = bodyText(response);
  const from = parseHttpUrl(input.url).href;
  return {
    payload: {
      status: response.status,
      headers: { ...response.headers },
      body:
        input.method === 'HEAD'
          ? null
          : parsed(text, isJsonType(response) || /^\s*[[{]/.test(text), response.cut !== undefined),
      ...(response.url === from ? {} : { redirected_to: response.url }),
      ...(response.cut ? { truncated: true } : {}),
    },
    ...(response.cut ? { warnings: [`the body is not whole (${response.cut})`] } : {}),
  };
}

/** True where every number of a JSON text is the same once it is read and written again. */
function keepsNumbers(json: string): boolean {
  const digits = (number: string): string => {
    const [mantissa = ''] = number.toLowerCase().split('e');
    return trimmedEnd(mantissa.replace(/[-.]/g, '').replace(/^0+/, ''), '0');
  };
  const numbers = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""').match(/\d[\d.]*(?:e[+-]?\d+)?/gi) ?? [];
  return numbers.every((one) => one.length < 400 && digits(one) === digits(String(Number(one))));
}

/** A body that is no JSON, or whose numbers would change, stays text, so that nothing of it is lost. */
function parsed(text: string, isJson: boolean, cut: boolean): Json {
  if (!isJson || cut) return text;
  try {
    const read = sanitizeJson(JSON.parse(text)) as Json;
    return keepsNumbers(text) ? read : text;
  } catch {
    return text;
  }
}

export const httpRequest: ToolHandler<HttpRequestInput> = {
  accesses(input) {
    checkHeaders(input.headers ?? {});
    if (input.body !== undefined && (input.method === 'GET' || input.method === 'HEAD'))
      throw unfit('/body', `cannot be sent with ${input.method}`, 'a body');
    return [{ effect: 'network.http', resource: parseHttpUrl(input.url).href, method: input.method }];
  },
  run: send,
  preview: async ({ method, url, body, headers = {} }) => {
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return {
      lines: [`${method} ${url}`, ...(sent === undefined ? [] : [sent])],
      stake: {
        sends: {
          to: parseHttpUrl(url).host,
          method,
          bytes: new TextEncoder().encode(sent ?? '').length,
          headers: Object.keys(headers),
        },
      },
    };
  },
};

export const httpGet: ToolHandler<HttpGetInput> = {
  accesses: (input, context) => httpRequest.accesses({ ...input, method: 'GET' }, context),
  run: (input, context) => send({ ...input, method: 'GET' }, context),
  preview: async ({ url, headers = {} }) => ({
    stake: { sends: { to: parseHttpUrl(url).host, method: 'GET', bytes: 0, headers: Object.keys(headers) } },
  }),
};
