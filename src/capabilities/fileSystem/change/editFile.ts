import type { Json, JsonObject } from '../../../core/base/json';
import { say, type Sentence, worded } from '../../../core/base/sentence';
import { refusal, toolError, unfitInput } from '../../../core/vocabulary/errors';
import { checkExpectedHash, currentContent, diffOf, doWrite, type PlannedWrite, previewOf } from './change';
import { checkIsIn } from './contentBytes';
import { lineEndMatches, looseMatches, replaceEnded, replaceLoosely } from './inexactMatch';
import { describeMiss, type Miss } from './nearestText';
import { breaksOf } from '../shared/progress';
import { factsOf, hashOf } from '../shared/modelText';
import { accessesOf, checkCancelled, judgedTarget, nothingThere, type Target, targetOf } from '../shared/target';
import {
  decoderFor,
  decodeText,
  encodeText,
  type FileText,
  guessWide,
  looksBinary,
  withEndOfLine,
} from '../shared/text';
import { sniffBom } from '../../shared/encodings';
import type { AccessContext, ToolHandler } from '../../../core/capability/tool';
import type { EditInput } from './inputs';

export const handler: ToolHandler<EditInput> = {
  accesses: async (input, context) =>
    accessesOf(await targetOf(context, input.path), input.dry_run ? 'fs.read' : 'fs.write'),
  async run(input, context) {
    const target = await judgedTarget(context, input.path, input.dry_run ? 'fs.read' : 'fs.write');
    if (input.dry_run) {
      const plan = await planEdit(target, input, context);
      return { payload: { path: target.shown, dry_run: true, ...countedChange(plan) } };
    }
    const { plan, written } = await target.files.inTurn(target.real, async () => {
      checkCancelled(context.stopped);
      const planned = await planEdit(target, input, context);
      return { plan: planned, written: await doWrite(planned, context) };
    });
    const { created: _created, ...facts } = written;
    return { payload: { ...facts, ...countedChange(plan) } };
  },
  async preview(input, context) {
    return previewOf(await planEdit(await targetOf(context, input.path), input, context));
  },
  text: editedText,
};

interface PlannedEdit extends PlannedWrite {
  readonly replacements: number;
  /** True where a text was found that is not the one given, letter by letter. */
  readonly inexact: boolean;
}

function countedChange(plan: PlannedEdit): Record<string, Json> {
  const { added, removed, diff } = diffOf(plan);
  const counts = { replacements: plan.replacements, lines_added: added, lines_removed: removed };
  return { ...counts, ...(plan.inexact ? { inexact: true } : {}), diff };
}

async function planEdit(target: Target, input: EditInput, context: AccessContext): Promise<PlannedEdit> {
  const current = await currentContent(target);
  if (current === undefined) throw nothingThere(target.shown);
  const before = current.bytes;
  checkExpectedHash(target.shown, input.expected_hash, before, context);
  const named = decoderFor(input.encoding).encoding;
  const automatic = named === 'utf-8' || current.unsaved;
  if (automatic && looksBinary(before) && !sniffBom(before)) {
    const wide = guessWide(before);
    const next = wide
      ? `set encoding to ${wide}, which it looks like`
      : 'use write_file with encoding base64 to replace it whole';
    throw toolError('not_text', `\`${target.shown}\` is not text; ${next}`);
  }
  if (!automatic) checkIsIn(target.shown, before, named);
  const file = decodeText(before, automatic ? undefined : named);
  if (file.text.includes('\ufffd') && !sameBytes(encodeText(file.text, file), before)) {
    throw toolError(
      'not_text',
      `\`${target.shown}\` is not ${file.encoding.toUpperCase()}, so an edit would damage it; call again with its encoding, such as windows-1252`,
    );
  }
  const { text, replacements, inexact } = await applyEdits(
    target.shown,
    file,
    input.edits,
    input.match,
    breaksOf(context),
  );
  // The file has its mark; one at the start of the new text would be a second.
  const isMarkedTwice = file.bom && text.startsWith('\ufeff') && !file.text.startsWith('\ufeff');
  const after = encodeText(isMarkedTwice ? text.slice(1) : text, file);
  return {
    target,
    bytes: after,
    options: {},
    before,
    after,
    replacements,
    inexact,
    encoding: automatic ? undefined : file.encoding,
  };
}

/**
 * Applies replacements one after the other, each to the result of those before it. In a file whose lines all end in
 * CRLF, line ends in the texts stand for CRLF, so that a model need not know; in a file that has both, they stand for
 * either where the text is not found as given. Throws without any effect where one of them does not fit.
 */
export async function applyEdits(
  shown: string,
  file: FileText,
  edits: EditInput['edits'],
  match: EditInput['match'] = 'exact',
  rest: () => Promise<void> = async () => undefined,
): Promise<Pick<PlannedEdit, 'replacements' | 'inexact'> & { readonly text: string }> {
  const crlf = file.endOfLine === 'crlf';
  let text = crlf ? withEndOfLine(file.text, 'lf') : file.text;
  let replacements = 0;
  let inexactly = false;
  for (const [index, edit] of edits.entries()) {
    await rest();
    const wanted = crlf ? withEndOfLine(edit.old_text, 'lf') : edit.old_text;
    const replacement = crlf ? withEndOfLine(edit.new_text, 'lf') : edit.new_text;
    const place = edits.length === 1 ? say('as_it_is', '/edits/0') : say('no_edit_made', `/edits/${index}`);
    if (wanted === replacement) {
      throw unfitInput(`${worded(place)}: old_text and new_text are the same, so nothing would change`);
    }
    const found = placesOf(wanted, text, file, match);
    const { count } = found;
    if (count === 0) throw refusal('no_match', missSaid(place, shown, describeMiss(text, wanted, replacement)));
    const expected = edit.replace_all ? edit.expected_count : (edit.expected_count ?? 1);
    if (expected !== undefined && count !== expected)
      throw refusal('no_match', say('old_text_count', place, shown, count, expected, found.lines().join(', ')));
    inexactly ||= found.inexact;
    text = found.replaced(replacement);
    replacements += count;
  }
  // A `\r` that stood before a CRLF stands before a line feed here: it stays.
  return { text: crlf ? text.replace(/\n/g, '\r\n') : text, replacements, inexact: inexactly };
}

/** What an edit whose text is nowhere is told; of what stands there, the record keeps no letter. */
function missSaid(place: Sentence, shown: string, miss: Miss): Sentence {
  if (miss === 'done') return say('old_text_done', place, shown);
  if (miss === 'nowhere') return say('old_text_nowhere', place, shown);
  const differs = `which differs so ([-old_text-]{+the file+}):\n${miss.diff}`;
  return say('old_text_near', place, shown, miss.line, say('content', differs));
}

interface Places {
  readonly count: number;
  readonly inexact: boolean;
  lines(): readonly number[];
  replaced(replacement: string): string;
}

/** Where the text stands: as it is, else with other ends of lines, else, where asked for, with other white space. */
function placesOf(wanted: string, text: string, file: FileText, match: EditInput['match']): Places {
  const first = text.indexOf(wanted);
  if (first >= 0) {
    const count = countFrom(text, wanted, first);
    return {
      count,
      inexact: false,
      lines: () => linesOf(text, wanted),
      replaced: (replacement) =>
        count === 1
          ? text.slice(0, first) + replacement + text.slice(first + wanted.length)
          : text.split(wanted).join(replacement),
    };
  }
  const ended = file.endOfLine === 'mixed' ? lineEndMatches(text, wanted) : [];
  const loose = ended.length === 0 && match === 'whitespace' ? looseMatches(text, wanted) : [];
  const found = [...ended, ...loose];
  return {
    count: found.length,
    inexact: found.length > 0,
    lines: () => found.slice(0, 5).map((one) => one.line),
    replaced: (replacement) =>
      ended.length > 0 ? replaceEnded(text, ended, replacement) : replaceLoosely(text, loose, wanted, replacement),
  };
}

function countFrom(text: string, wanted: string, first: number): number {
  let count = 0;
  for (let at = first; at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

function linesOf(text: string, wanted: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && lines.length < 5; at = text.indexOf(wanted, at + wanted.length)) {
    lines.push(text.slice(0, at).split('\n').length);
  }
  return lines;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** What became of an edit; with the diff where it was not made letter by letter, or not at all. */
function editedText(payload: JsonObject): string {
  const { dry_run, inexact, replacements, diff } = payload;
  const done = dry_run === true ? 'not made, it would replace' : 'replaced';
  const shown = dry_run === true || inexact === true ? `${String(diff)}\n` : '';
  return `${shown}${done} ${String(replacements)}${dry_run === true ? '' : `; ${factsOf(hashOf(payload))}`}`;
}
