import { say } from '../../core/base/sentence';
import { settingId } from '../../core/settings/settingTable';
import { isObject, type Json, sanitizeJson } from '../../core/base/json';
import { errorSaid, notAvailable, toolError } from '../../core/vocabulary/errors';
import { exchange, statusError, wholeText } from '../../core/net/exchange';
import { parseHttpUrl } from '../../core/net/url';
import type { AccessContext, ToolHandler } from '../../core/capability/tool';
import type { WebSearchInput } from './inputs';

/** The secret that is sent as a bearer token, where it is set. */
const keySecret = 'search_key';
const maxBytes = 2_000_000;

/** The endpoint with `{query}` and `{count}` filled in; without `{query}` the parameter `q` is added. */
function searchUrl({ query, count }: WebSearchInput, context: Pick<AccessContext, 'ports'>): URL {
  const setting = context.ports.settings.get('research.searchEndpoint');
  if (setting === '') throw notAvailable('web_search', say('search_no_endpoint'));
  const url = parseHttpUrl(
    setting.replaceAll('{query}', encodeURIComponent(query)).replaceAll('{count}', String(count)),
  );
  if (!setting.includes('{query}')) {
    url.searchParams.set('q', query);
    if (!url.searchParams.has('format')) url.searchParams.set('format', 'json');
  }
  return url;
}

export const webSearch: ToolHandler<WebSearchInput> = {
  async missing(context) {
    try {
      searchUrl({ query: 'any', count: 1 }, context);
      return [];
    } catch (error) {
      return [{ kind: 'setting', name: settingId('research.searchEndpoint'), why: errorSaid(error) }];
    }
  },
  accesses: (input, context) => [{ effect: 'network.http', resource: searchUrl(input, context).href, method: 'GET' }],
  async run(input, context) {
    const url = searchUrl(input, context);
    const key = await context.ports.secrets.get(keySecret);
    const response = await exchange(
      {
        url: url.href,
        method: 'GET',
        headers: { accept: 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
        maxBytes,
        timeoutMs: 15_000,
        privateHeaders: new Set(['authorization']),
      },
      context,
    );
    const text = wholeText(response, maxBytes);
    if (response.status >= 400) throw statusError(response, text.slice(0, 200));
    let answer: unknown;
    try {
      answer = sanitizeJson(JSON.parse(text));
    } catch {
      throw toolError(
        'invalid_output',
        'the search endpoint answered no JSON; ask the user to check `agentCapabilities.research.searchEndpoint`',
      );
    }
    const results = resultsOf(answer);
    if (results === undefined)
      throw toolError('invalid_output', 'the search endpoint answered no list of results; ask the user to check it');
    return { payload: { results: results.slice(0, input.count), count: Math.min(results.length, input.count) } };
  },
};

/** Finds the list of results where the usual search services put it, and reads each under the usual names. */
function resultsOf(answer: unknown): readonly Json[] | undefined {
  const list = listIn(answer, 3);
  return list?.flatMap((item): readonly Json[] => {
    if (!isObject(item)) return [];
    const url = first(item, ['url', 'link', 'href']);
    if (url === undefined || !/^https?:\/\//i.test(url)) return [];
    return [
      {
        title: first(item, ['title', 'name']) ?? url,
        url,
        snippet: (first(item, ['snippet', 'description', 'content', 'text', 'body']) ?? '').slice(0, 500),
      },
    ];
  });
}

function listIn(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || depth === 0) return undefined;
  for (const key of ['results', 'items', 'value', 'web', 'webPages', 'organic', 'data']) {
    const found = Object.hasOwn(value, key) ? listIn(value[key], depth - 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

function first(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  for (const key of keys) if (typeof item[key] === 'string') return item[key];
  return undefined;
}
