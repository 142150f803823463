import { isObject, type Json } from '../base/json';
import type { HideOptions, SecretSession } from '../secrets/session';
import type { ToolErrorData } from '../vocabulary/errors';
import type { ToolMedia, ToolOutcome } from '../vocabulary/toolResult';
import { withTexts } from './output';

export function hideInError(session: SecretSession, error: ToolErrorData, options: HideOptions): ToolErrorData {
  const message = session.hide(error.message, options).value;
  const details: Json = error.details === undefined ? null : JSON.parse(JSON.stringify(error.details));
  const shown = session.hide(details, options).value;
  return { ...error, message: String(message), ...(isObject(shown) ? { details: shown } : {}) };
}

/** What a tool answers with its secrets hidden, and the placeholders that stand for them. */
interface HiddenOutcome {
  readonly outcome: ToolOutcome;
  readonly hidden: ReadonlySet<string>;
}

/** Hides the secrets in what a tool answers, and adds a warning that tells how many there are. */
export function hideInOutcome(session: SecretSession, outcome: ToolOutcome, options: HideOptions): HiddenOutcome {
  const hidden = new Set<string>();
  const marked = new Set<string>();
  const hide = (value: Json): Json => {
    const found = session.hide(value, options);
    for (const one of found.hidden) hidden.add(one);
    for (const one of found.marked) marked.add(one);
    return found.value;
  };
  const text = (value: string): string => String(hide(value));
  const payload = hide(outcome.payload);
  const pieces = outcome.parts?.map((part) => withTexts(part, text, (data) => hideInBytes(data, text)));
  const media = outcome.media?.map((one) => (isDrawn(one) ? { ...one, data: hideInBytes(one.data, text) } : one));
  const warnings = (outcome.warnings ?? []).map(text);
  if (hidden.size > 0)
    warnings.push(
      `${hidden.size === 1 ? '1 secret is' : `${hidden.size} secrets are`} hidden as {{secret:…}}; keep the placeholders as they stand: where they came from, the values are put back`,
    );
  if (marked.size > 0) warnings.push(`this may hold secrets: ${[...marked].join(', ')}`);
  const shown = { ...(pieces ? { parts: pieces } : {}), ...(media ? { media } : {}) };
  return { outcome: { ...outcome, payload, ...shown, ...(warnings.length > 0 ? { warnings } : {}) }, hidden };
}

/** A picture that is text. */
const isDrawn = ({ mimeType }: ToolMedia): boolean => /svg|xml|text/.test(mimeType);

/** Bytes in base64: where they are text, a picture drawn by text too, its secrets are hidden. */
function hideInBytes(data: string, text: (value: string) => string): string {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const read = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const shown = text(read);
    if (shown === read) return data;
    return btoa(Array.from(new TextEncoder().encode(shown), (byte) => String.fromCharCode(byte)).join(''));
  } catch {
    // No text.
    return data;
  }
}
