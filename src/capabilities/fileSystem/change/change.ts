import type { Json } from '../../../core/base/json';
import { say } from '../../../core/base/sentence';
import { isToolError, refusal, toolError, unfitInput } from '../../../core/vocabulary/errors';
import type { WriteOptions } from '../../../core/ports/files';
import { type Change, changeBetween } from './diff';
import type { Target } from '../shared/target';
import {
  changedSince,
  checkWhole,
  decodeText,
  looksBinary,
  sameHash,
  shortestHash,
  shownHashLength,
} from '../shared/text';
import { sniffBom } from '../../shared/encodings';
import type { AccessContext, CallPreview } from '../../../core/capability/tool';

/** A write that has been computed and not yet done. */
export interface PlannedWrite {
  readonly target: Target;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
  /** What the file held when the write was computed; undefined where it is new or was not read. */
  readonly before: Uint8Array | undefined;
  /** True where that was the text of an editor (`CurrentContent.unsaved`). */
  readonly unsaved?: boolean;
  /** The whole content afterwards, for the diff. */
  readonly after: Uint8Array;
  /** How both are read for the diff, where that is not UTF-8 or told by a byte order mark. */
  readonly encoding?: string | undefined;
}

const diffInResult = 2_500;

/** What a file holds now. */
interface CurrentContent {
  readonly bytes: Uint8Array;
  /**
   * True where the bytes are the text of an editor in UTF-8, so that the encoding of the file on the disk says nothing
   * about them.
   */
  readonly unsaved: boolean;
}

/** The current content of a target, undefined where nothing is there. */
export async function currentContent(target: Target): Promise<CurrentContent | undefined> {
  const file = await target.files.open(target.real).catch((error: unknown) => {
    if (!isToolError(error)) throw error;
    if (error.data.code === 'not_found') return undefined;
    throw error.data.code === 'is_a_directory'
      ? refusal('is_a_directory', say('folder_not_file', target.shown))
      : error;
  });
  try {
    if (file) checkWhole(file.stat.size);
    return file && { bytes: await file.read(0, file.stat.size), unsaved: file.stat.unsaved === true };
  } finally {
    await file?.close();
  }
}

export function checkExpectedHash(
  shown: string,
  expected: string | undefined,
  current: Uint8Array | undefined,
  context: AccessContext,
): void {
  if (expected === undefined) return;
  if (current === undefined)
    throw toolError(
      'conflict',
      `\`${shown}\` is not there any more, though expected_hash was given; leave expected_hash out to create it`,
    );
  if (expected.replace(/^sha256:/i, '').length < shortestHash) {
    throw unfitInput(
      `/expected_hash must be the content_hash of a result, at least ${shortestHash} characters (got \`${expected.slice(0, 40)}\`)`,
    );
  }
  const actual = context.ports.crypto.sha256(current);
  if (!sameHash(expected, actual)) throw changedSince(shown, actual);
}

/**
 * The diff of a planned write as the tool's result tells it: cut for a model; `[not text]` where either side is not
 * text.
 */
export function diffOf(plan: PlannedWrite): { diff: string; added: number; removed: number } {
  return compared(plan, diffInResult);
}

/** The diff of a planned write as a person is asked about it: whole, or marked as partial where there is none. */
export function previewOf(plan: PlannedWrite): CallPreview {
  const { diff, added, removed, isCompared } = compared(plan);
  const textAt = (bytes: Uint8Array = new Uint8Array()): string => textOf(bytes, plan.encoding) ?? '';
  return {
    diff,
    ...(isCompared
      ? {
          sides: () => ({ path: plan.target.shown, before: textAt(plan.before), after: textAt(plan.after) }),
          stake: { lines: { added, removed } },
        }
      : { isPartial: true }),
    ...(plan.before === undefined ? { action: 'create' } : {}),
  };
}

function compared(plan: PlannedWrite, maximalCharacters?: number): Change {
  const before = textOf(plan.before ?? new Uint8Array(), plan.encoding);
  const after = textOf(plan.after, plan.encoding);
  if (before === undefined || after === undefined)
    return { diff: '[not text]', added: 0, removed: 0, isCompared: false };
  return changeBetween(plan.target.shown, before, after, maximalCharacters);
}

function textOf(bytes: Uint8Array, encoding: string | undefined): string | undefined {
  return encoding === undefined && looksBinary(bytes) && !sniffBom(bytes)
    ? undefined
    : decodeText(bytes, encoding).text;
}

/**
 * Does a planned write. The content that it was computed from is compared once more at the last moment, so that what
 * somebody else wrote meanwhile is not lost.
 */
export async function doWrite(
  plan: PlannedWrite,
  context: AccessContext,
  changed: (shown: string, hash: string) => Error = changedSince,
): Promise<Record<string, Json>> {
  const { target } = plan;
  const before = plan.before && context.ports.crypto.sha256(plan.before);
  const { created } = await target.files.writeFile(target.real, plan.bytes, {
    ...plan.options,
    check: (current) => {
      const now = current && context.ports.crypto.sha256(current);
      if (now !== before) throw changed(target.shown, now ?? 'none');
    },
  });
  return {
    path: target.shown,
    size_bytes: plan.after.length,
    created,
    content_hash: context.ports.crypto.sha256(plan.after).slice(0, shownHashLength),
  };
}
