import { counted, grouped } from '../../../core/base/figures';
import type { Json } from '../../../core/base/json';
import type { HttpResponse } from '../../../core/ports/http';
import { kindOfType, parseContentType, sniffBinary } from '../page/contentType';
import type { ReadPageOutput } from '../page/readPage';
import type { Exchange } from './exchange';
import { filenameOf } from './filename';
import type { WebFetchInput } from './inputSchema';

export type PageResult = Readonly<Record<string, Json | undefined>>;

/** What is known without the body: the metadata, the redirects, the validators. */
export function describeHead(url: string, { response, redirects, stopped, fromCache }: Exchange): PageResult {
  const { headers } = response;
  const length = Number(headers['content-length'] ?? Number.NaN);
  const filename = filenameOf(headers['content-disposition'], response.url);
  return {
    url,
    ...(redirects.length > 0 ? { final_url: response.url, redirect_chain: [...redirects] } : {}),
    status_code: response.status,
    content_type: headers['content-type'] ?? '',
    truncated: response.cut !== undefined && response.cut !== 'skipped',
    size: response.cut === 'skipped' && Number.isSafeInteger(length) ? length : response.body.length,
    ...present('last_modified', headers['last-modified']),
    ...present('etag', headers['etag']),
    ...present('filename', filename),
    ...present('retry_after', headers['retry-after']),
    ...(fromCache === undefined ? {} : { from_cache: fromCache }),
    ...(stopped === undefined
      ? {}
      : {
          location: stopped.location,
          error: `the redirect to \`${stopped.location}\` was not followed: ${stopped.reason}`,
        }),
  };
}

/** The facts about a converted page. */
export function describePage(head: PageResult, page: ReadPageOutput, input: WebFetchInput): PageResult {
  const { title, description, language, canonical } = page.metadata;
  const whole = page.start === 0 && page.end === page.total;
  const warnings = [...(page.quality?.warnings ?? []), ...page.warnings, ...hiddenWarning(page)];
  const pastEnd = (input.start_index ?? 0) > page.total;
  if (pastEnd)
    warnings.push(`start_index ${input.start_index ?? 0} lies past the end; the content has ${page.total} characters`);
  return {
    ...head,
    charset: page.charset,
    ...present('title', title),
    ...present('description', description),
    ...present('language', language),
    ...present('canonical', canonical),
    format: page.format,
    ...(page.focus === 'main' ? { focus: 'main' } : {}),
    total_length: page.total,
    word_count: page.words,
    ...(page.sections ? { sections: { shown: page.sections.shown, total: page.sections.total } } : {}),
    ...(whole ? {} : { returned: { start: page.start, end: page.end } }),
    ...(page.end < page.total ? { next_start_index: page.end } : {}),
    ...(page.quality || warnings.length > 0
      ? { quality: { score: page.quality?.score ?? 1, warnings, ...present('suggestion', page.quality?.suggestion) } }
      : {}),
  };
}

function hiddenWarning({ removed }: ReadPageOutput): string[] {
  if (removed.hiddenCharacters === 0) return [];
  const characters = counted(removed.hiddenCharacters, 'character');
  return [`left out: ${counted(removed.hidden, 'hidden element')} with ${characters} that no reader sees`];
}

/** The type of content that is no text; undefined for text. The declared type counts first, then the first bytes. */
export function binaryOf(response: HttpResponse): string | undefined {
  const { essence, charset } = parseContentType(response.headers['content-type']);
  const kind = kindOfType(essence);
  if (kind === 'binary') return essence;
  const sniffed = sniffBinary(response.body, kind, charset);
  return sniffed === undefined ? undefined : essence || sniffed;
}

/** What stands after the text: how to get the next part, and the suffix for a body that came too late. */
export function cutNote(page: ReadPageOutput, cut: HttpResponse['cut']): string {
  if (page.end < page.total)
    return `\n[cut: characters ${grouped(page.start)}-${grouped(page.end)} of ${grouped(page.total)} shown; call again with start_index=${page.end}]`;
  switch (cut) {
    case 'timeout':
      return '[..more content timed out...]';
    case 'size':
      return '\n[cut: the body is larger than the setting webFetch.maxBytes allows]';
    case 'reset':
      return '\n[cut: the connection was lost before the end]';
    case 'encoding':
      return '\n[cut: the rest of the compressed body is damaged]';
    default:
      return '';
  }
}

const present = (name: string, value: string | undefined): PageResult => (value === undefined ? {} : { [name]: value });
