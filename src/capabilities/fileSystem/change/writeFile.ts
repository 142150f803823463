import { say } from '../../../core/base/sentence';
import type { JsonObject } from '../../../core/base/json';
import { joinedBytes } from '../../../core/base/bytes';
import { refusal, toolError } from '../../../core/vocabulary/errors';
import type { ToolOutcome } from '../../../core/vocabulary/toolResult';
import { checkExpectedHash, currentContent, diffOf, doWrite, type PlannedWrite, previewOf } from './change';
import { encodingToAppend, contentOfBase64, namedEncoding, textBytes } from './contentBytes';
import { factsOf, hashOf } from '../shared/modelText';
import {
  accessesOf,
  checkCancelled,
  endsLikeFolder,
  filesOf,
  judgedTarget,
  type Target,
  targetOf,
} from '../shared/target';
import { samePath } from '../../../core/files/paths';
import type { AccessContext, ToolHandler } from '../../../core/capability/tool';
import type { WriteInput } from './inputs';

export const handler: ToolHandler<WriteInput> = {
  accesses: async (input, context) => accessesOf(await targetOf(context, input.path), 'fs.write'),
  async run(input, context) {
    if (endsLikeFolder(input.path, filesOf(context)))
      return makeFolder(await judgedTarget(context, input.path, 'fs.write'), input);
    const target = await judgedTarget(context, input.path, 'fs.write');
    const { plan, written } = await target.files.inTurn(target.real, async () => {
      checkCancelled(context.stopped);
      const { approvedBasis, approvedPlan } = context;
      if (approvedPlan instanceof ShownWrite && (await approvedPlan.mayHold(target)))
        return approvedPlan.writeTo(target, context);
      const planned = await planWrite(target, input, context);
      if (approvedBasis !== undefined && basisOf(planned, context) !== approvedBasis)
        throw changedSinceAsked(target.shown);
      return { plan: planned, written: await doWrite(planned, context) };
    });
    if (plan.before === undefined) return { payload: written };
    // No diff: it would show what the file held, which the call may not be allowed to read.
    const { added, removed } = diffOf(plan);
    return { payload: { ...written, lines_added: added, lines_removed: removed } };
  },
  async preview(input, context) {
    if (endsLikeFolder(input.path, filesOf(context))) return { lines: [say('preview_folder_made')], action: 'create' };
    const plan = await planWrite(await targetOf(context, input.path), input, context);
    // What is appended is the same whatever stands before it; what is replaced has to be what the person saw.
    return input.mode === 'append'
      ? previewOf(plan)
      : { ...previewOf(plan), basis: basisOf(plan, context), plan: new ShownWrite(plan) };
  },
  text: writtenText,
};

/** The write that a person was shown: it is done as it is where the file is still what it was computed from. */
class ShownWrite {
  readonly plan: PlannedWrite;

  constructor(plan: PlannedWrite) {
    this.plan = plan;
  }

  /** To the files of the call that runs, which keep what was there. */
  async writeTo(target: Target, context: AccessContext) {
    const plan = { ...this.plan, target };
    return { plan, written: await doWrite(plan, context, changedSinceAsked) };
  }

  /** False where a glance tells that the file is another one now. What it holds is compared right before the write. */
  async mayHold(target: Target): Promise<boolean> {
    const { before, unsaved } = this.plan;
    if (!samePath(target.real, this.plan.target.real)) return false;
    const stat = await target.files.stat(target.real);
    return stat?.size === before?.length && (stat?.unsaved === true) === (unsaved === true);
  }
}

function basisOf(plan: PlannedWrite, context: AccessContext): string {
  return plan.before ? context.ports.crypto.sha256(plan.before) : 'nothing';
}

const changedSinceAsked = (shown: string): Error => refusal('conflict', say('file_changed_since_asked', shown));

async function planWrite(target: Target, input: WriteInput, context: AccessContext): Promise<PlannedWrite> {
  const mode = input.mode ?? 'overwrite';
  const current = await currentContent(target);
  const before = current?.bytes;
  if (mode === 'create' && before !== undefined) {
    throw refusal('already_exists', say('file_there_or_edit', target.shown));
  }
  checkExpectedHash(target.shown, input.expected_hash, before, context);
  const append = mode === 'append' && before !== undefined;
  if (input.encoding === 'base64') return planned(contentOfBase64(input.content), undefined);
  const named = namedEncoding(input.encoding);
  const wanted = current?.unsaved ? undefined : named;
  const encoding = append ? encodingToAppend(target.shown, before, input.content, wanted) : wanted;
  const endOfLine = input.end_of_line ?? 'keep';
  return planned(textBytes(input.content, before, encoding, { append, endOfLine }), encoding);

  function planned(bytes: Uint8Array, as: string | undefined): PlannedWrite {
    const about = { target, bytes, before, unsaved: current?.unsaved === true, encoding: as };
    if (append) return { ...about, options: { append: true }, after: joinedBytes(before, bytes) };
    return { ...about, options: { mustCreate: mode === 'create' }, after: bytes };
  }
}

/** A path that ends in `/` with empty content makes the folder; the folders above a file are made with it. */
async function makeFolder(target: Target, input: WriteInput): Promise<ToolOutcome> {
  const stat = await target.files.stat(target.real);
  const root = target.real.path === '';
  if (stat?.type === 'directory' && (root || input.content !== '' || input.mode === 'create')) {
    throw toolError('is_a_directory', `\`${target.shown}\` is a folder; give the path of a file in it`);
  }
  if (input.content !== '') {
    throw toolError(
      'path_invalid',
      `\`${target.shown}/\` ends like a folder, which has no content; give the path of the file, its folders are made with it`,
    );
  }
  const { created } = await target.files.makeDirectory(target.real);
  return { payload: { path: target.shown, size_bytes: 0, created, is_directory: true } };
}

/** What became of a write: the model knows what it wrote, and is told what it cannot know. */
function writtenText(payload: JsonObject): string {
  const { created, is_directory, lines_added, lines_removed } = payload;
  const removes = typeof lines_removed === 'number' && lines_removed > 0;
  const lines = removes ? { lines: `+${String(lines_added)} -${lines_removed}` } : {};
  const done = created === true ? 'created' : is_directory === true ? 'there already' : 'written';
  return [done, factsOf({ ...lines, ...hashOf(payload) })].filter((part) => part !== '').join('; ');
}
