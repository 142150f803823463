import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readDuration } from '../core/base/durationText';
import { isObject } from '../core/base/json';
import { readJsonDocument } from '../core/base/jsonDocument';
import { saidBy, worded } from '../core/base/sentence';
import { type Bundle, bundleFormat, type PinnedDefinition } from '../core/bundles/bundle';
import { readPayload } from '../core/bundles/openBundle';
import { canBeBundled, isBundleName, timeText } from '../core/bundles/readBundle';
import { formatOf } from '../core/definitions/spec';
import { readSmallFile } from '../node/regularFile';
import { nodeCrypto, systemClock } from '../node/system';
import { type CliArgs, type CliIo, hand, UsageError } from './args';
import { withWorkspace } from './openWorkspace';

const day = 86_400_000;

/**
 * `bundle make --name NAME --revision N [--expires-in 90d] [--out FILE]`: the payload of a bundle, to be looked at and
 * signed: the rules, limits, profiles and other settings of `--set` and of the workspace, its definitions, and with
 * `--yes` the tools of its servers as they are now. Exit 1 where something cannot be taken.
 */
export async function runBundleMake(words: readonly string[], args: CliArgs, io: CliIo): Promise<number> {
  if (words.length > 0) throw new UsageError('`bundle make` takes no file');
  const head = headOf(args);
  return withWorkspace(args, io, async ({ core, folder }) => {
    if (args.has('yes')) await core.servers.list.discover();
    const { user, workspace } = core.settings().layers;
    const kept = (layer: object): [string, unknown][] => Object.entries(layer).filter(([key]) => canBeBundled(key));
    const settings: Record<string, unknown> = Object.fromEntries([...kept(user), ...kept(workspace)]);
    const own = path.join(folder, '.vscode', 'capabilities');
    const rules = [...rulesOf(user), ...rulesOf(workspace), ...rulesOfFile(path.join(own, 'boundaries.json'))];
    if (rules.length > 0) settings['policy.boundaries'] = rules;
    const payload = {
      ...head,
      settings,
      servers: Object.fromEntries(core.servers.list.approvedHashes().map(([name, sha256]) => [name, { sha256 }])),
      definitions: definitionsIn(own),
    };
    const text = `${JSON.stringify(payload, undefined, 2)}\n`;
    try {
      readPayload(new TextEncoder().encode(text), nodeCrypto);
    } catch (error) {
      io.error(worded(saidBy(error)));
      return 1;
    }
    hand(text, args, io);
    return 0;
  });
}

function headOf(args: CliArgs): object {
  const name = args.value('name') ?? '';
  if (!isBundleName(name)) throw new UsageError('`--name` must be 1 to 64 of a to z, 0 to 9, `.`, `_` and `-`');
  const revision = Number(args.value('revision'));
  if (!Number.isSafeInteger(revision) || revision < 1)
    throw new UsageError('`--revision` must be a whole number from 1, higher than that of the bundle before');
  const lasts = readDuration(args.value('expires-in') ?? '90d', 'seconds');
  if (lasts === undefined) throw new UsageError('`--expires-in` must be a length of time such as 90d');
  const now = systemClock.now();
  const expires = timeText(now + Math.max(lasts, day));
  return { bundle: bundleFormat, name, revision, issued: timeText(now), expires };
}

const rulesOf = (layer: { readonly 'policy.boundaries'?: unknown }): readonly unknown[] => {
  const rules = layer['policy.boundaries'];
  return Array.isArray(rules) ? rules : [];
};

function rulesOfFile(file: string): readonly unknown[] {
  const read = readSmallFile(file);
  if (read.type === 'absent') return [];
  if (read.type === 'unreadable') throw new UsageError(`\`${file}\` cannot be read (${worded(read.fault)})`);
  const { value, problems } = readJsonDocument(read.text, file);
  const [fault] = problems;
  if (fault) throw new UsageError(`${file}:${fault.line ?? 1}: ${fault.message}`);
  const rules = isObject(value) && Array.isArray(value['boundaries']) ? value['boundaries'] : value;
  if (!Array.isArray(rules)) throw new UsageError(`\`${file}\` must hold an array of rules`);
  return rules;
}

function definitionsIn(folder: string): Bundle['definitions'] {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => formatOf(name) !== undefined);
  } catch {
    return {};
  }
  const pinned = [...names].sort().map((name): [string, PinnedDefinition] => {
    const read = readSmallFile(path.join(folder, name), { within: folder });
    if (read.type !== 'text') throw new UsageError(`\`${name}\` cannot be read`);
    const text = read.text.replace(/^\ufeff/, '');
    return [name, { sha256: nodeCrypto.sha256(text), text }];
  });
  return Object.fromEntries(pinned);
}
