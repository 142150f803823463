import { toolError } from '../../core/errors';
import type { AccessContext, ToolHandler } from '../../core/tool';
import { fromBase64 } from './base64';
import { checkExpectedHash, currentContent, diffOf, doWrite, type PlannedWrite } from './change';
import { accessesOf, judgedTarget, type Target, targetOf } from './target';
import { decodeText, encodeText, looksBinary, sniffBom, withEndOfLine } from './text';

interface WriteInput {
  readonly path: string;
  readonly content: string;
  readonly encoding?: 'text' | 'base64';
  readonly mode?: 'overwrite' | 'create' | 'append';
  readonly expected_hash?: string;
  readonly end_of_line?: 'keep' | 'as_given' | 'lf' | 'crlf';
}

export const handler: ToolHandler<WriteInput> = {
  accesses: async (input, context) => accessesOf(await targetOf(context, input.path), 'fs.write'),
  async run(input, context) {
    const plan = await planWrite(await judgedTarget(context, input.path, 'fs.write'), input, context);
    const written = await doWrite(plan, context);
    if (plan.before === undefined) return { payload: written };
    const change = diffOf(plan, 'result');
    return { payload: { ...written, lines_added: change.added, lines_removed: change.removed, diff: change.diff } };
  },
  async preview(input, context) {
    const plan = await planWrite(await targetOf(context, input.path), input, context);
    return { diff: diffOf(plan, 'preview').diff };
  },
};

async function planWrite(target: Target, input: WriteInput, context: AccessContext): Promise<PlannedWrite> {
  const mode = input.mode ?? 'overwrite';
  const before = await currentContent(target);
  if (mode === 'create' && before !== undefined) {
    throw toolError(
      'already_exists',
      `\`${target.shown}\` is there already; use mode overwrite to replace it or edit_file to change a part`,
    );
  }
  checkExpectedHash(target.shown, input.expected_hash, before, context);
  const bytes = input.encoding === 'base64' ? fromBase64(input.content) : textBytes(input, before, mode === 'append');
  if (mode === 'append' && before) return { target, bytes, options: { append: true }, before, after: concat(before, bytes) };
  return { target, bytes, options: { mustCreate: mode === 'create' }, before, after: bytes };
}

/** Writes text as the file has it: its byte order mark, its encoding where that is UTF-16, and CRLF where all its lines end so. */
function textBytes(input: WriteInput, before: Uint8Array | undefined, append: boolean): Uint8Array {
  const wanted = input.end_of_line ?? 'keep';
  const plain = { encoding: 'utf-8', bom: false };
  const forced = wanted === 'lf' || wanted === 'crlf' ? withEndOfLine(input.content, wanted) : input.content;
  if (before === undefined || before.length === 0 || wanted === 'as_given') return encodeText(forced, plain);
  const mark = sniffBom(before);
  if (!mark && looksBinary(before)) return encodeText(forced, plain);
  const like = mark ? { encoding: mark.encoding, bom: !append && !input.content.startsWith('\ufeff') } : plain;
  const text = wanted === 'keep' && decodeText(before, undefined).endOfLine === 'crlf' ? withEndOfLine(forced, 'crlf') : forced;
  return encodeText(text, like);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
