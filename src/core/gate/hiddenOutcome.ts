import { base64, base64Text } from '../base/base64';
import { binaryBytes } from '../base/bytes';
import { isObject, type Json, plainJson } from '../base/json';
import type { HideOptions, SecretSession } from '../secrets/session';
import type { ToolErrorData } from '../vocabulary/errors';
import type { ToolMedia, ToolOutcome } from '../vocabulary/toolResult';
import { partWithTexts } from './output';

export function hideInError(session: SecretSession, error: ToolErrorData, options: HideOptions): ToolErrorData {
  const message = session.hide(error.message, options).value;
  const details = error.details === undefined ? null : plainJson(error.details);
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
  const pieces = outcome.parts?.map((part) => partWithTexts(part, text, (data) => hideInBytes(data, text)));
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

/** Bytes in base64, with the secrets hidden that stand in them as text, a picture drawn by text too. */
function hideInBytes(data: string, text: (value: string) => string): string {
  const binary = base64Text(data);
  const read = decoded(binary);
  const shown = text(read ?? binary);
  if (shown === (read ?? binary)) return data;
  if (read === undefined) return btoa(shown.replace(/[^\x00-\xff]/g, '?'));
  return base64(new TextEncoder().encode(shown));
}

/** As UTF-8; undefined for other bytes, which may be a text all the same: each of them counts as a character then. */
function decoded(binary: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(binaryBytes(binary));
  } catch {
    return undefined;
  }
}
