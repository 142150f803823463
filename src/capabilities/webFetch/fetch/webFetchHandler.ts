import type { Json } from '../../../core/base/json';
import { parseHttpUrl } from '../../../core/net/url';
import type { ToolContext, ToolHandler } from '../../../core/tool';
import { kindOfType, parseContentType, sniffBinary } from '../page/contentType';
import type { ReadPageInput, ReadPageOutput } from '../page/readPage';
import { Deadline, exchange, type Exchange } from './exchange';
import { filenameOf } from './filename';
import { requestedUrls, requestHeaders, wantedFormat, type WebFetchInput } from './input';
import { readWebFetchSettings, type WebFetchSettings } from './settings';

/** Conversion of one page may take so long and so much before it is stopped. */
const conversionLimits = { timeoutMs: 10_000, memoryMb: 512 };

type PageResult = Readonly<Record<string, Json | undefined>>;

export const webFetchHandler: ToolHandler<WebFetchInput> = {
  accesses(input) {
    requestHeaders(input);
    const method = input.method ?? 'GET';
    return requestedUrls(input).map((url) => ({ effect: 'network.http', resource: parseHttpUrl(url).href, method }));
  },

  async run(input, context) {
    const settings = readWebFetchSettings(context.ports.settings);
    const [url = ''] = requestedUrls(input);
    return { payload: await fetchPage(url, input, settings, context) };
  },
};

async function fetchPage(url: string, input: WebFetchInput, settings: WebFetchSettings, context: ToolContext): Promise<PageResult> {
  const method = input.method ?? 'GET';
  const total = settings.firstByteTimeoutsMs.reduce((sum, ms) => sum + ms, 0) + settings.bodyTimeoutMs;
  const deadline = new Deadline(context, total);
  const headers = {
    accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5',
    'user-agent': userAgent,
    ...requestHeaders(input),
  };
  const answer = await exchange({ url, method, headers }, settings, context, deadline);
  const head = describeHead(url, answer);
  if (method === 'HEAD' || answer.stopped) return head;
  const { response } = answer;
  const declared = parseContentType(response.headers['content-type']);
  const kind = kindOfType(declared.essence);
  const sniffed = kind === 'binary' ? declared.essence : sniffBinary(response.body);
  if (sniffed !== undefined && response.body.length + (response.cut === 'skipped' ? 1 : 0) > 0) {
    return { ...head, error: `binary content is not supported (${declared.essence || sniffed}); only metadata is returned` };
  }
  const page = await convert(response, input, settings, context);
  const late = response.cut !== undefined;
  return {
    ...head,
    charset: page.charset,
    ...page.metadata,
    format: page.format,
    total_length: page.total,
    word_count: page.words,
    ...(page.end < page.total || page.start > 0 ? { returned: { start: page.start, end: page.end } } : {}),
    ...(page.end < page.total ? { next_start_index: page.end } : {}),
    ...(late ? { truncated: true } : {}),
    content: page.content + endNote(page, response.cut),
  };
}

/** Names the product honestly; sites decide by it. */
const userAgent = 'AgentCapabilities/0.1 (+https://marketplace.visualstudio.com/items?itemName=agent-capabilities.agent-capabilities)';

function describeHead(url: string, { response, redirects, stopped }: Exchange): PageResult {
  const { headers } = response;
  const length = Number(headers['content-length'] ?? Number.NaN);
  const filename = filenameOf(headers['content-disposition'], response.url);
  return {
    url,
    ...(redirects.length > 0 ? { final_url: response.url, redirect_chain: [...redirects] } : {}),
    status_code: response.status,
    content_type: headers['content-type'] ?? '',
    size: response.cut === 'skipped' && Number.isSafeInteger(length) ? length : response.body.length,
    ...(headers['last-modified'] === undefined ? {} : { last_modified: headers['last-modified'] }),
    ...(headers['etag'] === undefined ? {} : { etag: headers['etag'] }),
    ...(filename === undefined ? {} : { filename }),
    ...(stopped === undefined
      ? {}
      : { location: stopped.location, error: `the redirect to \`${stopped.location}\` was not followed: ${stopped.reason}` }),
  };
}

async function convert(
  response: Exchange['response'],
  input: WebFetchInput,
  settings: WebFetchSettings,
  context: ToolContext,
): Promise<ReadPageOutput> {
  const task: ReadPageInput = {
    body: response.body,
    url: response.url,
    contentType: response.headers['content-type'],
    format: wantedFormat(input),
    focus: 'full',
    query: undefined,
    fragment: undefined,
    start: input.start_index ?? 0,
    maxLength: input.max_length ?? settings.maxLength,
  };
  // The pool hands back what `readPage` returned.
  return (await context.ports.worker.run('readPage', task, { ...conversionLimits, signal: context.signal })) as ReadPageOutput;
}

/** What stands after the text: how to get the next part, and the seed's suffix for a body that came too late. */
function endNote(page: ReadPageOutput, cut: Exchange['response']['cut']): string {
  if (page.end < page.total) {
    const number = (value: number): string => value.toLocaleString('en-US');
    return `\n[cut: characters ${number(page.start)}-${number(page.end)} of ${number(page.total)} shown; call again with start_index=${page.end}]`;
  }
  if (cut === 'timeout') return '[..more content timed out...]';
  if (cut === 'size') return '\n[cut: the body is larger than the limit of the setting webFetch.maxBytes]';
  if (cut === 'reset') return '\n[cut: the connection was lost before the end]';
  if (cut === 'encoding') return '\n[cut: the rest of the compressed body is damaged]';
  return '';
}
