import type { Json } from '../../../core/base/json';
import { isToolError, toolError } from '../../../core/vocabulary/errors';
import { parseHttpUrl } from '../../../core/net/url';
import type { HttpClient } from '../../../core/ports/http';
import type { ReadPageOutput } from '../page/readPage';
import { convertPage } from './convert';
import { exchange } from './exchange';
import { Hosts, userAgent } from './hosts';
import { requestedUrls, requestHeaders } from './input';
import type { WebFetchInput } from './inputSchema';
import { pageText } from './pageText';
import { binaryOf, cutNote, describeHead, describePage, type PageResult } from './result';
import { beginFetching, readWebFetchSettings, type WebFetchSettings } from './fetching';
import type { ToolContext, ToolHandler } from '../../../core/capability/tool';

/** Prefers a site's own markdown, which some offer, over pages. */
const accept = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

/**
 * Makes the handler with its memory of hosts: one memory per HTTP client, so that two systems in one process share
 * nothing.
 */
export function createWebFetchHandler(): ToolHandler<WebFetchInput> {
  const memory = new WeakMap<HttpClient, Hosts>();
  const hostsOf = (client: HttpClient): Hosts => {
    const known = memory.get(client) ?? new Hosts();
    memory.set(client, known);
    return known;
  };
  return {
    accesses(input) {
      requestHeaders(input);
      const method = input.method ?? 'GET';
      return requestedUrls(input).map((url) => ({ effect: 'network.http', resource: parseHttpUrl(url).href, method }));
    },

    async run(input, context) {
      const settings = readWebFetchSettings(context.ports.settings);
      const hosts = hostsOf(context.ports.http);
      const urls = requestedUrls(input);
      const maxLength = input.max_length ?? settings.maxLength;
      if (input.urls === undefined) {
        return { payload: await fetchPage(urls[0] ?? '', input, maxLength, settings, context, hosts) };
      }
      const share = Math.max(1, Math.floor(maxLength / urls.length));
      const results = await Promise.all(urls.map((url) => fetchOne(url, input, share, settings, context, hosts)));
      const failed = results.filter((result) => result['code'] !== undefined).length;
      return { payload: { count: results.length, failed, results } };
    },
    text: pageText,
  };
}

/** One of several pages: what goes wrong with it is its result, and the others go on. */
async function fetchOne(...args: Parameters<typeof fetchPage>): Promise<PageResult> {
  try {
    return await fetchPage(...args);
  } catch (error) {
    if (!isToolError(error) || error.data.code === 'cancelled') throw error;
    return { url: args[0], code: error.data.code, error: error.data.message };
  }
}

async function fetchPage(
  url: string,
  input: WebFetchInput,
  maxLength: number,
  settings: WebFetchSettings,
  context: ToolContext,
  hosts: Hosts,
): Promise<PageResult> {
  const method = input.method ?? 'GET';
  const conditional = input.if_none_match !== undefined || input.if_modified_since !== undefined;
  const request = {
    url,
    method,
    headers: { accept, 'user-agent': userAgent, ...requestHeaders(input) },
    cache: conditional ? ('bypass' as const) : input.refresh === true ? ('refresh' as const) : ('use' as const),
    continuing: (input.start_index ?? 0) > 0,
  };
  // The deadline begins when it is this request's turn.
  const answer = await hosts.politely(parseHttpUrl(url).origin, context, () =>
    exchange(request, beginFetching(settings, context), hosts),
  );
  const head = describeHead(url, answer);
  if (method === 'HEAD' || answer.stopped || answer.response.status === 304) return head;
  const binary = binaryOf(answer.response);
  if (binary !== undefined)
    return { ...head, error: `binary content is not supported (${binary}); only metadata is returned` };
  const page = await convertPage(answer.response, input, maxLength, context);
  if (page.around !== undefined) context.learn?.(page.around);
  const result = describePage(head, page, input);
  await review(result, page, settings, context);
  const content: Json = page.content + cutNote(page, answer.response.cut);
  return { ...result, content };
}

/** Lets the user see the text before the model does, where the setting asks for it. */
async function review(
  result: PageResult,
  page: ReadPageOutput,
  settings: WebFetchSettings,
  context: ToolContext,
): Promise<void> {
  if (!settings.reviewResponse) return;
  if (!context.review) {
    throw toolError(
      'approval_unavailable',
      'fetched text has to be reviewed by the user, and nobody can be asked here, so it is not handed over',
    );
  }
  const shown = String(result['final_url'] ?? result['url']);
  if (await context.review({ title: shown, text: page.content })) return;
  throw toolError(
    'declined',
    `the user reviewed the answer of \`${shown}\` and did not hand it over. do not retry; ask what to do instead`,
  );
}
