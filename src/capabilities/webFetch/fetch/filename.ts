import { binaryBytes } from '../../../core/base/bytes';
import { isInvalidUtf8 } from '../../shared/encodings';
import { percentDecoded } from '../../../core/base/percentDecoded';

/**
 * The name under which a browser would save the content: from `content-disposition`, else the last part of the URL's
 * path.
 */
export function filenameOf(disposition: string | undefined, url: string): string | undefined {
  const named = disposition === undefined ? undefined : fromDisposition(disposition);
  const name = named ?? lastSegment(url);
  // Only a display name: no folders, no control characters, not endless.
  const safe = name
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/^.*[/\\]/, '')
    .trim()
    .slice(0, 255);
  return safe === '' ? undefined : safe;
}

function fromDisposition(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(header);
  if (extended?.[2] !== undefined && /^utf-8$/i.test(extended[1] ?? '')) {
    try {
      return decodeURIComponent(extended[2]);
    } catch {
      // A malformed name: the plain one is used.
    }
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(utf8Header(header));
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
}

/** A header that was sent in raw UTF-8 comes as one character for each byte; any other stays as it is. */
function utf8Header(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header) || /[^\u0000-\u00ff]/.test(header)) return header;
  const bytes = binaryBytes(header);
  return isInvalidUtf8(bytes) ? header : new TextDecoder().decode(bytes);
}

function lastSegment(url: string): string | undefined {
  const segment = new URL(url).pathname.split('/').at(-1);
  return segment === undefined || segment === '' ? undefined : percentDecoded(segment);
}
